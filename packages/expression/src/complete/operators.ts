import { ARRAY, BOOLEAN, DATE, type Inferred, NUMBER, OBJECT, STRING, isOnly } from '../check/types.ts';
import { type CompletionItem, makeItem } from './item.ts';

const operator = (label: string, docs: string): CompletionItem => makeItem('operator', label, docs, `${label} `);

const EQUALITY = [operator('===', 'The same value.'), operator('!==', 'Another value.')];
const ORDER = [
  operator('<', 'Less than.'),
  operator('<=', 'Less than or the same.'),
  operator('>', 'More than.'),
  operator('>=', 'More than or the same.'),
];
const SUM = operator('+', 'Sum, or texts joined.');
const ARITHMETIC = [
  SUM,
  operator('-', 'Difference.'),
  operator('*', 'Product.'),
  operator('/', 'Quotient.'),
  operator('%', 'Remainder.'),
  operator('**', 'Power.'),
];
const LOGIC = [
  operator('&&', 'Both: the right side if the left is truthy.'),
  operator('||', 'Either: the right side if the left is falsy.'),
  operator('??', 'The right side if the left is null or undefined.'),
  operator('?', 'One of two values: test ? yes : no.'),
];
const MEMBERSHIP = operator('of', 'Whether the value is among those of a list.');
const OTHERS = [
  operator('in', 'Whether the key is one of an object.'),
  operator('instanceof', 'Whether it is a Date, Array, Object or RegExp.'),
];

/** Those that suit what stands before them. */
export function operatorItems(operand: Inferred): CompletionItem[] {
  if (isOnly(operand, BOOLEAN)) return [...LOGIC, ...EQUALITY];
  if (isOnly(operand, STRING))
    return operand.values ? [...EQUALITY, MEMBERSHIP, ...LOGIC] : [...EQUALITY, ...ORDER, SUM, MEMBERSHIP, ...LOGIC];
  if (isOnly(operand, NUMBER)) return [...ORDER, ...EQUALITY, ...ARITHMETIC, MEMBERSHIP, ...LOGIC];
  if (isOnly(operand, DATE)) return [...ORDER, ...LOGIC];
  if (isOnly(operand, ARRAY | OBJECT)) return LOGIC;
  return [...EQUALITY, ...ORDER, ...ARITHMETIC, MEMBERSHIP, ...OTHERS, ...LOGIC];
}
