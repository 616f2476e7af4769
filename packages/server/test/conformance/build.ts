import { randomUUID } from 'node:crypto';
import type { RunStart, Submission, SubmittedCase } from '@assay/contract';

/** A project name that no other test uses. */
export const newName = (prefix = 'project'): string => `${prefix} ${randomUUID()}`;

const BASE_TIME = Date.UTC(2026, 2, 1, 10);

/** A start time so many minutes after a fixed one. */
export const minute = (count: number): string => new Date(BASE_TIME + count * 60_000).toISOString();

export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

export const testCase = (overrides: Partial<SubmittedCase> = {}): SubmittedCase => ({
  title: 'works',
  status: 'passed',
  duration: 100,
  location: 'tests/a.spec.ts:3:5',
  retries: 0,
  ...overrides,
});

export const submission = (overrides: Partial<Submission> = {}): Submission => ({
  projectName: newName(),
  status: 'passed',
  startTime: minute(0),
  duration: 1_200,
  testCases: [testCase()],
  ...overrides,
});

/** The start of a run that no other is. */
export const runStart = (overrides: Partial<RunStart> = {}): RunStart => ({
  projectName: newName(),
  startTime: minute(0),
  runKey: newName('key'),
  ...overrides,
});

/** One case with every field that a reporter may send. */
export const richCase = (overrides: Partial<SubmittedCase> = {}): SubmittedCase =>
  testCase({
    title: 'pays with a card',
    status: 'failed',
    duration: 812.5,
    location: 'tests/checkout/pay.spec.ts:12:7',
    error: 'Error: expected 200\n    at tests/checkout/pay.spec.ts:14:3',
    retries: 2,
    browser: 'chromium',
    tags: ['@smoke', '@slow'],
    annotations: [{ type: 'issue', description: 'PAY-1' }, { type: 'slow' }],
    steps: [
      {
        title: 'open the basket',
        duration: 300,
        category: 'test.step',
        steps: [{ title: 'click', duration: 20, category: 'pw:api', error: 'Timeout 20 ms exceeded' }],
      },
      { title: 'pay', duration: 500, category: 'test.step' },
    ],
    slowestStep: 'pay',
    slowestStepDuration: 500,
    networkRequests: [
      { method: 'POST', url: 'https://shop.test/api/orders/17', status: 500, duration: 40, resourceType: 'fetch' },
      { method: 'GET', url: 'https://shop.test/api/basket', status: 200, duration: 10, resourceType: 'xhr' },
    ],
    webVitals: {
      navigation: { url: 'https://shop.test/checkout' },
      paint: { firstPaint: 90.5, firstContentfulPaint: 120 },
      lcp: 400,
      cls: 0.02,
      inp: 16,
    },
    attempts: [
      { status: 'failed', duration: 300 },
      { status: 'failed', duration: 310 },
    ],
    metadata: { owner: 'payments' },
    ...overrides,
  });
