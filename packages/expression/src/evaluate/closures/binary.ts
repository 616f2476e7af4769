import { BINARY } from '../operators.ts';
import type { BinaryOp } from '../plan/operation.ts';
import { LONG_TEXT } from '../run.ts';
import type { Closure } from './builder.ts';

type OfNumbers = (a: number, b: number) => unknown;

/** Numbers go the short way; all else is for the operator itself. */
export const binaryClosure = (operation: BinaryOp, left: Closure, right: Closure, isWatched: boolean): Closure => {
  const apply = BINARY[operation.op];
  const constant = operation.right.kind === 'Constant' && !isWatched ? operation.right.value : undefined;
  const slow = (a: unknown, b: unknown): unknown => apply(a, b, operation);
  const isShort = typeof constant === 'string' && constant.length < LONG_TEXT;
  const equal = (slots: unknown[]): boolean => {
    const a = left(slots);
    const b = right(slots);
    return typeof a === 'string' && a.length >= LONG_TEXT ? BINARY['==='](a, b, operation) === true : a === b;
  };
  const numeric = (ofNumbers: OfNumbers): Closure =>
    typeof constant === 'number'
      ? (slots) => {
          const a = left(slots);
          return typeof a === 'number' ? ofNumbers(a, constant) : slow(a, constant);
        }
      : (slots) => {
          const a = left(slots);
          const b = right(slots);
          return typeof a === 'number' && typeof b === 'number' ? ofNumbers(a, b) : slow(a, b);
        };
  switch (operation.op) {
    case '===':
      return isShort ? (slots) => left(slots) === constant : equal;
    case '!==':
      return (slots) => !equal(slots);
    case '<':
      return numeric((a, b) => a < b);
    case '<=':
      return numeric((a, b) => a <= b);
    case '>':
      return numeric((a, b) => a > b);
    case '>=':
      return numeric((a, b) => a >= b);
    case '+':
      return numeric((a, b) => a + b);
    case '-':
      return numeric((a, b) => a - b);
    case '*':
      return numeric((a, b) => a * b);
    case '/':
      return numeric((a, b) => a / b);
    case '%':
      return numeric((a, b) => a % b);
    case '**':
      return numeric((a, b) => a ** b);
    case 'in':
      return (slots) => {
        const a = left(slots);
        return slow(a, right(slots));
      };
  }
};
