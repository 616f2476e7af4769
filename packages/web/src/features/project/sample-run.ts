import type { Run } from './runs.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

/** A complete run for tests; a higher number started later. */
export const sampleRun = (fields: Partial<Run> & { readonly id: number }): Run => ({
  projectId: 1,
  status: 'passed',
  startTime: new Date(START + fields.id * HOUR_MS).toISOString(),
  duration: 60_000,
  totalTests: 10,
  passedTests: 10,
  failedTests: 0,
  skippedTests: 0,
  flakyTests: 0,
  avgTestDuration: 1_000,
  p90TestDuration: 2_000,
  branch: 'main',
  commit: null,
  author: null,
  commitMessage: null,
  environment: null,
  pullRequest: null,
  baseCommit: null,
  filtered: null,
  createdAt: new Date(START).toISOString(),
  expectedTests: null,
  shards: null,
  reports: [],
  ...fields,
});
