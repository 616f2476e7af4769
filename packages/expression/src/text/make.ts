import type { Node, Value } from '../tree/node.ts';

/** Makes nodes that carry where they were, or that do not. */
export type Make = <N extends Node>(node: N, start: number, end: number) => N;

export const openMake =
  (spans: boolean): Make =>
  (node, start, end) =>
    spans ? { ...node, span: { start, end } } : node;

/** As `parseText` reads a literal: what is below zero is a sign before a number. */
export function constant(make: Make, value: Value, start: number, end: number): Node {
  if ((typeof value === 'number' && (value < 0 || Object.is(value, -0))) || (typeof value === 'bigint' && value < 0n)) {
    if (value === -Infinity) {
      return make({ kind: 'Unary', op: '-', operand: global(make, 'Infinity', start, end) }, start, end);
    }
    return make({ kind: 'Unary', op: '-', operand: make({ kind: 'Constant', value: -value }, start, end) }, start, end);
  }
  if (value === undefined) return global(make, 'undefined', start, end);
  if (value === Infinity) return global(make, 'Infinity', start, end);
  if (Number.isNaN(value)) return global(make, 'NaN', start, end);
  return make({ kind: 'Constant', value }, start, end);
}

export const global = (make: Make, name: string, start: number, end: number): Node =>
  make({ kind: 'Capture', name, global: true }, start, end);
