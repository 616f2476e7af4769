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
import { BINARY, UNARY, hasBrandOf, isMember } from './operators.ts';
import { copyOf } from './plan/constant.ts';
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
} from './plan/operation.ts';
import { type Run, charge, fail } from './run.ts';
import { checked } from './value.ts';

/** What sees every value, for `explain`. */
export interface Watcher {
  value(operation: Operation, value: unknown): void;
  error(operation: Operation, error: unknown): void;
}

/** What an evaluation goes on with. */
export interface Frame {
  readonly run: Run;
  readonly slots: unknown[];
  readonly watcher?: Watcher | undefined;
  /** Hears of each property that reads as undefined. */
  readonly onUndefined?: ((object: unknown, name: string) => void) | undefined;
}

/** The reference: a plain walk over the plan. */
export const interpret = (operation: Operation, frame: Frame): unknown => {
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
      const object = interpret(operation.object, frame);
      if (object === SHORT || (operation.optional && (object === undefined || object === null))) return SHORT;
      const value = readMember(object, operation.name, operation);
      if (value === undefined) frame.onUndefined?.(object, operation.name);
      return value;
    }
    case 'index': {
      const object = interpret(operation.object, frame);
      if (object === SHORT || (operation.optional && (object === undefined || object === null))) return SHORT;
      return readIndex(run, object, interpret(operation.index, frame), operation);
    }
    case 'method':
      return callMethod(operation, frame);
    case 'host':
      return callHostFunction(operation, frame);
    case 'chain': {
      const value = interpret(operation.body, frame);
      return value === SHORT ? undefined : value;
    }
    case 'static':
      return operation.call(
        run,
        operation.args.map((arg) => interpret(arg, frame)),
        operation,
      );
    case 'apply':
      return applyLambda(operation, frame);
    case 'binary': {
      const left = interpret(operation.left, frame);
      return BINARY[operation.operator](run, left, interpret(operation.right, frame), operation);
    }
    case 'instanceof':
      return hasBrandOf(operation.brand, interpret(operation.left, frame));
    case 'logical': {
      const left = interpret(operation.left, frame);
      const decided =
        operation.operator === '&&' ? !left : operation.operator === '||' ? !!left : (left ?? null) !== null;
      return decided ? left : interpret(operation.right, frame);
    }
    case 'unary':
      return UNARY[operation.operator](run, interpret(operation.operand, frame), operation);
    case 'typeofCapture':
      return typeofCapture(run, operation.capture);
    case 'ternary':
      return interpret(interpret(operation.test, frame) ? operation.yes : operation.no, frame);
    case 'template':
      return makeText(operation, frame);
    case 'object':
      return makeObject(operation, frame);
    case 'array':
      return makeArray(operation, frame);
    case 'in': {
      const haystack = interpret(operation.haystack, frame);
      return isMember(run, haystack, interpret(operation.needle, frame), operation);
    }
  }
};

const callMethod = (call: MethodCall, frame: Frame): unknown => {
  const receiver = interpret(call.object, frame);
  if (receiver === SHORT) return SHORT;
  const method = findMethod(receiver, call);
  if (method === SHORT) return SHORT;
  const args = call.args.map((arg) => argument(arg, frame));
  return method(frame.run, receiver, args, call);
};

const argument = (arg: Argument, frame: Frame): unknown =>
  arg.op === 'lambda' ? (...args: unknown[]) => enter(arg, args, frame) : interpret(arg, frame);

const enter = (lambda: LambdaOp, args: readonly unknown[], frame: Frame): unknown => {
  charge(frame.run, lambda.steps, lambda);
  for (let index = 0; index < lambda.slots.length; index++) frame.slots[lambda.slots[index]!] = args[index];
  return interpret(lambda.body, frame);
};

const applyLambda = (operation: Applied, frame: Frame): unknown => {
  const args = operation.args.map((arg) => interpret(arg, frame));
  return enter(operation.lambda, args, frame);
};

const callHostFunction = (call: HostCall, frame: Frame): unknown => {
  const host = findHost(frame.run, call);
  if (host === SHORT) return SHORT;
  const args = call.args.map((arg) => interpret(arg, frame));
  return callHost(frame.run, host, args, call);
};

const makeText = (template: TemplateOp, frame: Frame): string => {
  let text = template.quasis[0]!;
  for (const [index, expr] of template.exprs.entries())
    text = appendText(frame.run, text, interpret(expr, frame), template.quasis[index + 1]!, template);
  return text;
};

const makeObject = (operation: ObjectOp, frame: Frame): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  for (const prop of operation.props)
    if ('spread' in prop) spreadObject(frame.run, result, interpret(prop.spread, frame), prop.spread);
    else setProperty(result, prop.key, interpret(prop.value, frame));
  return result;
};

const makeArray = (operation: ArrayOp, frame: Frame): unknown[] => {
  const result: unknown[] = [];
  for (const { value, spread } of operation.elements)
    if (spread) spreadArray(frame.run, result, interpret(value, frame), value);
    else result.push(interpret(value, frame));
  return result;
};
