import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeArbitrary } from '../test/arbitrary-tree.ts';
import { compileSchema } from '../test/compiled-schema.ts';
import { mutate, mutationArbitrary } from '../test/mutation.ts';
import { readVectors } from '../test/vectors.ts';
import { type Code, isEnvelope, parseEnvelope, serialize } from './index.ts';

const schemas = { strict: compileSchema('v1.strict'), lenient: compileSchema('v1') };

/** What the schemas do not say. A text is not theirs to judge, so `json.*` and `limit.textBytes` do not come up. */
const UNSAID: ReadonlySet<string> = new Set<Code>([
  'key.forbidden',
  'constant.encoding',
  'constant.typeMismatch',
  'constant.valueMissing',
  'constant.unsupported',
  'lambda.duplicateParam',
  'template.arity',
  'global.unknown',
  'global.misplaced',
  'limit.nodes',
  'limit.depth',
  'limit.stringLength',
  'limit.items',
  'limit.bigintDigits',
  'limit.regexpLength',
  'limit.lambdaNesting',
]);

const limits = { nodes: 1e6, depth: 1e4, stringLength: 1e6, items: 1e4, lambdaNesting: 1e3 };

/** True when reading finds nothing that a schema could say too. */
function readsByShape(value: unknown, mode: 'strict' | 'lenient'): boolean {
  const result = parseEnvelope(value, { mode, limits });
  expect(isEnvelope(value, { mode, limits })).toBe(result.ok);
  if (result.ok) return true;
  return result.issues.every(({ code, path }) => {
    if (mode === 'lenient' && code === 'span.invalid') return true;
    // The strict schema allows a span from 2 to 1: it cannot compare.
    if (code === 'span.invalid') return isBackwards(value, path);
    return UNSAID.has(code);
  });
}

function isBackwards(value: unknown, path: string): boolean {
  let at = value;
  for (const part of path.split('/').slice(1)) at = (at as Record<string, unknown>)[part];
  const { start, end } = (at ?? {}) as { start?: unknown; end?: unknown };
  return Number.isInteger(start) && Number.isInteger(end) && Number(start) > Number(end) && Number(end) >= 0;
}

describe.each(['strict', 'lenient'] as const)('the %s schema and the reader agree', (mode) => {
  const vectors = [...readVectors('shape'), ...readVectors('refusal'), ...readVectors('constants')];
  it.each(vectors.filter((vector) => vector.input !== undefined))('on: $name', ({ input }) => {
    expect(schemas[mode](input)).toBe(readsByShape(input, mode));
  });

  it('on trees of every kind', () => {
    fc.assert(
      fc.property(treeArbitrary, (tree) => {
        const envelope = JSON.parse(JSON.stringify(serialize(tree))) as unknown;
        expect(schemas[mode](envelope)).toBe(true);
        expect(readsByShape(envelope, mode)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('on trees with anything changed in them', () => {
    fc.assert(
      fc.property(treeArbitrary, fc.array(mutationArbitrary, { minLength: 1, maxLength: 3 }), (tree, mutations) => {
        const envelope = mutations.reduce(mutate, JSON.parse(JSON.stringify(serialize(tree))) as unknown);
        expect(schemas[mode](envelope)).toBe(readsByShape(envelope, mode));
      }),
      { numRuns: 2500 },
    );
  });
});
