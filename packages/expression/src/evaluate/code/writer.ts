import type { Operation } from '../plan/operation.ts';

/** What is known of the value of an expression, and how to make sure that it is a value at all. */
export interface Code {
  readonly js: string;
  /** `made`: an object or array that the code itself makes. */
  readonly type: 'any' | 'boolean' | 'number' | 'string' | 'made';
  /** Of what was read from data and may still be a function: what refuses it, and gives back anything else. */
  readonly check?: (value: unknown) => unknown;
}

/** Whether objects are read plainly: not at all, or those without a class; `bare` where inputs have no prototype. */
export type Reading = 'checked' | 'plain' | 'bare';

/** The source of one function while it is written. Every identifier in it is made here; nothing of the tree is. */
export interface Writer {
  readonly reading: Reading;
  readonly sites: unknown[];
  /** The code of a part, and of a link of a longer chain, which may give SHORT. */
  code(operation: Operation): Code;
  link(operation: Operation): Code;
  /** Of the function that is being written: its variables, and the names by which it reads slots. */
  temps: string[];
  names: Set<string>;
  /** The slots of which somebody wants to know whether they are plain. */
  readonly plainSlots: Set<number>;
  /** Functions that stand beside the one of the inputs. */
  readonly loops: string[];
  next: number;
}

export const anyCode = (js: string): Code => ({ js, type: 'any' });

export const newTemp = (writer: Writer): string => {
  const name = `v${writer.next++}`;
  writer.temps.push(name);
  return name;
};

/** What is in a slot, or whether it may be read plainly. */
export const slotCode = (writer: Writer, wanted: 'a' | 'q', slot: number): string => {
  const name = wanted + slot;
  writer.names.add(name);
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

/** True for a function or a symbol, which no value is. */
export const isNoValue = (variable: string): string => `typeof ${variable}==="function"||typeof ${variable}==="symbol"`;

/**
 * True for an object that inherits from Object.prototype or from nothing, so that what is read from it by a name that
 * Object.prototype lacks is its own, or undefined. Engines answer the question for `constructor` from the shape of the
 * object, and then that for its prototype too. Of rows of databases, which have no prototype, they know no shape: there
 * `instanceof` is the cheapest, which takes one that inherits from another such object for plain too.
 */
export const plainTest = (variable: string, mayBeBare = false): string => {
  const inherits = `getPrototype(${variable})===objectPrototype`;
  const test = mayBeBare
    ? `(!(${variable} instanceof Obj)||"constructor" in ${variable}&&${inherits})`
    : `("constructor" in ${variable}?${inherits}:getPrototype(${variable})===null)`;
  return `typeof ${variable}==="object"&&${variable}!==null&&${test}`;
};

/** Whether Object.prototype has nothing of that name, now and not only when the code was made. */
export const cleanTest = (key: string): string => `!(${key} in empty)`;
