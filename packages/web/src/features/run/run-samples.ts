import type { FailedTest, TestCase } from '@assay/contract';

export const sampleCase = (id: number, overrides: Partial<TestCase> = {}): TestCase => ({
  id,
  testId: id,
  title: `Cart › case ${id}`,
  status: 'passed',
  duration: 1_000,
  location: 'tests/cart.spec.ts:10:3',
  filePath: 'tests/cart.spec.ts',
  line: 10,
  column: 3,
  error: null,
  retries: 0,
  flaky: false,
  browser: null,
  tags: [],
  ...overrides,
});

export const sampleFailure = (testCaseId: number, isNew: boolean): FailedTest => ({
  testCaseId,
  testId: testCaseId,
  title: '',
  filePath: '',
  browser: null,
  status: 'failed',
  error: null,
  isNew,
  ranBefore: true,
  onDefault: null,
  failingSince: {
    id: 1,
    status: 'failed',
    startTime: '2026-01-01T00:00:00Z',
    duration: null,
    branch: null,
    commit: null,
  },
  failedRuns: 1,
  sinceBeyond: false,
});
