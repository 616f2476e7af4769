import { SHORT, callHost, findHost, findMethod } from '../access.ts';
import { type Each, readPlainElement } from '../library/lists.ts';
import type { Lambda } from '../library/native.ts';
import { findListCall, findQuick, takesConstants } from '../library/quick.ts';
import type { Applied, HostCall, LambdaOp, MethodCall, Static } from '../plan/operation.ts';
import { charge } from '../run.ts';
import { type Builder, type Closure, runAll } from './builder.ts';

export const methodClosure = (call: MethodCall, builder: Builder): Closure => {
  const object = builder.link(call.callee.object);
  const args = call.args.map(builder.closure);
  const [first, second] = args;
  const general = (self: unknown, slots: unknown[]): unknown => {
    const method = self === SHORT ? SHORT : findMethod(self, call);
    return method === SHORT ? SHORT : method(self, runAll(args, slots), call);
  };
  const list = builder.plain ? findListCall(call) : undefined;
  if (list && first) {
    const each = eachClosure(call.args[0] as LambdaOp, builder);
    return (slots) => {
      const self = object(slots);
      if (Array.isArray(self)) return list(self, each, slots, call, readPlainElement, second?.(slots));
      return general(self, slots);
    };
  }
  const quick = findQuick(call, builder.plain);
  if (!quick) return (slots) => general(object(slots), slots);
  if (takesConstants(call) && !builder.watch)
    return (slots) => quick(object(slots), call, first?.(slots), second?.(slots));
  return (slots) => {
    const self = object(slots);
    // The receiver must have the method before arguments are evaluated.
    if (typeof self !== 'string' && (self === SHORT || findMethod(self, call) === SHORT)) return SHORT;
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
