import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Node } from '../src/index.ts';
import { row, tree } from './arbitrary-evaluation.ts';
import { ENGINES, outcomeOf } from './engines.ts';

const RUNS = Number(process.env['EXPRESSION_FUZZ_RUNS'] ?? draws(300, 5_000));

const options = (t: unknown, regexps: boolean): Parameters<typeof outcomeOf>[2] => ({
  params: { t, x: 3 },
  scope: { captured: [1, 2, 'x'], host: (value: unknown) => (value === 3 ? () => 1 : value) },
  clock: () => 1234,
  limits: { steps: 2_000, outputStringLength: 400, outputArrayLength: 50 },
  regexps,
});

test('closures and generated code give what evaluate gives, or fail as it fails', () => {
  fc.assert(
    fc.property(tree, row, fc.boolean(), fc.boolean(), (body, t, lambda, regexps) => {
      const root: Node = lambda ? { kind: 'Lambda', params: ['t', 'x'], body } : body;
      const expected = outcomeOf('evaluate', root, options(t, regexps));
      for (const engine of Object.keys(ENGINES))
        expect(outcomeOf(engine, root, options(t, regexps)), engine).toStrictEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

test('evaluation changes neither the tree nor the row', () => {
  fc.assert(
    fc.property(tree, row, (body, t) => {
      const before = structuredClone({ body: printable(body), t: printable(t) });
      outcomeOf('evaluate', body, options(t, true));
      expect({ body: printable(body), t: printable(t) }).toStrictEqual(before);
    }),
    { numRuns: Math.ceil(RUNS / 10) },
  );
});

const printable = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
