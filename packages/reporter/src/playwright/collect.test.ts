import { DEFAULT_ATTACHMENT_RULES } from '@assay/import/attachments';
import type { Suite, TestCase, TestResult } from '@playwright/test/reporter';
import { expect, it } from 'vitest';
import { createCollector } from './collect.ts';

const RESULT = {
  status: 'failed',
  retry: 0,
  duration: 5,
  startTime: new Date(0),
  errors: [{ message: 'no' }],
  steps: [],
  attachments: [],
  stdout: [],
  stderr: [],
  workerIndex: 0,
  parallelIndex: 0,
} as unknown as TestResult;

const testOf = (title: string, more: object = {}): TestCase =>
  ({
    id: title,
    title,
    titlePath: () => ['', 'web', 'a.spec.ts', title],
    location: { file: '/shop/a.spec.ts', line: 1, column: 1 },
    parent: { project: () => ({ name: 'web' }) },
    tags: [],
    annotations: [],
    results: [RESULT],
    retries: 0,
    expectedStatus: 'passed',
    ...more,
  }) as unknown as TestCase;

it('a test that cannot be read is told at the end, as far as it can be, beside the others', () => {
  const collector = createCollector('/shop', DEFAULT_ATTACHMENT_RULES);
  const [good, broken] = [testOf('good'), testOf('broken', { location: undefined })];
  expect(collector.ended(good, RESULT)).toMatchObject({ title: 'good' });
  expect(() => collector.ended(broken, RESULT)).toThrow(TypeError);
  const { testCases, matchesStream } = collector.finish({ allTests: () => [broken, good] } as unknown as Suite, {
    status: 'failed',
    maxFailures: 0,
  });
  expect(matchesStream).toBe(true);
  expect(testCases).toMatchObject([
    { title: 'good', status: 'failed' },
    { title: 'broken', status: 'failed', error: expect.stringContaining('could not be read') },
  ]);
});

it('fields of annotations that are no texts become such', () => {
  const annotations = [{ type: 7, description: { ticket: 1 } }, { type: 'issue', description: 12 }, { type: 'slow' }];
  const told = createCollector('/shop', DEFAULT_ATTACHMENT_RULES).ended(testOf('annotated', { annotations }), RESULT);
  expect(told!.annotations).toEqual([
    { type: '7', description: '{"ticket":1}' },
    { type: 'issue', description: '12' },
    { type: 'slow' },
  ]);
});
