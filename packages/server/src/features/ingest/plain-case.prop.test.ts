import {
  MAX_NAME_LENGTH,
  MAX_STATUS_LENGTH,
  MAX_TAGS,
  MAX_TEXT_LENGTH,
  MAX_TITLE_LENGTH,
  SubmittedCase,
} from '@assay/contract';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { emptyCase, readPlainCase } from './plain-case.ts';

const schema = Compile(SubmittedCase);

const anything = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.array(fc.integer()),
  fc.object(),
);
const mostly = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: usual }, anything);

const testCase = fc.record(
  {
    title: mostly(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1_100 })),
    status: mostly(fc.constantFrom('passed', 'failed', 'skipped', 'odd')),
    duration: mostly(fc.double({ min: -1, max: 1e9, noNaN: true })),
    location: mostly(fc.string()),
    retries: mostly(fc.integer({ min: -1, max: 5 })),
    error: mostly(fc.string()),
    tags: mostly(fc.array(fc.string({ maxLength: 210 }))),
    notRun: mostly(fc.constantFrom({ reason: 'unknown' }, null)),
    browser: mostly(fc.constantFrom('chromium', null)),
    steps: mostly(fc.constant([])),
    metadata: anything,
    unheard: anything,
  },
  { requiredKeys: ['title', 'status'] },
);

describe('reading a plain case', () => {
  it.each([
    ['title', MAX_TITLE_LENGTH, (length: number) => ({ title: 'x'.repeat(length) })],
    ['status', MAX_STATUS_LENGTH, (length: number) => ({ status: 'x'.repeat(length) })],
    ['location', MAX_TEXT_LENGTH, (length: number) => ({ location: 'x'.repeat(length) })],
    ['a tag', MAX_NAME_LENGTH, (length: number) => ({ tags: ['x'.repeat(length)] })],
    ['tags', MAX_TAGS, (length: number) => ({ tags: Array<string>(length).fill('x') })],
  ])('takes as much of %s as the schema', (_, limit, fieldsOf) => {
    for (const length of [limit, limit + 1]) {
      const given = { title: 'a', status: 'passed', ...fieldsOf(length) };
      expect([readPlainCase(given, emptyCase()), schema.Check(given)]).toEqual([length === limit, length === limit]);
    }
  });

  it('never accepts what the schema refuses, and reads what is there', () => {
    fc.assert(
      fc.property(fc.oneof(testCase, anything), (given) => {
        const json: unknown = JSON.parse(JSON.stringify(given));
        const read = emptyCase();
        if (!readPlainCase(json, read)) return;
        expect(schema.Check(json)).toBe(true);
        const { title, status, duration, location, retries, error, tags } = json as SubmittedCase;
        expect(read).toEqual({
          title,
          status,
          location: location ?? '',
          browser: null,
          durationMs: duration ?? null,
          retries: retries ?? 0,
          error: error ?? null,
          tags: tags ?? [],
          notRun: [],
          startMs: null,
          lane: null,
          failedMs: null,
          failedError: null,
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves every case with details, nulls or a browser to the schema', () => {
    const plain = { title: 't', status: 'passed', duration: 1, location: 'a.ts:1:1', retries: 0 };
    expect(readPlainCase(plain, emptyCase())).toBe(true);
    expect(readPlainCase({ ...plain, unheard: { of: true } }, emptyCase())).toBe(true);
    const others = [
      { steps: [] },
      { duration: null },
      { browser: 'webkit' },
      { metadata: null },
      { lane: 0 },
      { networkRequests: [] },
    ];
    for (const other of others) expect(readPlainCase({ ...plain, ...other }, emptyCase())).toBe(false);
  });
});
