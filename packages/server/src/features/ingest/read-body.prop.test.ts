import { draws } from '@assay/testkit';
import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishResults } from '../../segments/results.ts';
import { type ParsedSubmission, parseSubmission } from './parse-submission.ts';
import type { SliceSizes } from './read-body.ts';

const WHOLE: SliceSizes = { wholeBytes: Infinity, sliceBytes: Infinity };

const outcomeOf = (body: Uint8Array, sizes: SliceSizes): { stored: unknown } | { refused: string; message: string } => {
  const steps = parseSubmission(body, sizes);
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return { stored: comparable(step.value) };
    }
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { refused: code, message };
  }
};

const comparable = ({ results, ...rest }: ParsedSubmission) => ({
  ...rest,
  rows: results.rows,
  segment: Buffer.from(finishResults(results)).toString('hex'),
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc
    .tuple(fc.integer({ min: 90, max: 110 }), fc.string({ unit: fc.constantFrom('"', '\\', 'x') }))
    .map(([length, end]) => 'x'.repeat(length) + end + 'x'.repeat(length) + end),
  fc.constantFrom('a"b', 'back\\slash', '\\"', '\\', 'Suite › test', '\u007f\u00f0', '\ud800', '', 'é'.repeat(60)),
);
const odd = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.array(text), fc.object());
const mostly = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 100, arbitrary: usual }, { weight: 1, arbitrary: odd });

const testCase = fc.record(
  {
    title: mostly(fc.constantFrom('adds', 'Suite › removes', 'x'.repeat(1_000), '"quoted"')),
    status: mostly(fc.constantFrom('passed', 'failed', 'skipped', 'odd')),
    duration: mostly(
      fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9 }), fc.constantFrom(null, 0, 1e15, 2 ** 53 - 1, 2 ** 53)),
    ),
    location: mostly(fc.constantFrom('a.ts:1:2', 'src/ä.ts', null, '')),
    retries: mostly(fc.constantFrom(0, 1, 2, null, 1e3)),
    error: mostly(fc.oneof(text, fc.constant('at line\n'.repeat(30)), fc.constant(null))),
    tags: mostly(fc.constantFrom([], ['@smoke'], ['@a', '@b'], null)),
    browser: mostly(fc.constantFrom('chromium', ' webkit ', null, { name: 'firefox' })),
    metadata: odd,
    steps: mostly(fc.constantFrom([], [{ title: 'step', duration: 1 }])),
    unheard: odd,
    __proto__: odd,
  },
  { requiredKeys: ['title', 'status'] },
);

const usually = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary }, fc.constant(undefined));

const plainCase = fc.record({
  title: fc.constantFrom('adds', 'Suite › removes'),
  status: fc.constantFrom('passed', 'failed'),
  duration: fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e9, noNaN: true })),
  location: usually(fc.constantFrom('a.ts:1:2', 'b.ts:3:4')),
  retries: usually(fc.nat(2)),
  error: usually(text),
  tags: usually(fc.constant(['@smoke'])),
  sentAt: usually(fc.nat()),
});

const submission = fc.record(
  {
    projectName: mostly(fc.constant('Project')),
    status: mostly(fc.constant('passed')),
    startTime: mostly(fc.constant('2026-01-01T00:00:00Z')),
    metadata: fc.oneof(odd, fc.constant({ testCases: [{ title: 'inner', status: 'passed' }] })),
    testCases: mostly(fc.array(fc.oneof({ weight: 8, arbitrary: plainCase }, testCase), { maxLength: 12 })),
  },
  { requiredKeys: ['projectName', 'status', 'startTime'] },
);

