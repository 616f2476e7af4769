import { createHash } from 'node:crypto';
import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type EvaluateOptions,
  type Node,
  canonical,
  equals,
  hash,
  isEnvelope,
  parseEnvelope,
  parseSearch,
  parseText,
  print,
  serialize,
  simplify,
} from '../../src/index.ts';
import { row, tree } from '../arbitrary-evaluation.ts';
import { treeArbitrary } from '../arbitrary-tree.ts';
import { ENGINES, type Outcome, outcomeOf } from '../engines.ts';
import { mutate, mutationArbitrary } from '../mutation.ts';
import { SCHEMAS, readsByShape } from '../schema-agreement.ts';
import { type FuzzProperty, fuzzProperty } from './property.ts';

/** Random trees nest lambdas more deeply than strangers may. */
const limits = { lambdaNesting: 100, depth: 1000 };

const options = (t: unknown, regexps: boolean): EvaluateOptions => ({
  params: { t, x: 3 },
  scope: { captured: [1, 2, 'x'], host: (value: unknown) => (value === 3 ? () => 1 : value) },
  clock: () => 1234,
  limits: { steps: 2_000, outputStringLength: 400, outputArrayLength: 50 },
  regexps,
});

const codeOf = (outcome: Outcome): unknown => ('error' in outcome ? outcome.error : outcome);

const read = (input: unknown): Node => {
  const result = parseEnvelope(input, { limits });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
};

const readText = (text: string): Node => {
  const result = parseText(text, { limits });
  if (!result.ok) throw new Error(`${text}\n${JSON.stringify(result.issues)}`);
  return result.tree;
};

const changed = fc
  .tuple(treeArbitrary, fc.array(mutationArbitrary, { maxLength: 4 }))
  .map(([source, mutations]) => mutations.reduce(mutate, JSON.parse(JSON.stringify(serialize(source))) as unknown));

const PIECES = (
  '( ) [ ] { } , : ? ?. . ... => = === && || ?? ! - + ** / ` ${ } " \' a t 1 2n 0x .5 \\ \n of in typeof new Date ' +
  'const @ @@ # /* // __proto__ OR AND NOT status: >2s'
).split(' ');
const soup = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(' ')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);

export const MEMORY_PROPERTIES: readonly FuzzProperty[] = [
  fuzzProperty(
    'engines',
    'evaluate, closures and generated code give the same value or the same error',
    fc.tuple(tree, row, fc.boolean(), fc.boolean()),
    ([body, t, lambda, regexps]) => {
      const root: Node = lambda ? { kind: 'Lambda', params: ['t', 'x'], body } : body;
      const expected = outcomeOf('evaluate', root, options(t, regexps));
      for (const engine of Object.keys(ENGINES))
        expect(outcomeOf(engine, root, options(t, regexps)), engine).toStrictEqual(expected);
    },
  ),
  fuzzProperty(
    'simplify',
    'a simplified tree gives the same value or fails with the same code',
    fc.tuple(tree, row),
    ([body, t]) => {
      const given = { params: { t, x: 3 }, scope: { captured: [1, 2, 'x'], host: (value: unknown) => value } };
      const expected = codeOf(outcomeOf('evaluate', body, given));
      expect(codeOf(outcomeOf('evaluate', simplify(body), given))).toStrictEqual(expected);
      const known = simplify(body, { known: { x: 3 } });
      expect(codeOf(outcomeOf('evaluate', known, given))).toStrictEqual(expected);
    },
  ),
  fuzzProperty('wire', 'what is written is read back as an equal tree of the same hash', treeArbitrary, (tree) => {
    const envelope = serialize(tree);
    const back = read(JSON.stringify(envelope));
    expect(read(envelope)).toEqual(back);
    expect(canonical(back)).toBe(canonical(tree));
    expect(equals(read(canonical(tree)), tree)).toBe(true);
    expect(hash(tree)).toBe(createHash('sha256').update(canonical(tree)).digest('hex'));
  }),
  fuzzProperty('text', 'what is printed is read back as the same tree', treeArbitrary, (tree) => {
    const text = print(tree);
    expect(readText(text)).toEqual(tree);
    expect(print(readText(text))).toBe(text);
  }),
  fuzzProperty(
    'any-text',
    'any text gives a tree that prints as itself, or issues within the text',
    fc.tuple(soup, fc.boolean()),
    ([text, isSearch]) => {
      const result = isSearch ? parseSearch(text, { fields: { status: { type: 'string' } } }) : parseText(text);
      if (result.ok) expect(readText(print(result.tree))).toEqual(result.tree);
      else
        for (const { span } of result.issues) {
          expect(span!.start).toBeLessThanOrEqual(span!.end);
          expect(span!.end).toBeLessThanOrEqual(text.length);
        }
    },
  ),
  fuzzProperty(
    'readers',
    'changed envelopes are judged alike as text, as a value and by ajv with the schemas',
    fc.tuple(changed, fc.constantFrom('strict' as const, 'lenient' as const)),
    ([value, mode]) => {
      const json = JSON.stringify(value);
      const result = parseEnvelope(JSON.parse(json), { mode });
      expect(parseEnvelope(json, { mode })).toEqual(result);
      expect(isEnvelope(JSON.parse(json), { mode })).toBe(result.ok);
      expect(SCHEMAS[mode](value)).toBe(readsByShape(value, mode));
    },
  ),
];
