import { ARRAY_METHODS } from './library/array.ts';
import { METHODS } from './library/methods.ts';
import type { Lambda, Method } from './library/native.ts';
import { hasKey } from './operators.ts';
import type { CaptureOp, HostCall, MethodCall, ParamOp, Plan } from './plan/operation.ts';
import { type Site, causedBy, charge, chargeSlowText, fail, roomForItems, roomForText } from './run.ts';
import { checked, elementsOf, findOwn, forbidProto, ownEntries, readOwn, toText, typeOf } from './value.ts';

/** What a link of a chain gives that was cut short. Neither mark is an object, so fast paths pass both by. */
export const SHORT: unique symbol = Symbol();
/** An input that was not given. */
const UNBOUND: unique symbol = Symbol();

export const isNullish = (value: unknown): value is null | undefined => value === undefined || value === null;

const getPrototype = Object.getPrototypeOf;
const objectPrototype: object = Object.prototype;

/**
 * True for an object that inherits from Object.prototype or from nothing: what is read from it by a name that
 * Object.prototype lacks is its own, or undefined. Engines answer the question for `constructor` from the shape of the
 * object, and then that for its prototype too.
 */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  ('constructor' in value ? getPrototype(value) === objectPrototype : getPrototype(value) === null);

export const readMember = (object: unknown, name: string, at: Site): unknown => {
  if (isNullish(object)) return fail('eval.nullBase', at, `${name} of ${object}`);
  forbidProto(name, at);
  // The one property that a regexp has itself is no part of its value.
  return name === 'lastIndex' && typeOf(object) === 'regexp' ? undefined : readOwn(object, name, at);
};

export const readIndex = (object: unknown, index: unknown, at: Site): unknown => {
  const key = toText(index, at);
  chargeSlowText(key.length, at);
  return readMember(object, key, at);
};

export const readInput = (params: object | undefined, name: string, at: Site): unknown => {
  const found = params && findOwn(params, name, at);
  return found ? found.value : UNBOUND;
};

export const checkedInput = (value: unknown, param: ParamOp): unknown =>
  value === UNBOUND ? fail('eval.unboundParam', param, `No input ${param.name}`) : checked(value, param);

/** What the host has put into the scope, be it a value or a function. */
const findCaptured = (capture: CaptureOp): unknown => {
  const { scope } = capture.run;
  const found = scope && findOwn(scope, capture.name, capture);
  if (found || capture.mayMiss) return found?.value;
  return fail('eval.unboundCapture', capture, `Nothing is captured as ${capture.name}`);
};

export const readCapture = (capture: CaptureOp): unknown => checked(findCaptured(capture), capture);

/** The method, or SHORT where the chain ends or has ended. */
export const findMethod = (receiver: unknown, call: MethodCall): Method | typeof SHORT => {
  const { name, callee } = call;
  if (receiver === SHORT) return SHORT;
  if (isNullish(receiver)) return callee.optional ? SHORT : fail('eval.nullBase', callee, `${name} of ${receiver}`);
  const method = METHODS[typeOf(receiver)]?.get(name);
  if (method) return method;
  if (call.optional && isNullish(findOwn(receiver, name, call)?.value)) return SHORT;
  return fail('call.denied', call, `${name} of ${typeOf(receiver)} may not be called`);
};

export const findHost = (call: HostCall): Lambda | typeof SHORT => {
  const found = findCaptured(call.callee);
  if (typeof found === 'function') return found as Lambda;
  if (call.optional && isNullish(found)) return SHORT;
  return fail('call.denied', call, `${call.callee.name} is no function of the host`);
};

export const callHost = (host: Lambda, args: readonly unknown[], at: Site): unknown => {
  // The host may evaluate the same compiled tree again, with a budget of its own.
  const { left } = at.run;
  let made: unknown;
  try {
    made = Reflect.apply(host, undefined, args);
  } catch (error) {
    throw causedBy(error, at);
  } finally {
    at.run.left = left;
  }
  return checked(made, at);
};

/** `In`: an element of an array, or a key of a plain object. */
export const isMember = (haystack: unknown, needle: unknown, at: Site): unknown =>
  Array.isArray(haystack) ? ARRAY_METHODS.includes(haystack, [needle], at) : hasKey(needle, haystack, at);

export const appendText = (text: string, value: unknown, quasi: string, at: Site): string => {
  if (typeof value === 'string' && text.length + value.length + quasi.length <= at.run.shortText)
    return text + value + quasi;
  const part = toText(value, at);
  roomForText(text.length + part.length + quasi.length, at);
  return text + part + quasi;
};

/** What ECMAScript spreads into an object: own properties; of a text its characters; of other primitives nothing. */
export const spreadObject = (target: [string, unknown][], value: unknown, at: Site): void => {
  if (typeof value === 'string') roomForItems(value.length, at);
  const entries = ownEntries(Object(value) as object, at);
  roomForItems(entries.length, at);
  for (const entry of entries) target.push(entry);
};

export const spreadArray = (target: unknown[], value: unknown, at: Site): void => {
  if (typeof value === 'string') roomForItems(value.length, at);
  else if (!Array.isArray(value)) fail('eval.type', at, 'An array or a text is wanted');
  const parts = [...(typeof value === 'string' ? value : elementsOf(value as object, at))];
  roomForItems(target.length + parts.length, at);
  for (const part of parts) target.push(part);
};

export const startBudget = (plan: Plan): void => {
  const { run } = plan;
  run.left = run.limits.steps;
  charge(plan.steps, plan);
};
