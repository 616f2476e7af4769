import type { SubmittedStep, TestCase, TestCaseDetails } from '@assay/contract';
import { sampleCase } from './features/run/run-samples.ts';

/** The data that stories show. */

export const RESULTS: readonly TestCase[] = [
  sampleCase(1, { title: 'Cart › adds an item', duration: 300 }),
  sampleCase(2, { title: 'Cart › removes an item', status: 'failed', error: 'expected 0, got 1', retries: 2 }),
  sampleCase(3, {
    title: 'Checkout › pays by card',
    status: 'failed',
    error: 'got 502',
    filePath: 'tests/pay.spec.ts',
  }),
  sampleCase(4, { title: 'Checkout › pays by voucher', retries: 1, flaky: true, filePath: 'tests/pay.spec.ts' }),
  sampleCase(5, { title: 'Account › signs in', status: 'skipped', duration: 0, tags: ['@slow'] }),
];

export const manyTitles = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `test number ${at + 1}`);

const step = (title: string, durationMs: number, more: Partial<SubmittedStep> = {}): SubmittedStep => ({
  title,
  duration: durationMs,
  ...more,
});

const STEPS: readonly SubmittedStep[] = [
  step('Before Hooks', 120, { category: 'hook' }),
  step('Fill the basket', 800, {
    category: 'test.step',
    steps: [
      step('page.goto(/basket)', 500, { category: 'pw:api' }),
      step('locator.click(Add)', 300, { category: 'pw:api' }),
    ],
  }),
  step('Pay', 2_000, {
    category: 'test.step',
    error: 'no answer',
    steps: [step('locator.click(Pay)', 1_900, { category: 'pw:api', error: 'no answer' })],
  }),
];

export const resultWithSteps: TestCaseDetails = {
  ...RESULTS[1]!,
  steps: [...STEPS],
  slowestStep: 'locator.click(Pay)',
  slowestStepDuration: 1_900,
  networkRequests: [],
  webVitals: null,
  console: [],
  annotations: [],
  attempts: [],
  metadata: null,
  traces: [],
  attachments: [],
  history: [],
  testRun: {
    id: 1,
    projectId: 1,
    project: { id: 1, name: 'shop', label: null, repositoryUrl: null },
    status: 'failed',
    startTime: '2026-03-12T15:00:00Z',
    duration: 60_000,
    totalTests: 5,
    passedTests: 2,
    failedTests: 2,
    skippedTests: 1,
    flakyTests: 1,
    avgTestDuration: 900,
    p90TestDuration: 1_000,
    branch: 'main',
    commit: null,
    author: null,
    commitMessage: null,
    environment: null,
    pullRequest: null,
    baseCommit: null,
    filtered: null,
    metadata: null,
    createdAt: '2026-03-12T15:01:00Z',
    expectedTests: null,
    shards: null,
  },
};

const RED = '\u001B[31m';
const DIM = '\u001B[2m';
const OFF = '\u001B[0m';

export const ERROR = [
  `Error: ${DIM}expect(${OFF}${RED}locator${OFF}${DIM})${OFF} failed <b>not bold</b>`,
  ...Array.from({ length: 39 }, (_, at) => `    at line ${at + 2}`),
].join('\n');

export const LONG_TITLE =
  'Checkout › with a guest account › pays by card after the voucher was refused and the basket changed meanwhile';
