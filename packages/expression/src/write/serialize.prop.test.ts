import { createHash } from 'node:crypto';
import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeArbitrary, valueArbitrary } from '../../test/arbitrary-tree.ts';
import { build, canonical, equals, hash, type Node, parseEnvelope, serialize } from '../index.ts';

/** Random trees nest lambdas more deeply than strangers may. */
const limits = { lambdaNesting: 100 };

function read(input: unknown): Node {
  const result = parseEnvelope(input, { limits });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
}

describe('reading what was written', () => {
  it('gives an equal tree, from the value and from the text', () => {
    fc.assert(
      fc.property(treeArbitrary, (tree) => {
        const envelope = serialize(tree);
        const fromValue = read(envelope);
        const fromText = read(JSON.stringify(envelope));
        expect(canonical(fromValue)).toBe(canonical(tree));
        expect(fromText).toEqual(fromValue);
        expect(serialize(fromValue)).toEqual(envelope);
        expect(read(canonical(tree))).toEqual(read(canonical(fromText)));
      }),
      { numRuns: draws(60, 1_000) },
    );
  });

  it('gives the very value of a constant unless it had to be spelt out', () => {
    fc.assert(
      fc.property(valueArbitrary, (value) => {
        const tree = read(serialize(build.constant(value)));
        if (tree.kind === 'Constant') expect(tree.value).toEqual(value);
        else expect(JSON.stringify(serialize(tree))).toMatch(/\$tag|"op":"-"/);
      }),
      { numRuns: draws(125, 2_000) },
    );
  });
});

describe('the hash', () => {
  it('is SHA-256 of the canonical text and the same exactly for equal trees', () => {
    fc.assert(
      fc.property(treeArbitrary, treeArbitrary, (a, b) => {
        expect(hash(a)).toBe(createHash('sha256').update(canonical(a)).digest('hex'));
        expect(hash(a) === hash(b)).toBe(equals(a, b));
      }),
      { numRuns: draws(30, 500) },
    );
  });
});
