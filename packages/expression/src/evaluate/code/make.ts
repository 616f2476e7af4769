import type { ArrayOp, ConstantOp, ObjectOp, OneOfOp, Operation } from '../plan/operation.ts';
import { type Code, type Writer, anyCode, newTemp, refer, valueCode } from './writer.ts';

export const constantCode = (constant: ConstantOp, writer: Writer): Code => {
  const { value } = constant;
  const literal = literalOf(value);
  if (literal !== undefined) return { js: literal, type: typeof value as 'number' };
  if (value === undefined || value === null) return anyCode(`${value}`);
  const js = refer(writer, value);
  if (typeof value === 'string') return { js, type: 'string' };
  return anyCode(constant.mutable ? `copyData(${js},${refer(writer, constant)})` : js);
};

/** A constant as code, where that is short. */
const literalOf = (value: unknown): string | undefined => {
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return `(${JSON.stringify(value)})`;
  if (typeof value === 'boolean') return `${value}`;
  return typeof value === 'string' && value.length < 256 ? JSON.stringify(value) : undefined;
};

export const objectCode = ({ props }: ObjectOp, writer: Writer): string => {
  const value = (part: Operation): string => valueCode(part, writer);
  if (props.every((prop) => 'key' in prop))
    return `({${props.map((prop) => `${JSON.stringify(prop.key)}:${value(prop.value)}`).join()}})`;
  const target = newTemp(writer);
  const writes = props.map((prop) =>
    'spread' in prop
      ? `spreadObject(${target},${value(prop.spread)},${refer(writer, prop.spread)})`
      : `${target}.push([${JSON.stringify(prop.key)},${value(prop.value)}])`,
  );
  return `(${[`${target}=[]`, ...writes].join()},fromEntries(${target}))`;
};

export const arrayCode = ({ elements }: ArrayOp, writer: Writer): string => {
  const value = (part: Operation): string => valueCode(part, writer);
  if (elements.every((element) => 'kind' in element)) return `[${elements.map(value).join()}]`;
  const target = newTemp(writer);
  const writes = elements.map((element) =>
    'spread' in element
      ? `spreadArray(${target},${value(element.spread)},${refer(writer, element.spread)})`
      : `${target}.push(${value(element)})`,
  );
  return `(${[`${target}=[]`, ...writes, target].join()})`;
};

export const oneOfCode = ({ needle, values }: OneOfOp, writer: Writer): Code => {
  const temp = newTemp(writer);
  const literals = [...values].map((value) => (value === null || value === undefined ? `${value}` : literalOf(value)));
  const test = literals.includes(undefined)
    ? `${refer(writer, values)}.has(${temp})`
    : literals.map((literal) => `${temp}===${literal}`).join('||') || 'false';
  return { js: `(${temp}=${valueCode(needle, writer)},${test})`, type: 'boolean' };
};
