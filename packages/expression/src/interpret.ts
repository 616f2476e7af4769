import {
  SHORT,
  appendText,
  callHost,
  checkedInput,
  findHost,
  findMethod,
  readCapture,
  readIndex,
  readMember,
  setProperty,
  spreadArray,
  spreadObject,
  typeofCapture,
} from './access.ts';
import { copyOf } from './constant-copy.ts';
import { checked } from './eval-value.ts';
import type {
  ArrayOp,
  ObjectOp,
  Applied,
  Argument,
  HostCall,
  LambdaOp,
  MethodCall,
  Operation,
  TemplateOp,
} from './operation.ts';
import { BINARY, UNARY, hasBrandOf, isMember } from './operators.ts';
import { type Run, charge, fail } from './run.ts';

/** What sees every value, for `explain`. */
export interface Watcher {
  value(operation: Operation, value: unknown): void;
  error(operation: Operation, error: unknown): void;
}

interface Frame {
  readonly run: Run;
  readonly slots: unknown[];
  readonly watcher: Watcher | undefined;
}

/** The reference: a plain walk over the plan. */
export const interpret = (operation: Operation, run: Run, slots: unknown[], watcher?: Watcher): unknown =>
  valueOf(operation, { run, slots, watcher });

const valueOf = (operation: Operation, frame: Frame): unknown => {
  const { watcher } = frame;
  if (!watcher) return compute(operation, frame);
  try {
    const value = compute(operation, frame);
    watcher.value(operation, value);
    return value;
  } catch (error) {
    watcher.error(operation, error);
    throw error;
  }
};

const compute = (operation: Operation, frame: Frame): unknown => {
  const { run, slots } = frame;
  switch (operation.op) {
    case 'constant':
      return operation.mutable ? copyOf(operation.value) : operation.value;
    case 'fail':
      return fail(operation.code, operation, operation.message);
    case 'slot':
      return operation.input ? checkedInput(slots[operation.slot], operation) : slots[operation.slot];
    case 'capture':
      return checked(readCapture(run, operation, operation), operation);
    case 'member': {
      const object = valueOf(operation.object, frame);
      if (object === SHORT || (operation.optional && (object === undefined || object === null))) return SHORT;
      return readMember(object, operation.name, operation);
    }
    case 'index': {
      const object = valueOf(operation.object, frame);
      if (object === SHORT || (operation.optional && (object === undefined || object === null))) return SHORT;
      return readIndex(run, object, valueOf(operation.index, frame), operation);
    }
    case 'method':
      return callMethod(operation, frame);
    case 'host':
      return callHostFunction(operation, frame);
    case 'chain': {
      const value = valueOf(operation.body, frame);
      return value === SHORT ? undefined : value;
    }
    case 'static':
      return operation.call(
        run,
        operation.args.map((arg) => valueOf(arg, frame)),
        operation,
      );
    case 'apply':
      return applyLambda(operation, frame);
    case 'binary': {
      const left = valueOf(operation.left, frame);
      return BINARY[operation.operator](run, left, valueOf(operation.right, frame), operation);
    }
    case 'instanceof':
      return hasBrandOf(operation.brand, valueOf(operation.left, frame));
    case 'logical': {
      const left = valueOf(operation.left, frame);
      const decided =
        operation.operator === '&&' ? !left : operation.operator === '||' ? !!left : (left ?? null) !== null;
      return decided ? left : valueOf(operation.right, frame);
    }
    case 'unary':
      return UNARY[operation.operator](run, valueOf(operation.operand, frame), operation);
    case 'typeofCapture':
      return typeofCapture(run, operation.capture);
    case 'ternary':
      return valueOf(valueOf(operation.test, frame) ? operation.yes : operation.no, frame);
    case 'template':
      return makeText(operation, frame);
    case 'object':
      return makeObject(operation, frame);
    case 'array':
      return makeArray(operation, frame);
    case 'in': {
      const haystack = valueOf(operation.haystack, frame);
      return isMember(run, haystack, valueOf(operation.needle, frame), operation);
    }
  }
};

const callMethod = (call: MethodCall, frame: Frame): unknown => {
  const receiver = valueOf(call.object, frame);
  if (receiver === SHORT) return SHORT;
  const method = findMethod(receiver, call);
  if (method === SHORT) return SHORT;
  const args = call.args.map((arg) => argument(arg, frame));
  return method(frame.run, receiver, args, call);
};

const argument = (arg: Argument, frame: Frame): unknown =>
  arg.op === 'lambda' ? (...args: unknown[]) => enter(arg, args, frame) : valueOf(arg, frame);

const enter = (lambda: LambdaOp, args: readonly unknown[], frame: Frame): unknown => {
  charge(frame.run, lambda.steps, lambda);
  for (let index = 0; index < lambda.slots.length; index++) frame.slots[lambda.slots[index]!] = args[index];
  return valueOf(lambda.body, frame);
};

const applyLambda = (operation: Applied, frame: Frame): unknown => {
  const args = operation.args.map((arg) => valueOf(arg, frame));
  return enter(operation.lambda, args, frame);
};

const callHostFunction = (call: HostCall, frame: Frame): unknown => {
  const host = findHost(frame.run, call);
  if (host === SHORT) return SHORT;
  const args = call.args.map((arg) => valueOf(arg, frame));
  return callHost(frame.run, host, args, call);
};

const makeText = (template: TemplateOp, frame: Frame): string => {
  let text = template.quasis[0]!;
  for (const [index, expr] of template.exprs.entries())
    text = appendText(frame.run, text, valueOf(expr, frame), template.quasis[index + 1]!, template);
  return text;
};

const makeObject = (operation: ObjectOp, frame: Frame): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  for (const prop of operation.props)
    if ('spread' in prop) spreadObject(frame.run, result, valueOf(prop.spread, frame), prop.spread);
    else setProperty(result, prop.key, valueOf(prop.value, frame));
  return result;
};

const makeArray = (operation: ArrayOp, frame: Frame): unknown[] => {
  const result: unknown[] = [];
  for (const { value, spread } of operation.elements)
    if (spread) spreadArray(frame.run, result, valueOf(value, frame), value);
    else result.push(valueOf(value, frame));
  return result;
};
