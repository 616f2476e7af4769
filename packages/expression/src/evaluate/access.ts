import { ExpressionError } from '../tree/issue.ts';
import { elementsOf } from './library/array.ts';
import { METHODS } from './library/other.ts';
import type { Method } from './library/string.ts';
import type { Captured, HostCall, MethodCall, Plan, Slot } from './plan/operation.ts';
import { type Run, type Site, charge, chargeSlowText, fail, roomForItems, roomForText } from './run.ts';
import { checked, forbidProto, isData, isDate, ownEntries, readOwn, setOwn, timeOf, toText, typeOf } from './value.ts';

/** What a link of a chain gives that was cut short. Neither mark is an object, so fast paths pass both by. */
export const SHORT: unique symbol = Symbol('short');
/** An input that was not given. */
export const UNBOUND: unique symbol = Symbol('unbound');

export const readMember = (object: unknown, name: string, at: Site): unknown => {
  if (typeof object === 'object' && object !== null) return readOwn(object, name, at);
  if (object === undefined || object === null) return fail('eval.nullBase', at, `${name} of ${object}`);
  return typeof object === 'string' ? ofString(object, name) : undefined;
};

/** The digits of an index into the longest text that engines make. */
const LONGEST_INDEX = 10;

const ofString = (text: string, name: string): unknown => {
  if (name === 'length') return text.length;
  if (name.length > LONGEST_INDEX) return undefined;
  const index = Number(name);
  return Number.isInteger(index) && index >= 0 && `${index}` === name ? text[index] : undefined;
};

export const readIndex = (run: Run, object: unknown, index: unknown, at: Site): unknown => {
  if (object === undefined || object === null) return fail('eval.nullBase', at, `An index of ${object}`);
  const key = typeof index === 'number' ? `${index}` : toText(run, index, at);
  chargeSlowText(run, key.length, at);
  forbidProto(key, at);
  return readMember(object, key, at);
};

export const readInputs = (plan: Plan, params: object | undefined): unknown[] => {
  if (plan.inputs.length === 1) return [readInput(params, plan.inputs[0]!)];
  return plan.inputs.map((name) => readInput(params, name));
};

const getPrototype = Object.getPrototypeOf;
const objectPrototype: object = Object.prototype;

const empty: object = {};

/**
 * True for an object that inherits from Object.prototype. Engines answer it from the shape of the object; the question for
 * `constructor` only makes them look at the shape.
 */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'constructor' in value && getPrototype(value) === objectPrototype;

/**
 * True where such an object has the property itself and Object.prototype has none of that name; as an accessor only if the
 * host broke its word. An empty object stands for Object.prototype, of which engines know less.
 */
export const hasOwnPlain = (object: object, name: string): boolean =>
  'constructor' in object && name in object && 'constructor' in empty && !(name in empty);

/** Both for the inputs, which have another shape than rows: what engines learn of the one must not blur the other. */
export const hasPlainInput = (params: unknown, name: string): params is Record<string, unknown> =>
  typeof params === 'object' &&
  params !== null &&
  'constructor' in params &&
  getPrototype(params) === objectPrototype &&
  name in params &&
  'constructor' in empty &&
  !(name in empty);

export const readInput = (params: object | undefined, name: string): unknown => {
  const descriptor = params && Object.getOwnPropertyDescriptor(params, name);
  return descriptor && isData(descriptor) ? descriptor.value : UNBOUND;
};

export const checkedInput = (value: unknown, slot: Slot): unknown =>
  value === UNBOUND ? fail('eval.unboundParam', slot, `No input ${slot.name}`) : checked(value, slot);

const findCaptured = (run: Run, name: string): { readonly value?: unknown } | undefined => {
  const descriptor = run.scope && Object.getOwnPropertyDescriptor(run.scope, name);
  return descriptor && isData(descriptor) ? descriptor : undefined;
};

