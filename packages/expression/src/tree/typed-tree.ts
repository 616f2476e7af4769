import type { Node, Value } from './node.ts';

declare const TYPES: unique symbol;

/** The inputs of a tree whose types are not known. */
export type Inputs = Readonly<Record<string, unknown>>;

/** A tree whose inputs and value the compiler knows; nothing but its type says so. */
export type TypedTree<Params = Inputs, Result = Value> = Node & {
  readonly [TYPES]?: ((params: Params) => Result) | undefined;
};
