import {
  SHORT,
  appendText,
  callHost,
  checkedInput,
  findHost,
  findMethod,
  isMember,
  isNullish,
  readCapture,
  readIndex,
  readMember,
  spreadArray,
  spreadObject,
} from './access.ts';
import { BINARY, UNARY } from './operators.ts';
import type { LambdaOp, Operation } from './plan/operation.ts';
import { charge, fail } from './run.ts';
import { copyData } from './value.ts';

/** What an evaluation goes on with. */
export interface Frame {
  readonly slots: unknown[];
  /** Sees every value and error, for `explain`. */
  readonly watch?: ((operation: Operation, compute: () => unknown, ended?: typeof SHORT) => unknown) | undefined;
}

/** The reference: a plain walk over the plan. What a chain gives that ends early is undefined, but SHORT to its next link. */
export const interpret = (operation: Operation, frame: Frame, ended?: typeof SHORT): unknown => {
  const { watch } = frame;
  const value = watch ? watch(operation, () => compute(operation, frame), ended) : compute(operation, frame);
  return value === SHORT ? ended : value;
};

const compute = (operation: Operation, frame: Frame): unknown => {
  const value = (part: Operation): unknown => interpret(part, frame);
  const link = (part: Operation): unknown => interpret(part, frame, SHORT);
  switch (operation.kind) {
    case 'Constant':
      return operation.mutable ? copyData(operation.value, operation) : operation.value;
    case 'Fail':
      return fail(operation.code, operation, operation.message);
    case 'Param':
      return checkedInput(frame.slots[operation.slot], operation);
    case 'Capture':
      return readCapture(operation);
    case 'Member':
    case 'Index': {
      const object = link(operation.object);
      if (object === SHORT || (operation.optional && isNullish(object))) return SHORT;
      return operation.kind === 'Member'
        ? readMember(object, operation.prop, operation)
        : readIndex(object, value(operation.index), operation);
    }
    case 'Method': {
      const receiver = link(operation.callee.object);
      const method = receiver === SHORT ? SHORT : findMethod(receiver, operation);
      return method === SHORT ? SHORT : method(receiver, operation.args.map(value), operation);
    }
    case 'Host': {
      const host = findHost(operation);
      return host === SHORT ? SHORT : callHost(host, operation.args.map(value), operation);
    }
    case 'Static':
      return operation.native(undefined, operation.args.map(value), operation);
    case 'Apply':
      return enter(operation.callee, operation.args.map(value), frame);
    case 'Lambda':
      return (...args: unknown[]): unknown => enter(operation, args, frame);
    case 'Binary': {
      const left = value(operation.left);
      return BINARY[operation.op](left, value(operation.right), operation);
    }
    case 'Logical': {
      const left = value(operation.left);
      const decided = operation.op === '??' ? !isNullish(left) : operation.op === '||' ? left : !left;
      return decided ? left : value(operation.right);
    }
    case 'Unary':
      return UNARY[operation.op](value(operation.operand), operation);
    case 'Ternary':
      return value(value(operation.test) ? operation.then : operation.else);
    case 'Template':
      return operation.exprs.reduce(
        (text, expr, index) => appendText(text, value(expr), operation.quasis[index + 1]!, operation),
        operation.quasis[0]!,
      );
    case 'ObjectLit': {
      const entries: [string, unknown][] = [];
      for (const prop of operation.props)
        if ('spread' in prop) spreadObject(entries, value(prop.spread), prop.spread);
        else entries.push([prop.key, value(prop.value)]);
      return Object.fromEntries(entries);
    }
    case 'ArrayLit': {
      const result: unknown[] = [];
      for (const element of operation.elements)
        if ('spread' in element) spreadArray(result, value(element.spread), element.spread);
        else result.push(value(element));
      return result;
    }
    case 'In': {
      const haystack = value(operation.haystack);
      return isMember(haystack, value(operation.needle), operation);
    }
  }
};

const enter = (lambda: LambdaOp, args: readonly unknown[], frame: Frame): unknown => {
  charge(lambda.steps, lambda);
  lambda.slots.forEach((slot, index) => (frame.slots[slot] = args[index]));
  return interpret(lambda.body, frame);
};
