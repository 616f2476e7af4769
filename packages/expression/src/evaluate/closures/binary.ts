import { BINARY, OF_NUMBERS } from '../operators.ts';
import type { BinaryOp } from '../plan/operation.ts';
import { LONG_TEXT } from '../run.ts';
import type { Closure } from './builder.ts';

/** Numbers go the short way; all else is for the operator itself. */
export const binaryClosure = (operation: BinaryOp, left: Closure, right: Closure, isWatched: boolean): Closure => {
  const { op } = operation;
  const constant = operation.right.kind === 'Constant' && !isWatched ? operation.right.value : undefined;
  const slow = (a: unknown, b: unknown): unknown => BINARY[op](a, b, operation);
  const equal = (slots: unknown[]): boolean => {
    const a = left(slots);
    const b = right(slots);
    return typeof a === 'string' && a.length >= LONG_TEXT ? BINARY['==='](a, b, operation) === true : a === b;
  };
  if (op === '===')
    return typeof constant === 'string' && constant.length < LONG_TEXT ? (slots) => left(slots) === constant : equal;
  if (op === '!==') return (slots) => !equal(slots);
  if (op === 'in') return (slots) => slow(left(slots), right(slots));
  const ofNumbers = OF_NUMBERS[op];
  if (typeof constant === 'number')
    return (slots) => {
      const a = left(slots);
      return typeof a === 'number' ? ofNumbers(a, constant) : slow(a, constant);
    };
  return (slots) => {
    const a = left(slots);
    const b = right(slots);
    return typeof a === 'number' && typeof b === 'number' ? ofNumbers(a, b) : slow(a, b);
  };
};