export const readCapture = (run: Run, { name }: { readonly name: string }, at: Site): unknown => {
  const found = findCaptured(run, name);
  return found ? found.value : fail('eval.unboundCapture', at, `Nothing is captured as ${name}`);
};

export const typeofCapture = (run: Run, capture: Captured): string => {
  const found = findCaptured(run, capture.name);
  return found ? typeof checked(found.value, capture) : 'undefined';
};

/** The method, or SHORT where the chain ends. */
export const findMethod = (receiver: unknown, call: MethodCall): Method | typeof SHORT => {
  if (receiver === undefined || receiver === null)
    return call.optional ? SHORT : fail('eval.nullBase', call.callee, `${call.name} of ${receiver}`);
  const method = METHODS[typeOf(receiver)].get(call.name);
  if (method) return method;
  if (call.optionalCall && isAbsent(receiver, call.name)) return SHORT;
  return fail('call.denied', call, `${call.name} of ${typeOf(receiver)} may not be called`);
};

const isAbsent = (receiver: unknown, name: string): boolean => {
  if (typeof receiver !== 'object' || receiver === null)
    return typeof receiver !== 'string' || ofString(receiver, name) === undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(receiver, name)?.value;
  return value === undefined || value === null;
};

type HostFunction = (...args: unknown[]) => unknown;

export const findHost = (run: Run, call: HostCall): HostFunction | typeof SHORT => {
  const found = readCapture(run, call, call.callee);
  if (typeof found === 'function') return found as HostFunction;
  if (call.optionalCall && (found === undefined || found === null)) return SHORT;
  return fail('call.denied', call, `${call.name} is no function of the host`);
};

export const callHost = (run: Run, host: HostFunction, args: readonly unknown[], at: Site): unknown => {
  // The host may evaluate the same compiled tree again, with a budget of its own.
  const { left } = run;
  try {
    return checked(Reflect.apply(host, undefined, args), at);
  } catch (error) {
    if (error instanceof ExpressionError && error.path === at.path) throw error;
    const wrapped = new ExpressionError('eval.host', at.path, 'A function of the host failed', at.span);
    wrapped.cause = error;
    throw wrapped;
  } finally {
    run.left = left;
  }
};

export const appendText = (run: Run, text: string, value: unknown, quasi: string, at: Site): string => {
  const part = toText(run, value, at);
  roomForText(run, text.length + part.length + quasi.length, at);
  return text + part + quasi;
};

export const setProperty = (target: Record<string, unknown>, key: string, value: unknown): void =>
  setOwn(target, key, value);

/** What ECMAScript spreads into an object: own properties; of a text its characters; of other primitives nothing. */
export const spreadObject = (run: Run, target: Record<string, unknown>, value: unknown, at: Site): void => {
  if (typeof value === 'string') {
    roomForItems(run, value.length, at);
    for (let index = 0; index < value.length; index++) setOwn(target, `${index}`, value[index]);
  } else if (typeof value === 'object' && value !== null) {
    const entries = ownEntries(run, value, at);
    roomForItems(run, entries.length, at);
    for (const [key, property] of entries) setOwn(target, key, property);
  }
};

export const spreadArray = (run: Run, target: unknown[], value: unknown, at: Site): void => {
  if (typeof value !== 'string' && !Array.isArray(value)) fail('eval.type', at, 'Only arrays and texts are spread');
  let parts: unknown[];
  if (typeof value === 'string') {
    roomForItems(run, value.length, at);
    parts = [...value];
  } else parts = elementsOf(run, value as object, at);
  roomForItems(run, target.length + parts.length, at);
  for (const part of parts) target.push(part);
};

export const startBudget = (run: Run, plan: Plan): void => {
  run.left = run.limits.steps;
  charge(run, plan.steps, plan);
};

/** What leaves: a Date in data stays the caller's own. */
export const released = (value: unknown): unknown => (isDate(value) ? new Date(timeOf(value)) : value);
