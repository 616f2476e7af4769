import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Constant, type Node, parseEnvelope } from '../src/index.ts';
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
  readFileSync(new URL('../conformance/meaning.json', import.meta.url), 'utf8'),
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
