import type {
  Submission,
  SubmittedCase,
  SubmittedNotRun,
  SubmittedRequest,
  SubmittedStep,
  SubmittedVitals,
} from '@assay/contract';
import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';

/** Left out, null or a value. */
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 5, arbitrary: value },
  );

/** Left out most of the time. */
const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: maybe(value) });

/** Quarters of a millisecond, so that sums are exact in any order. */
const duration = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0.25, 1.75, 2, 90, 99.75, 100, 100.25, 100.5, 110) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 2_000 }).map((quarters) => quarters / 4) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** 34 }).map((quarters) => quarters / 4) },
);

const text = fc.oneof(
  fc.constantFrom(
    '',
    'Boom',
    'before\u0000after',
    '\u001b[31mExpected\u001b[39m \u001b[1m1\u001b[22m\r\n\tat a.spec.ts:3:5',
    'não 🧪 👩‍👩‍👧 שלום e\u0301 \u00e9 \u2028 \ufeff',
    'Error: a long one\n'.repeat(40),
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

const json = fc.jsonValue({ maxDepth: 2 });

const caseStatus = fc.oneof(
  { weight: 4, arbitrary: fc.constant('passed') },
  { weight: 2, arbitrary: fc.constantFrom('failed', 'skipped', 'timedOut', 'interrupted') },
  { weight: 1, arbitrary: fc.constantFrom('quarantined', 'PASSED', 'flaky', 'timedout', 'не знаю') },
);

/** About a dozen tests, some of them spelt in several ways and some that differ in one part only. */
const identity = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      file: fc.constantFrom('tests/cart.spec.ts', 'tests\\cart.spec.ts'),
      title: fc.constant('runs often'),
      browser: fc.constant(undefined),
    }),
  },
  fc.record({
    file: fc.constantFrom('tests/cart.spec.ts', 'tests\\cart.spec.ts', 'odd:7/näme.ts'),
    title: fc.constantFrom('adds an item', 'adds an item\u0000'),
    browser: fc.constantFrom(undefined, 'chromium', { name: 'chromium' }),
  }),
  fc.record({
    file: fc.constantFrom('C:\\shop\\pay.spec.ts', 'C:/shop/pay.spec.ts'),
    title: fc.constantFrom('adds an item', 'zahlt › mit Karte 💳'),
    browser: fc.constantFrom(null, {}, 'firefox'),
  }),
  fc.record({
    file: fc.constantFrom(null, undefined, 'unknown'),
    title: fc.constant('has no file'),
    browser: fc.constant(undefined),
  }),
);

const position = fc.oneof(
  fc.constant(''),
  fc.nat(500).map((line) => `:${line}`),
  fc.tuple(fc.nat(500), fc.nat(80)).map(([line, column]) => `:${line}:${column}`),
);

const { step } = fc.letrec<{ step: SubmittedStep }>((tie) => ({
  step: fc.record(
    {
      title: text,
      duration: maybe(duration),
      category: maybe(fc.constantFrom('test.step', 'pw:api', 'hook')),
      error: rarely(fc.oneof(text, fc.record({ message: text }))),
      startTime: rarely(fc.oneof(fc.nat(), fc.constant('2026-03-01T10:00:00Z'))),
      steps: rarely(fc.array(tie('step'), { minLength: 1, maxLength: 2, depthIdentifier: 'step' })),
    },
    { requiredKeys: ['title'] },
  ),
}));

const segment = fc.constantFrom(
  'items',
  'v2',
  '7',
  '42',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'A987FBC9-4BED-3078-CF07-9141BA07C9F3',
  'deadbeefdeadbee',
  'deadbeefdeadbeef',
  '0123456789012345678901',
  'abcdefghij0123456789',
  'abcdefghij012345678',
  'internationalisations',
);

const url = fc.oneof(
  fc.constantFrom('https://shop.test/api/items/7', 'https://shop.test/api/items/8?x=1', 'http://b.test/api/items/0'),
  fc
    .tuple(
      fc.constantFrom('https://shop.test', 'http://user:secret@b.test:8080'),
      fc.array(segment, { maxLength: 2 }),
      fc.constantFrom('', '?token=s3cr3t', '#top', '?a=1#/b?c'),
    )
    .map(([origin, path, rest]) => [origin, ...path].join('/') + rest),
  fc.constantFrom('https://shop.test/logo.png?v=1', 'https://shop.test/app.js', 'https://shop.test/data.json'),
  fc.constantFrom('not a url?token=1', 'not a url', '/relative/42?x=1'),
);

const request: fc.Arbitrary<SubmittedRequest> = fc.record(
  {
    method: fc.constantFrom('GET', 'GET', 'GET', 'POST'),
    url,
    status: maybe(fc.constantFrom(0, 200, 204, 304, 399, 400, 404, 500, 503)),
    duration: maybe(duration),
    resourceType: maybe(fc.constantFrom('fetch', 'xhr', 'document', 'image', 'font', 'stylesheet', 'script')),
    startTime: rarely(fc.nat()),
  },
  { requiredKeys: ['method', 'url'] },
);

