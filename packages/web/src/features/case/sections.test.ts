import type { TestCaseDetails } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { sampleAttachment } from '../attachments/sample-attachments.ts';
import { sectionsOf } from './sections.ts';

const run = {
  id: 1,
  projectId: 1,
  status: 'failed',
  startTime: '2026-01-01T00:00:00.000Z',
  duration: null,
  totalTests: 1,
  passedTests: 0,
  failedTests: 1,
  skippedTests: 0,
  flakyTests: 0,
  avgTestDuration: null,
  p90TestDuration: null,
  branch: null,
  commit: null,
  author: null,
  commitMessage: null,
  environment: null,
  pullRequest: null,
  baseCommit: null,
  filtered: null,
  metadata: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  expectedTests: null,
  shards: null,
};

const bare: TestCaseDetails = {
  id: 1,
  testId: 1,
  title: 'pays',
  status: 'passed',
  duration: 1,
  location: 'unknown',
  filePath: 'unknown',
  line: null,
  column: null,
  error: null,
  retries: 0,
  flaky: false,
  browser: null,
  tags: [],
  steps: [],
  slowestStep: null,
  slowestStepDuration: null,
  networkRequests: [],
  webVitals: null,
  console: [],
  annotations: [],
  attempts: [],
  metadata: null,
  traces: [],
  attachments: [],
  testRun: { ...run, project: { id: 1, name: 'shop', label: null, repositoryUrl: null } },
  history: [],
};

const namesOf = (details: Partial<TestCaseDetails>): string[] =>
  sectionsOf({ ...bare, ...details }).map(({ label, count }) => (count === undefined ? label : `${label} ${count}`));

describe('sectionsOf', () => {
  it('leaves out what is empty', () => {
    expect(namesOf({})).toEqual([]);
    expect(namesOf({ metadata: {}, webVitals: {} })).toEqual([]);
  });

  it('begins with the error, and counts the steps inside others', () => {
    const steps = [{ title: 'a', steps: [{ title: 'b' }] }];
    expect(namesOf({ error: 'no', steps, attempts: [{}, {}] })).toEqual(['Error', 'Steps 2']);
  });

  it('shows attachments with the error, else by their name, first of a test that failed', () => {
    const attachments = [sampleAttachment(1), sampleAttachment(2)];
    const steps = [{ title: 'a' }];
    expect(namesOf({ error: 'no', attachments })).toEqual(['Error']);
    expect(namesOf({ steps, attachments, attempts: [{}] })).toEqual(['Steps 1', 'Attachments 2']);
    expect(namesOf({ steps, attachments, status: 'failed' })).toEqual(['Attachments 2', 'Steps 1']);
    expect(namesOf({ steps, attachments, retries: 1 })).toEqual(['Attachments 2', 'Steps 1']);
    expect(namesOf({ steps, attachments, retries: 1, attempts: [{}, {}] })).toEqual(['Attempts 2', 'Steps 1']);
  });

  it('begins with the attempts of a test that passed in the end, and ends with an only one', () => {
    const steps = [{ title: 'a' }];
    expect(namesOf({ steps, attempts: [{}, {}] })).toEqual(['Attempts 2', 'Steps 1']);
    expect(namesOf({ steps, attempts: [{}] })).toEqual(['Steps 1', 'Attempts 1']);
  });
});
