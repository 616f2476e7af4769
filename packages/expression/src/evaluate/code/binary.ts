import { BINARY } from '../operators.ts';
import type { BinaryOp } from '../plan/operation.ts';
import { type Code, type Writer, newTemp, refer, sureCode } from './writer.ts';

const NUMERIC: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '+', '-', '*', '/', '%', '**']);
const BOOLEAN: ReadonlySet<string> = new Set(['===', '!==', '<', '<=', '>', '>=', 'in']);

export const binaryCode = (operation: BinaryOp, writer: Writer): Code => {
  const { op: operator, right } = operation;
  return right.kind === 'Constant' && !right.mutable && typeof right.value !== 'object'
    ? besideConstant(operation, right.value, writer)
    : general(operation, writer, BOOLEAN.has(operator) ? 'boolean' : 'any');
};

/** What is read on the left is looked at once: as the type of the constant, or by the operator itself. */
const besideConstant = (operation: BinaryOp, constant: unknown, writer: Writer): Code => {
  const { op: operator } = operation;
  const left = writer.code(operation.left);
  const right = writer.code(operation.right).js;
  const apply = BINARY[operator];
  const slow = refer(writer, (value: unknown) => apply(left.check ? left.check(value) : value, constant, operation));
  const type = BOOLEAN.has(operator) ? 'boolean' : 'any';
  const temp = newTemp(writer);
  const quick =
    typeof constant === 'number'
      ? operator !== 'in'
      : typeof constant === 'string' && constant.length < 256 && (operator === '===' || operator === '!==');
  if (!quick) return { js: `${slow}(${left.js})`, type };
  const numeric = type === 'any' && left.type === 'number' ? 'number' : type;
  const test = left.type === typeof constant ? 'true' : `typeof ${temp}==="${typeof constant}"`;
  return { js: `(${temp}=${left.js},${test}?${temp}${operator}${right}:${slow}(${temp}))`, type: numeric };
};

const general = (operation: BinaryOp, writer: Writer, type: Code['type']): Code => {
  const { op: operator } = operation;
  // What stands left must be a value before the right side runs.
  const a = newTemp(writer);
  const b = newTemp(writer);
  const start = `${a}=${sureCode(writer.code(operation.left), writer)},${b}=${sureCode(writer.code(operation.right), writer)}`;
  const slow = `${refer(writer, BINARY[operator])}(${a},${b},${refer(writer, operation)})`;
  if (!NUMERIC.has(operator)) return { js: `(${start},${slow})`, type };
  return { js: `(${start},typeof ${a}==="number"&&typeof ${b}==="number"?${a}${operator}${b}:${slow})`, type };
};
