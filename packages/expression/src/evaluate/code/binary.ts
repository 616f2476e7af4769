import { BINARY } from '../operators.ts';
import type { BinaryOp } from '../plan/operation.ts';
import { LONG_TEXT, SLOW_TEXT } from '../run.ts';
import { type Code, type Writer, isNoValue, newTemp, refer, sureCode } from './writer.ts';

const NUMERIC: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '+', '-', '*', '/', '%', '**']);
const EQUALITY: ReadonlySet<string> = new Set(['===', '!==']);
const BOOLEAN: ReadonlySet<string> = new Set(['===', '!==', '<', '<=', '>', '>=', 'in']);

export const binaryCode = (operation: BinaryOp, writer: Writer): Code => {
  const { op: operator, right } = operation;
  const constant = right.kind === 'Constant' && !right.mutable ? right.value : undefined;
  if (typeof constant === 'number' && operator !== 'in') return besideConstant(operation, constant, writer);
  if (typeof constant === 'string' && constant.length < 256 && EQUALITY.has(operator))
    return besideConstant(operation, constant, writer);
  return general(operation, writer);
};

const typeOf = ({ op }: BinaryOp): Code['type'] => (BOOLEAN.has(op) ? 'boolean' : 'any');

/** What is read on the left is looked at once: as the type of the constant, or by the operator itself. */
const besideConstant = (operation: BinaryOp, constant: number | string, writer: Writer): Code => {
  const { op: operator } = operation;
  const left = writer.code(operation.left);
  const right = writer.code(operation.right).js;
  const apply = BINARY[operator];
  const slow = refer(writer, (value: unknown) => apply(left.check ? left.check(value) : value, constant, operation));
  const type = typeOf(operation);
  const temp = newTemp(writer);
  const numeric = type === 'any' && left.type === 'number' ? 'number' : type;
  if (EQUALITY.has(operator)) {
    const refuse = left.check ? `${isNoValue(temp)}?${slow}(${temp}):` : '';
    const isText =
      typeof constant === 'string' && left.check ? `typeof ${temp}==="string"?${temp}${operator}${right}:` : '';
    return { js: `(${temp}=${left.js},${isText}${refuse}${temp}${operator}${right})`, type };
  }
  const test = left.type === typeof constant ? 'true' : `typeof ${temp}==="${typeof constant}"`;
  return { js: `(${temp}=${left.js},${test}?${temp}${operator}${right}:${slow}(${temp}))`, type: numeric };
};

const general = (operation: BinaryOp, writer: Writer): Code => {
  const { op: operator } = operation;
  // What stands left must be a value before the right side runs.
  const a = newTemp(writer);
  const b = newTemp(writer);
  const start = `${a}=${sureCode(writer.code(operation.left), writer)},${b}=${sureCode(writer.code(operation.right), writer)}`;
  const slow = `${refer(writer, BINARY[operator])}(${a},${b},${refer(writer, operation)})`;
  const native = `${a}${operator}${b}`;
  const type = typeOf(operation);
  if (EQUALITY.has(operator))
    return { js: `(${start},typeof ${a}==="string"&&${a}.length>=${LONG_TEXT}?${slow}:${native})`, type };
  if (!NUMERIC.has(operator)) return { js: `(${start},${slow})`, type };
  const most = Math.min(SLOW_TEXT, operation.run.limits.outputStringLength);
  const texts = `typeof ${a}==="string"&&typeof ${b}==="string"&&${a}.length+${b}.length<=${most}?${native}:`;
  const otherwise = operator === '+' ? `${texts}${slow}` : slow;
  return { js: `(${start},typeof ${a}==="number"&&typeof ${b}==="number"?${native}:${otherwise})`, type };
};
