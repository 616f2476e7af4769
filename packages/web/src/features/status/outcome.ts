import { type Run, isFlaky, outcomeOf } from '@assay/contract';

/** How a run or a result is shown; the statuses that nobody knows keep their own words. */
export type Look = 'passed' | 'failed' | 'flaky' | 'skipped' | 'running' | 'other';

export const lookOfRun = (status: string): Look => {
  if (status === 'timedout') return 'failed';
  if (status === 'running') return 'running';
  return outcomeOf(status);
};

export const lookOfCase = (status: string, retries: number): Look =>
  isFlaky(status, retries) ? 'flaky' : lookOfRun(status);

/** What the tab of a page about a run or a result tells. */
export const markOf = (look: Look): 'failed' | 'running' | 'none' =>
  look === 'failed' || look === 'running' ? look : 'none';

const WORDS: Readonly<Record<string, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  timedout: 'Timed out',
  timedOut: 'Timed out',
  interrupted: 'Interrupted',
  skipped: 'Skipped',
  running: 'Running',
};

export const statusWords = (status: string, flaky = false): string => (flaky ? 'Flaky' : (WORDS[status] ?? status));

/** The share of passed among those that ran; null when none did. */
export const passRate = ({ passedTests, failedTests }: Pick<Run, 'passedTests' | 'failedTests'>): number | null =>
  passedTests + failedTests > 0 ? passedTests / (passedTests + failedTests) : null;
