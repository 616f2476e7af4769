import { SHORT, callHost, findHost, findMethod } from '../access.ts';
import { readPlainElement } from '../library/lists.ts';
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
  if (list && first)
    return (slots) => {
      const self = object(slots);
      if (Array.isArray(self)) return list(self, first(slots) as Lambda, call, readPlainElement, second?.(slots));
      return general(self, slots);
    };
  const quick = findQuick(call, builder.plain);
  if (!quick) return (slots) => general(object(slots), slots);
  if (!first) return (slots) => quick(object(slots), call);
  if (takesConstants(call) && !builder.watch)
    return (slots) => quick(object(slots), call, first(slots), second?.(slots));
  return (slots) => {
    const self = object(slots);
    // The receiver must have the method before arguments are evaluated.
    if (typeof self !== 'string' && (self === SHORT || findMethod(self, call) === SHORT)) return SHORT;
    return quick(self, call, first(slots), second?.(slots));
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

/** Gives the lambda as a function. Lambdas of one and two parameters are what people write. */
export const lambdaClosure = (lambda: LambdaOp, builder: Builder): ((slots: unknown[]) => Lambda) => {
  const body = builder.closure(lambda.body);
  const { slots: params, steps } = lambda;
  const [a, b] = params;
  if (params.length === 1)
    return (slots) => (value) => {
      charge(steps, lambda);
      slots[a!] = value;
      return body(slots);
    };
  if (params.length === 2)
    return (slots) => (first, second) => {
      charge(steps, lambda);
      slots[a!] = first;
      slots[b!] = second;
      return body(slots);
    };
  return (slots) =>
    (...args) => {
      charge(steps, lambda);
      params.forEach((slot, index) => (slots[slot] = args[index]));
      return body(slots);
    };
};

export const applyClosure = (operation: Applied, builder: Builder): Closure => {
  const args = operation.args.map(builder.closure);
  const lambda = lambdaClosure(operation.callee, builder);
  return (slots) => lambda(slots)(...runAll(args, slots));
};

export const hostClosure = (call: HostCall, builder: Builder): Closure => {
  const args = call.args.map(builder.closure);
  return (slots) => {
    const host = findHost(call);
    return host === SHORT ? SHORT : callHost(host, runAll(args, slots), call);
  };
};
