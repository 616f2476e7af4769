import { BINARY } from '../operators.ts';
import type { BinaryOp } from '../plan/operation.ts';
import type { Closure } from './closure.ts';

/** Numbers, and texts beside a constant, go the short way; all else is for the operator itself. */
export const binaryClosure = (operation: BinaryOp, left: Closure, right: Closure): Closure => {
  const apply = BINARY[operation.op];
  const general: Closure = (slots) => {
    const a = left(slots);
    return apply(a, right(slots), operation);
  };
  if (operation.right.kind !== 'Constant') return general;
  const constant = operation.right.value;
  if (typeof constant === 'number') return besideNumber(operation, left, constant) ?? general;
  // A constant text is short, so that comparing with it costs nothing extra.
  const short = typeof constant === 'string' ? constant.length < 1024 : !operation.right.mutable;
  if (short && operation.op === '===') return (slots) => left(slots) === constant;
  if (short && operation.op === '!==') return (slots) => left(slots) !== constant;
  return general;
};

const besideNumber = (operation: BinaryOp, left: Closure, constant: number): Closure | undefined => {
  const apply = BINARY[operation.op];
  const slow = (a: unknown): unknown => apply(a, constant, operation);
  switch (operation.op) {
    case '===':
      return (slots) => left(slots) === constant;
    case '!==':
      return (slots) => left(slots) !== constant;
    case '<':
      return (slots) => {
        const a = left(slots);
        return typeof a === 'number' ? a < constant : slow(a);
      };
    case '<=':
      return (slots) => {
        const a = left(slots);
        return typeof a === 'number' ? a <= constant : slow(a);
      };
    case '>':
      return (slots) => {
        const a = left(slots);
        return typeof a === 'number' ? a > constant : slow(a);
      };
    case '>=':
      return (slots) => {
        const a = left(slots);
        return typeof a === 'number' ? a >= constant : slow(a);
      };
    case '-':
      return (slots) => {
        const a = left(slots);
        return typeof a === 'number' ? a - constant : slow(a);
      };
    case '*':
      return (slots) => {
        const a = left(slots);
        return typeof a === 'number' ? a * constant : slow(a);
      };
    case '/':
      return (slots) => {
        const a = left(slots);
        return typeof a === 'number' ? a / constant : slow(a);
      };
    case '+':
    case '%':
    case '**':
    case 'in':
      return undefined;
  }
};