/** JSON in the ways that writers of it have: with spaces, escapes, numbers in other forms, fields in any order and twice. */
const written = (value: unknown, choose: () => number): string => {
  const space = (): string => (choose() % 8 === 0 ? [' ', '\n', '\t', '\r\n  '][choose() % 4]! : '');
  const write = (one: unknown): string => {
    if (typeof one === 'string') return choose() % 6 === 0 ? escaped(one) : JSON.stringify(one);
    if (typeof one === 'number' && choose() % 40 === 0)
      return [`${one}e0`, `-${one}`, `0${one}`, `${one}.0`][choose() % 4]!;
    if (Array.isArray(one)) return `[${one.map((item) => space() + write(item) + space()).join(',')}${space()}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const fields = Object.entries(one).filter(([, field]) => field !== undefined);
    if (choose() % 5 === 0) fields.reverse();
    if (choose() % 40 === 0 && fields.length > 0) fields.push(fields[choose() % fields.length]!);
    const members = fields.map(
      ([name, field]) =>
        space() + (choose() % 60 === 0 ? escaped(name) : JSON.stringify(name)) + space() + ':' + space() + write(field),
    );
    return `{${members.map((member) => member + space()).join(',')}}`;
  };
  return write(value);
};

const escaped = (plain: string): string =>
  `"${Array.from({ length: plain.length }, (_, n) => `\\u${plain.charCodeAt(n).toString(16).padStart(4, '0')}`).join('')}"`;

const choices = fc.infiniteStream(fc.nat(1_000)).map((stream) => () => stream.next().value as number);
const body = fc.tuple(submission, choices).map(([value, choose]) => Buffer.from(written(value, choose)));

const expectSame = (bytes: Uint8Array, sliceBytes: number): void => {
  const whole = outcomeOf(bytes, WHOLE);
  const sliced = outcomeOf(bytes, { wholeBytes: 0, sliceBytes });
  if ('stored' in sliced) expect(sliced).toEqual(whole);
  // Parsing as a whole takes the last of two fields with the same name.
  else if (!sliced.message.includes('only once')) expect(whole).toMatchObject({ refused: sliced.refused });
};

describe('parsing a body a slice of its cases at a time', () => {
  it('reads and refuses the same as parsing it as a whole, however it is written', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(1, 60, 300, 100_000), (bytes, sliceBytes) => expectSame(bytes, sliceBytes)),
      { numRuns: draws(125) },
    );
  });

  it('reads and refuses the same when some bytes are changed', () => {
    const change = fc.record({
      at: fc.nat(),
      removed: fc.nat(3),
      added: fc.oneof(
        fc.uint8Array({ maxLength: 3 }),
        fc.constantFrom(...'{}[],:"\\ 0-.e\0').map((c) => Buffer.from(c)),
      ),
    });
    fc.assert(
      fc.property(body, fc.array(change, { minLength: 1, maxLength: 3 }), (bytes, changes) => {
        const changed = changes.reduce((before, { at, removed, added }) => {
          const from = at % (before.length + 1);
          return Buffer.concat([before.subarray(0, from), added, before.subarray(from + removed)]);
        }, bytes);
        expectSame(changed, 60);
      }),
      { numRuns: draws(250) },
    );
  });

  it('names a case that is refused by its place in the whole body, and no case by another', () => {
    const testCases = Array.from({ length: 50 }, (_, row) => ({
      title: `case ${row}`,
      status: row === 37 ? 1 : 'passed',
    }));
    const bytes = Buffer.from(
      JSON.stringify({ projectName: 'p', status: 'passed', startTime: '2026-01-01T00:00:00Z', testCases }),
    );
    expect(outcomeOf(bytes, { wholeBytes: 0, sliceBytes: 100 })).toMatchObject({
      refused: 'invalid_body',
      message: 'testCases.37.status must be string',
    });
  });

  it('refuses a body that has its test cases twice, of whatever type', () => {
    for (const second of ['[]', '"text"', 'null']) {
      const bytes = Buffer.from(`{"testCases":[],"testCases":${second}}`);
      expect(outcomeOf(bytes, { wholeBytes: 0, sliceBytes: 10 })).toMatchObject({
        message: 'testCases must be sent only once',
      });
    }
  });

  it('refuses a case, or a head, that is nothing but brackets', () => {
    const brackets = `[${'[],'.repeat(1_000_000)}[]]`;
    const head = '"projectName":"p","status":"passed","startTime":"2026-01-01T00:00:00Z"';
    for (const text of [
      `{${head},"more":${brackets}}`,
      `{${head},"more":${brackets},"testCases":[]}`,
      `{${head},"testCases":[{"title":"a","status":"passed","metadata":${brackets}}]}`,
    ]) {
      const outcome = outcomeOf(Buffer.from(text), { wholeBytes: 0, sliceBytes: 1_000 });
      expect(outcome).toMatchObject({ refused: 'invalid_body', message: expect.stringContaining('values') });
    }
  });

  it('takes a case, or a head, that is one long text', () => {
    const long = 'x'.repeat(1_100_000);
    const head = '"projectName":"p","status":"passed","startTime":"2026-01-01T00:00:00Z"';
    const text = `{${head},"more":"${long}","testCases":[{"title":"a","status":"passed","metadata":{"long":"${long}"}}]}`;
    const outcome = outcomeOf(Buffer.from(text), { wholeBytes: 0, sliceBytes: 1_000 });
    expect(outcome).toMatchObject({ stored: { rows: 1 } });
  });
});
