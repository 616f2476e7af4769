import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Constant, type Node, parseEnvelope, parseText } from '../src/index.ts';
import { ENGINES, outcomeOf } from './engines.ts';

interface MeaningVector {
  readonly name: string;
  readonly root: unknown;
  /** As the value of a constant is written on the wire. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly scope?: Readonly<Record<string, unknown>>;
  readonly expect: { readonly value: unknown } | { readonly error: string; readonly path: string };
}

const vectors = JSON.parse(
  readFileSync(new URL('../../expression-vectors/vectors/meaning.json', import.meta.url), 'utf8'),
) as readonly MeaningVector[];

const read = (root: unknown): Node => {
  const result = parseEnvelope({ v: 1, root });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
};

const decode = (value: unknown): unknown => (read({ kind: 'Constant', value }) as Constant).value;
const decodeAll = (values: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, decode(value)]));

describe.each(Object.keys(ENGINES))('meaning, by %s', (engine) => {
  test.each(vectors.map((vector) => ({ ...vector })))('$name', ({ root, params, scope, expect: expected }) => {
    const outcome = outcomeOf(engine, read(root), { params: decodeAll(params), scope: decodeAll(scope) });
    expect(outcome).toStrictEqual('value' in expected ? { value: decode(expected.value) } : expected);
  });
});

describe.each(Object.keys(ENGINES))('local getters of dates, by %s', (engine) => {
  const getters = 'FullYear Month Date Day Hours Minutes Seconds Milliseconds TimezoneOffset'.split(' ');
  const text = `t => [${getters.map((name) => `t.get${name}()`).join(', ')}]`;
  const at = (zone: string | undefined, iso: string): unknown => {
    const parsed = parseText(text);
    if (!parsed.ok) throw new Error(text);
    return outcomeOf(engine, parsed.tree, { params: { t: new Date(iso) }, zone });
  };

  test.each([
    [undefined, '2026-03-29T00:59:59.001Z', [2026, 2, 29, 0, 0, 59, 59, 1, 0]],
    ['UTC', '2026-03-29T00:59:59.001Z', [2026, 2, 29, 0, 0, 59, 59, 1, 0]],
    ['Europe/Berlin', '2026-03-29T00:59:59.001Z', [2026, 2, 29, 0, 1, 59, 59, 1, -60]],
    ['Europe/Berlin', '2026-03-29T01:00:00.000Z', [2026, 2, 29, 0, 3, 0, 0, 0, -120]],
    ['America/New_York', '2026-01-01T02:00:00.000Z', [2025, 11, 31, 3, 21, 0, 0, 0, 300]],
    ['Asia/Kathmandu', '2026-01-01T20:00:00.000Z', [2026, 0, 2, 5, 1, 45, 0, 0, -345]],
  ])('%s at %s', (zone, iso, parts) => expect(at(zone, iso)).toEqual({ value: parts }));

  test('are NaN of an invalid date, and an unknown zone is an error', () => {
    expect(at('Europe/Berlin', 'never')).toEqual({ value: getters.map(() => Number.NaN) });
    expect(at('Europe/Nowhere', '2026-01-01T20:00:00.000Z')).toMatchObject({ error: 'eval.range' });
  });
});
