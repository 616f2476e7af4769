import { createHash } from 'node:crypto';
import { draws } from '@assay/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { treeArbitrary } from '../../test/arbitrary-tree.ts';
import { mutate, mutationArbitrary } from '../../test/mutation.ts';
import { canonical, isEnvelope, parseEnvelope, serialize } from '../index.ts';
import { utf8Length } from '../tree/bounds.ts';
import { sha256 } from '../write/sha256.ts';
import { readJson, readTokens } from './json.ts';
import { startReading } from './reading.ts';

const textArbitrary = fc.oneof(
  fc.json({ stringUnit: 'binary' }),
  fc.json().map((text) => JSON.stringify(JSON.parse(text), null, 2)),
  fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-\\u\n tfnrueals\ufeff\ud800') }),
  treeArbitrary.map((tree) => canonical(tree)),
);

/** Cuts a text or puts something else into it. */
const brokenArbitrary = fc
  .tuple(
    textArbitrary,
    fc.nat(2000),
    fc.nat(3),
    fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', 'e', '\u0000'),
  )
  .map(([text, at, cut, put]) => {
    const position = at % (text.length + 1);
    return text.slice(0, position) + put + text.slice(position + cut);
  });

it('JSON text is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.oneof(textArbitrary, brokenArbitrary), (text) => {
      // A backslash in a key makes JSON.parse of V8 misread later keys: nodejs/node#63785.
      fc.pre(!text.includes('\\\\'));
      let parsed: { readonly value: unknown } | undefined;
      try {
        parsed = { value: JSON.parse(text) };
      } catch {}
      const job = startReading(text);
      const read = readJson(job, text);
      expect(read !== undefined).toBe(parsed !== undefined);
      if (!parsed || job.reading.issues.length > 0) return;
      for (const value of [read, readTokens(job, text)]) {
        expect(value).toEqual(parsed.value);
        expect(JSON.stringify(value)).toBe(JSON.stringify(parsed.value));
      }
    }),
    { numRuns: draws(300, 5_000) },
  );
});

it('keys with escapes are read right, whatever was read before', () => {
  for (const [text, key] of [
    ['"\\\\"', '\\'],
    ['"\\""', '"'],
    ['"\\n"', '\n'],
    ['"a\\\\"', 'a\\'],
    ['"a\\""', 'a"'],
  ] as const) {
    for (const read of [readJson, readTokens])
      expect(Object.keys(read(startReading(''), `{"h":{},${text}:1}`) as object)).toEqual(['h', key]);
  }
});

it('broken and changed envelopes never throw, and are judged alike as text and as a value', () => {
  fc.assert(
    fc.property(
      treeArbitrary,
      fc.array(mutationArbitrary, { maxLength: 4 }),
      fc.boolean(),
      (tree, mutations, strict) => {
        const options = { mode: strict ? ('strict' as const) : ('lenient' as const) };
        const start = JSON.parse(JSON.stringify(serialize(tree))) as unknown;
        const value = JSON.parse(JSON.stringify(mutations.reduce(mutate, start))) as unknown;
        const fromValue = parseEnvelope(value, options);
        expect(parseEnvelope(JSON.stringify(value), options)).toEqual(fromValue);
        expect(isEnvelope(value, options)).toBe(fromValue.ok);
        if (!fromValue.ok) expect(fromValue.issues.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: draws(180, 3_000) },
  );
  fc.assert(
    fc.property(brokenArbitrary, (text) => {
      const result = parseEnvelope(text);
      if (!result.ok) expect(result.issues.length).toBeGreaterThan(0);
    }),
    { numRuns: draws(125, 2_000) },
  );
});

it('the canonical form does not depend on the order of keys or on white space', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      const options = { limits: { lambdaNesting: 100 } };
      const shuffled = JSON.stringify(reverseKeys(serialize(tree)), null, 3);
      const result = parseEnvelope(shuffled, options);
      expect(result.ok && canonical(result.tree)).toBe(canonical(tree));
    }),
    { numRuns: draws(60, 1_000) },
  );
});

it('the order of keys in data does not count, also where data is spelt out', () => {
  const texts = ['{"b":1,"a":{"d":-0,"c":2}}', '{"a":{"c":2,"d":-0},"b":1}'];
  const forms = texts.map((text) => parseEnvelope(`{"v":1,"root":{"kind":"Constant","value":${text}}}`));
  const [one, other] = forms.map((form) => form.ok && canonical(form.tree));
  expect(one).toContain('ObjectLit');
  expect(one).toBe(other);
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reverseKeys(item)]),
  );
}

it('UTF-8 is measured and hashed as Node does', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', '日', '😀', '\ud800', '\udc00'), maxLength: 300 }),
      (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text));
        expect(sha256(Buffer.from(text))).toBe(createHash('sha256').update(text).digest('hex'));
      },
    ),
  );
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 100_000]) {
    const bytes = new Uint8Array(length).fill(length % 251);
    expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});
