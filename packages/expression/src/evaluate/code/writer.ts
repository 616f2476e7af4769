import type { IndexOp, MemberOp, Operation } from '../plan/operation.ts';

/** What is known of the value of an expression, and how to make sure that it is a value at all. */
export interface Code {
  readonly js: string;
  readonly type: 'any' | 'boolean' | 'number' | 'string';
  /** Of what was read from data and may still be a function: what refuses it, and gives back anything else. */
  readonly check?: (value: unknown) => unknown;
}

/** The source of one function while it is written. Every identifier in it is made here; nothing of the tree is. */
export interface Writer {
  readonly plain: boolean;
  readonly sites: unknown[];
  /** The inputs of which the code wants to know whether they are plain objects. */
  readonly plainSlots: Set<number>;
  /** The code of a part, and of a link of a longer chain, which may give SHORT. */
  code(operation: Operation): Code;
  link(operation: Operation): Code;
  temps: string[];
  next: number;
}

export const newTemp = (writer: Writer): string => {
  const name = `v${writer.next++}`;
  writer.temps.push(name);
  return name;
};

/** Hands a value to the code by reference. */
export const refer = (writer: Writer, value: unknown): string => `s${writer.sites.push(value) - 1}`;

/** An expression that is a value for sure. */
export const valueCode = (operation: Operation, writer: Writer): string => sureCode(writer.code(operation), writer);

export const sureCode = ({ js, check }: Code, writer: Writer): string => {
  if (!check) return js;
  const temp = newTemp(writer);
  return `(${temp}=${js},${isNoValue(temp)}?${refer(writer, check)}(${temp}):${temp})`;
};

const isNoValue = (variable: string): string => `typeof ${variable}==="function"||typeof ${variable}==="symbol"`;

/** A link of a chain: its object first, then where the chain may end, then the rest. */
export const linkCode = (
  { object, optional }: MemberOp | IndexOp,
  temp: string,
  rest: string,
  writer: Writer,
): string => {
  const ends = optional ? `${temp}===SHORT||isNullish(${temp})?SHORT:` : object.short ? `${temp}===SHORT?SHORT:` : '';
  return `(${temp}=${sureCode(writer.link(object), writer)},${ends}${rest})`;
};

/**
 * True for an object that inherits from Object.prototype. Engines answer it from the shape of the object, so that in
 * compiled code it costs nothing; the question for `constructor` only makes them look at the shape.
 */
export const plainTest = (variable: string): string =>
  `typeof ${variable}==="object"&&${variable}!==null&&"constructor" in ${variable}&&getPrototype(${variable})===objectPrototype`;

/** True where such an object has the property itself; as an accessor only if the host broke its word. */
export const ownTest = (variable: string, key: string): string => `${key} in ${variable}&&!(${key} in objectPrototype)`;