const vitals: fc.Arbitrary<SubmittedVitals> = fc.record(
  {
    navigation: maybe(fc.record({ url: maybe(url), ttfb: duration, loadComplete: duration }, { requiredKeys: [] })),
    paint: maybe(fc.record({ firstPaint: maybe(duration), firstContentfulPaint: duration }, { requiredKeys: [] })),
    lcp: maybe(duration),
    cls: maybe(fc.constantFrom(0, 0.02, 1.5)),
    inp: maybe(duration),
  },
  { requiredKeys: [] },
);

/** As our reporters send them, more or less. */
const attempt = fc.record(
  {
    status: fc.oneof(caseStatus, json),
    duration: fc.oneof(duration, fc.constantFrom(-1, 'long', null)),
    error: fc.oneof(text, json),
    parallel: fc.oneof(fc.nat(9_999), fc.constantFrom(-1, 10_000, 1.5, '2')),
  },
  { requiredKeys: [] },
);

// An empty branch, commit or slowest step and an empty list of inner steps are not sent: the documents leave open
// whether they are the same as none.
const testCase: fc.Arbitrary<SubmittedCase> = fc
  .record({
    identity,
    position,
    fields: fc.record(
      {
        status: caseStatus,
        duration: maybe(duration),
        error: maybe(text),
        retries: maybe(fc.nat(3)),
        tags: rarely(fc.array(fc.constantFrom('@smoke', '@slow', 'ü 🏷', ''), { maxLength: 4 })),
        annotations: rarely(
          fc.array(fc.record({ type: text, description: maybe(text) }, { requiredKeys: ['type'] }), { maxLength: 2 }),
        ),
        steps: rarely(fc.array(step, { maxLength: 3 })),
        slowestStep: rarely(text.filter((title) => title !== '')),
        slowestStepDuration: rarely(duration),
        networkRequests: rarely(fc.array(request, { maxLength: 9, size: 'max' })),
        webVitals: rarely(vitals),
        notRun: rarely(
          fc.constantFrom<SubmittedNotRun>(
            { reason: 'maxFailures' },
            { reason: 'unknown', title: null },
            { reason: 'serial', title: 'ü 🏷', location: 'none\\a.spec.ts:3:1' },
            { reason: 'dependency', title: 'logs in', location: 'none', browser: ' setup ' },
          ),
        ),
        lane: rarely(fc.nat(9_999)),
        attempts: rarely(fc.array(fc.oneof(json, attempt), { maxLength: 3 })),
        metadata: rarely(json),
      },
      { requiredKeys: ['status'] },
    ),
  })
  .map(({ identity: { file, title, browser }, position, fields }) => ({
    ...fields,
    title,
    browser,
    location: typeof file === 'string' ? file + position : file,
  }));

const DAY_MS = 86_400_000;
const NOW_MS = Math.floor(Date.now() / 60_000) * 60_000;

/** Half a day away from every limit of a cleanup. */
const AGES_IN_DAYS = [400.5, 90.5, 90.5, 29.5, 7.5, 2.5, 2.5, 0.5, 0.5, 0.5 - 1 / DAY_MS, 0.25, 0, -0.5];
export const CLEANUP_DAYS = [1, 5, 30, 89, 365];

const startTime = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('1969-07-20T20:17:40Z', '2024-02-29T23:59:59.999-05:30') },
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom(...AGES_IN_DAYS), fc.constantFrom(0, 0, 120, -330))
      .map(([age, offset]) => spell(NOW_MS - Math.round(age * DAY_MS), offset)),
  },
);

/** The same instant as people in another time zone write it. */
const spell = (ms: number, offsetMinutes: number): string => {
  const local = new Date(ms + offsetMinutes * 60_000).toISOString();
  if (offsetMinutes === 0) return local;
  const hours = Math.floor(Math.abs(offsetMinutes) / 60);
  const minutes = Math.abs(offsetMinutes) % 60;
  const pad = (value: number): string => String(value).padStart(2, '0');
  return local.replace('Z', `${offsetMinutes < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`);
};

/** A run without the name of its project. */
export const submittedRun: fc.Arbitrary<Omit<Submission, 'projectName'>> = fc.record(
  {
    status: fc.constantFrom('passed', 'failed', 'timedout', 'interrupted', 'skipped', 'broken'),
    startTime,
    duration: maybe(duration),
    totalTests: rarely(fc.nat(50)),
    passedTests: rarely(fc.nat(50)),
    // More than there are cases: a count of `failed` alone is corrected, which `attempts.test.ts` shows.
    failedTests: rarely(fc.integer({ min: 10, max: 50 })),
    skippedTests: rarely(fc.nat(50)),
    branch: maybe(fc.constantFrom('main', 'feature/ü')),
    commit: maybe(fc.constantFrom('0123abc', 'ffff')),
    metadata: maybe(json),
    testCases: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(undefined, null) },
      { weight: 9, arbitrary: fc.array(testCase, { maxLength: 8, size: 'max' }) },
    ),
  },
  { requiredKeys: ['status', 'startTime'] },
);
