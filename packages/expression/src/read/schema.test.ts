import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeArbitrary } from '../../test/arbitrary-tree.ts';
import { mutate, mutationArbitrary } from '../../test/mutation.ts';
import { SCHEMAS, readsByShape } from '../../test/schema-agreement.ts';
import { readVectors } from '../../test/vectors.ts';
import { serialize } from '../index.ts';

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
      { numRuns: draws(250) },
    );
  });

  it('on trees with anything changed in them', () => {
    fc.assert(
      fc.property(treeArbitrary, fc.array(mutationArbitrary, { minLength: 1, maxLength: 3 }), (tree, mutations) => {
        const envelope = mutations.reduce(mutate, JSON.parse(JSON.stringify(serialize(tree))) as unknown);
        expect(SCHEMAS[mode](envelope)).toBe(readsByShape(envelope, mode));
      }),
      { numRuns: draws(625) },
    );
  });
});
