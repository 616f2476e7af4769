import { SHORT, callHost, findHost, findMethod } from '../access.ts';
import { type Each, type ListCall, readPlainElement } from '../library/lists.ts';
import type { Lambda } from '../library/native.ts';
import { callMethod, findListCall, findQuick, takesConstants } from '../library/quick.ts';
import type { Applied, HostCall, LambdaOp, MethodCall, Static } from '../plan/operation.ts';
import { charge } from '../run.ts';
import { type Builder, type Closure, runAll } from './builder.ts';

export const methodClosure = (call: MethodCall, builder: Builder): Closure => {
  const list = builder.plain ? findListCall(call) : undefined;
  return list ? listClosure(call, list, builder) : callClosure(call, builder);
};

const listClosure = (call: MethodCall, list: ListCall, builder: Builder): Closure => {
  const object = builder.link(call.callee.object);
  const [lambda, start] = call.args;
  const each = eachClosure(lambda as LambdaOp, builder);
  const first = start && builder.closure(start);
  return (slots) => {
    const self = object(slots);
    // Nothing else has such a method.
    if (!Array.isArray(self)) return callMethod(self, call);
    return list(self, each, slots, call, readPlainElement, first?.(slots));
  };
};

const callClosure = (call: MethodCall, builder: Builder): Closure => {
  const object = builder.link(call.callee.object);
  const args = call.args.map(builder.closure);
  const [first, second] = args;
  const quick = findQuick(call, builder.plain);
  if (!quick)
    return (slots) => {
      const self = object(slots);
      const method = findMethod(self, call);
      return method === SHORT ? SHORT : method(self, runAll(args, slots), call);
    };
  if (takesConstants(call) && !builder.watch)
    return (slots) => quick(object(slots), call, first?.(slots), second?.(slots));
  return (slots) => {
    const self = object(slots);
    // The receiver must have the method before arguments are evaluated.
    if (typeof self !== 'string' && findMethod(self, call) === SHORT) return SHORT;
    return quick(self, call, first?.(slots), second?.(slots));
  };
};

export const staticClosure = (operation: Static, builder: Builder): Closure => {
  const args = operation.args.map(builder.closure);
  const { native, ofNumbers } = operation;
  const [only] = args;
  if (!ofNumbers || !only || args.length > 1) return (slots) => native(undefined, runAll(args, slots), operation);
  return (slots) => {
    const value = only(slots);
    return typeof value === 'number' ? ofNumbers(value) : native(undefined, [value], operation);
  };
};

/** Calls a lambda. Lambdas of one and two parameters are what people write. */
const eachClosure = (lambda: LambdaOp, builder: Builder): Each<unknown[]> => {
  const body = builder.closure(lambda.body);
  const { slots: params, steps } = lambda;
  const [a, b] = params;
  if (a !== undefined && params.length < 3)
    return (slots, first, second) => {
      charge(steps, lambda);
      slots[a] = first;
      if (b !== undefined) slots[b] = second;
      return body(slots);
    };
  return (slots, ...args) => {
    charge(steps, lambda);
    params.forEach((slot, index) => (slots[slot] = args[index]));
    return body(slots);
  };
};

/** Gives the lambda as a function. */
export const lambdaClosure = (lambda: LambdaOp, builder: Builder): ((slots: unknown[]) => Lambda) => {
  const each = eachClosure(lambda, builder);
  return (slots) =>
    (...args) =>
      each(slots, ...args);
};

export const applyClosure = (operation: Applied, builder: Builder): Closure => {
  const args = operation.args.map(builder.closure);
  const each = eachClosure(operation.callee, builder);
  return (slots) => each(slots, ...runAll(args, slots));
};

export const hostClosure = (call: HostCall, builder: Builder): Closure => {
  const args = call.args.map(builder.closure);
  return (slots) => {
    const host = findHost(call);
    return host === SHORT ? SHORT : callHost(host, runAll(args, slots), call);
  };
};
