import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeArbitrary } from '../../test/arbitrary-tree.ts';
import { mutate, mutationArbitrary } from '../../test/mutation.ts';
import { SCHEMAS, SHAPE_LIMITS, readsByShape } from '../../test/schema-agreement.ts';
import { readVectors } from '../../test/vectors.ts';
import { isEnvelope, parseEnvelope, serialize } from '../index.ts';

describe('the shape mode reads exactly what the schema of the specification allows', () => {
  const reads = (value: unknown): boolean => {
    const given = JSON.stringify(value);
    const result = parseEnvelope(value, { mode: 'shape', limits: SHAPE_LIMITS });
    if (result.ok) expect(result.envelope).toBe(value);
    const text = given === undefined ? result : parseEnvelope(given, { mode: 'shape', limits: SHAPE_LIMITS });
    if (text.ok) expect(JSON.stringify(text.envelope)).toBe(given);
    expect(text.ok).toBe(result.ok);
    expect(isEnvelope(value, { mode: 'shape', limits: SHAPE_LIMITS })).toBe(result.ok);
    return result.ok;
  };
  const vectors = [...readVectors('shape'), ...readVectors('refusal'), ...readVectors('constants')];

  it.each(vectors.filter((vector) => vector.input !== undefined))('on: $name', ({ input, level, expect: expected }) => {
    expect(reads(input)).toBe(SCHEMAS.lenient(input));
    if (level === 'shape') expect(reads(input)).toBe(expected.ok);
  });

  it('on trees with anything changed in them', () => {
    fc.assert(
      fc.property(treeArbitrary, fc.array(mutationArbitrary, { maxLength: 3 }), (tree, mutations) => {
        const changed = mutations.reduce(mutate, JSON.parse(JSON.stringify(serialize(tree))) as unknown);
        const envelope = JSON.parse(JSON.stringify(changed ?? null)) as unknown;
        expect(reads(envelope)).toBe(SCHEMAS.lenient(envelope));
      }),
      { numRuns: draws(150, 2_500) },
    );
  });

  it('keeps what it does not know, and refuses what is not JSON', () => {
    const root = { kind: 'Constant', value: { $tag: 'date', iso: 'never' }, type: 'bigint', span: 'x', more: [1] };
    expect(parseEnvelope({ v: 1, root, by: 'me' }, { mode: 'shape' })).toEqual({
      ok: true,
      envelope: { v: 1, root, by: 'me' },
    });
    const twice = {
      kind: 'Lambda',
      params: ['a', '__proto__', 'a'],
      body: { kind: 'Capture', name: 'x', global: true },
    };
    expect(reads({ v: 1, root: twice })).toBe(true);
    expect(reads(JSON.parse('{"v":1,"root":{"kind":"Constant","value":{"__proto__":1}}}'))).toBe(true);
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
    for (const key of ['__proto__', 'more'])
      expect(
        parseEnvelope(`{"v":1,"root":{"kind":"Param","name":"t","${key}":${deep}}}`, { mode: 'shape' }),
      ).toMatchObject({
        issues: [{ code: 'limit.depth' }],
      });
    for (const value of [new Date(), () => 1, Number.NaN])
      expect(parseEnvelope({ v: 1, root: { kind: 'Constant', value } }, { mode: 'shape' }).ok).toBe(false);
  });
});

describe.each(['strict', 'lenient'] as const)('the %s schema and the reader agree', (mode) => {
  const vectors = [...readVectors('shape'), ...readVectors('refusal'), ...readVectors('constants')];
  it.each(vectors.filter((vector) => vector.input !== undefined))('on: $name', ({ input }) => {
    expect(SCHEMAS[mode](input)).toBe(readsByShape(input, mode));
  });

  it('on trees of every kind', () => {
    fc.assert(
      fc.property(treeArbitrary, (tree) => {
        const envelope = JSON.parse(JSON.stringify(serialize(tree))) as unknown;
        expect(SCHEMAS[mode](envelope)).toBe(true);
        expect(readsByShape(envelope, mode)).toBe(true);
      }),
      { numRuns: draws(60, 1_000) },
    );
  });

  it('on trees with anything changed in them', () => {
    fc.assert(
      fc.property(treeArbitrary, fc.array(mutationArbitrary, { minLength: 1, maxLength: 3 }), (tree, mutations) => {
        const envelope = mutations.reduce(mutate, JSON.parse(JSON.stringify(serialize(tree))) as unknown);
        expect(SCHEMAS[mode](envelope)).toBe(readsByShape(envelope, mode));
      }),
      { numRuns: draws(150, 2_500) },
    );
  });
});
