import { SHORT, isNullish, readMember } from '../access.ts';
import type { IndexOp, MemberOp } from '../plan/operation.ts';
import { SLOW_TEXT } from '../run.ts';
import { checked } from '../value.ts';
import {
  type Code,
  type Writer,
  cleanTest,
  newTemp,
  plainTest,
  refer,
  slotCode,
  sureCode,
  valueCode,
} from './writer.ts';

type Read = MemberOp | IndexOp;

export const memberCode = (operation: MemberOp, writer: Writer): Code => readCode(operation, operation.prop, writer);

/** A property by its name, or by a constant text that is short. */
const readCode = (operation: Read, name: string, writer: Writer): Code => {
  const base = writer.link(operation.object);
  const key = JSON.stringify(name);
  const slow = refer(writer, (value: unknown) =>
    value === SHORT || (operation.optional && isNullish(value))
      ? SHORT
      : readMember(base.check ? base.check(value) : value, name, operation),
  );
  const { test, value, start } = plainBase(operation, base, writer);
  if (writer.reading === 'checked' || name in Object.prototype)
    return { js: `(${start}${slow}(${value}))`, type: 'any' };
  const sized = name === 'length' ? `Array.isArray(${value})||typeof ${value}==="string"?${value}.length:` : '';
  return {
    js: `(${start}${endCode(operation, value)}${sized}${test()}&&${cleanTest(key)}?${value}[${key}]:${slow}(${value}))`,
    type: 'any',
    check: (given) => (given === SHORT ? SHORT : checked(given, operation)),
  };
};

/** Where what is read from is, and the test whether it may be read plainly. A slot is tested once in its function. */
const plainBase = (
  { object }: Read,
  base: Code,
  writer: Writer,
): { readonly start: string; readonly value: string; readonly test: () => string } => {
  if (object.kind === 'Param')
    return {
      start: '',
      value: base.js,
      test() {
        writer.plainSlots.add(object.slot);
        return slotCode(writer, 'q', object.slot);
      },
    };
  const value = newTemp(writer);
  return { start: `${value}=${base.js},`, value, test: () => plainTest(value) };
};

/** Where the chain may end. */
const endCode = ({ object, optional }: Read, value: string): string =>
  (object.short ? `${value}===SHORT?SHORT:` : '') + (optional ? `${value}==null?SHORT:` : '');

export const indexCode = (operation: IndexOp, writer: Writer): Code => {
  const { index } = operation;
  if (index.kind === 'Constant' && typeof index.value === 'string' && index.value.length <= SLOW_TEXT)
    return readCode(operation, index.value, writer);
  const value = newTemp(writer);
  const isPlace = index.kind === 'Constant' && Number.isInteger(index.value) && (index.value as number) >= 0;
  const key = newTemp(writer);
  const slow = `readIndex(${value},${key},${refer(writer, operation)})`;
  const start = `${value}=${sureCode(writer.link(operation.object), writer)},${endCode(operation, value)}`;
  if (writer.reading === 'checked')
    return { js: `(${start}(${key}=${valueCode(index, writer)},${slow}))`, type: 'any' };
  const isNatural = isPlace ? '' : `&&typeof ${key}==="number"&&${key}>=0&&${key}%1===0`;
  const element = `${key}<${value}.length?${value}[${key}]:undefined`;
  return {
    js: `(${start}(${key}=${valueCode(index, writer)},Array.isArray(${value})${isNatural}?${element}:${slow}))`,
    type: 'any',
    check: (given) => (given === SHORT ? SHORT : checked(given, operation)),
  };
};
