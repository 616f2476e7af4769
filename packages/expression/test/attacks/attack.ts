import { type Limits, type Node, build } from '../../src/index.ts';

const { binary, call, constant, member, param } = build;

/** Whatever the host's data would run leaves a trace here. */
let canary = 0;
export const trip = (): number => ++canary;
export const trips = (): number => canary;

export interface Attack {
  readonly name: string;
  readonly tree: Node;
  readonly params?: Record<string, unknown>;
  readonly scope?: Record<string, unknown>;
  readonly limits?: Partial<Limits>;
  /** Breaks the word that `data: 'plain'` gives, so that it is no attack there. */
  readonly accessor?: true;
  readonly gets: { readonly value: unknown } | { readonly error: string };
}

/** A tenth of what an evaluation may take, for work that is charged by its size: it ends after a tenth of the time. */
export const FEW_STEPS = { steps: 100_000 };

export const error = (code: string): { error: string } => ({ error: code });
export const value = (given: unknown): { value: unknown } => ({ value: given });
export const text = (given: string): Node => constant(given);
export const t = param('t');
export const method = (object: Node, name: string, ...args: Node[]): Node => call(member(object, name), args);
export const spell = (word: string): Node => binary('+', text(word.slice(0, 3)), text(word.slice(3)));
export const raw = (node: unknown): Node => node as Node;
export const deep = (depth: number): Node => {
  let node: Node = constant(1);
  for (let level = 0; level < depth; level++) node = { kind: 'Unary', op: '-', operand: node };
  return node;
};
export const nestedArray = (depth: number): unknown[] => {
  let nested: unknown[] = [];
  for (let level = 0; level < depth; level++) nested = [nested];
  return nested;
};
export const cyclic: unknown[] = [];
cyclic.push(cyclic);
export class Sub extends Array<unknown> {
  static override get [Symbol.species](): ArrayConstructor {
    trip();
    return Array;
  }
  override map(): never {
    trip();
    throw new Error('ran');
  }
  get first(): number {
    return trip();
  }
}
export class Model {
  own = 'data';
  get computed(): number {
    return trip();
  }
  method(): number {
    return trip();
  }
}
export const convertible = { toString: trip, valueOf: trip, [Symbol.toPrimitive]: trip, toJSON: trip };
