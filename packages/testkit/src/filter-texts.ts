import type { Catalogue, Field } from '@assay/expression';
import fc from 'fast-check';

const word = fc.constantFrom('main', 'FEATURE', 'ü', 'item', 'k', '💳', '0123', 'a b', '%', 'Error', '0', '');
const TERMS: Record<Field['type'], fc.Arbitrary<string>> = {
  string: fc.tuple(fc.constantFrom('', '=', '!='), word).map(([op, text]) => op + JSON.stringify(text)),
  strings: word.map((text) => JSON.stringify(text)),
  enum: fc.constantFrom('failed', 'passed', 'broken', 'failed,passed'),
  number: fc.tuple(fc.constantFrom('', '<', '>='), fc.nat(12)).map(([op, number]) => `${op}${number}`),
  boolean: fc.constantFrom('true', 'false'),
  date: fc.tuple(fc.constantFrom('<', '>='), fc.constantFrom('-7d', '-1d', '2025-01')).map((parts) => parts.join('')),
  duration: fc.tuple(fc.constantFrom('<', '>'), fc.constantFrom('1s', '250ms', '2m')).map((parts) => parts.join('')),
  list: fc.constant('*'),
  object: fc.constant('*'),
};

/** Searches over the fields of a catalogue. */
export const searchOver = ({ fields }: Catalogue): fc.Arbitrary<string> => {
  const term = fc.oneof(
    word.map((text) => JSON.stringify(text)),
    fc.constantFrom(...Object.keys(fields)).map((name) => `has:${name}`),
    fc
      .constantFrom(...Object.entries(fields))
      .chain(([name, { type }]) => TERMS[type].map((value) => `${name}:${value}`)),
  );
  const signed = fc.tuple(fc.constantFrom('', '', '-'), term).map((parts) => parts.join(''));
  return fc
    .array(fc.tuple(fc.constantFrom(' ', ' ', ' OR '), signed), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([join, term], nth) => (nth === 0 ? term : join + term)).join(''));
};

const order = fc.constantFrom('<', '<=', '>', '>=', '===', '!==');
const COMPARISONS: Record<Field['type'], (field: string) => fc.Arbitrary<string>> = {
  string: (field) =>
    fc.oneof(
      word.map((text) => `${field} === ${JSON.stringify(text)}`),
      // Fails where it is null.
      word.map((text) => `${field}.includes(${JSON.stringify(text)})`),
      word.map((text) => `${field}?.toLowerCase().endsWith(${JSON.stringify(text)})`),
      fc.nat(30).map((length) => `${field} !== null && ${field}.length > ${length}`),
    ),
  strings: (field) =>
    fc.oneof(
      word.map((text) => `${field}.some(x => x.includes(${JSON.stringify(text)}))`),
      fc.nat(3).map((length) => `${field}.length > ${length}`),
    ),
  enum: (field) =>
    fc.constantFrom('failed', 'passed', 'broken').map((status) => `${field} !== ${JSON.stringify(status)}`),
  number: (field) => fc.tuple(order, fc.nat(12)).map(([op, number]) => `${field} ${op} ${number}`),
  duration: (field) => fc.tuple(order, fc.nat(300)).map(([op, number]) => `${field} ${op} ${number}`),
  boolean: (field) => fc.constantFrom(field, `${field} === false`),
  date: (field) => order.map((op) => `${field} ${op} new Date(1700000000000)`),
  list: () => fc.constant('true'),
  object: () => fc.constant('true'),
};

/** Functions of a row of a catalogue, some of which fail for some rows. */
export const functionOver = ({ fields }: Catalogue): fc.Arbitrary<string> => {
  const comparison = fc
    .constantFrom(...Object.entries(fields))
    .chain(([name, { type }]) => COMPARISONS[type](`t.${name}`));
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      comparison.map((text) => `(${text})`),
      fc.tuple(tie('tree'), fc.constantFrom('&&', '||'), tie('tree')).map((parts) => `(${parts.join(' ')})`),
      tie('tree').map((text) => `!${text}`),
      fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
    ),
  }));
  return tree.map((text) => `t => ${text}`);
};
