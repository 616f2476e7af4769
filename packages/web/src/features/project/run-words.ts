import { formatDuration } from '../../format/duration.ts';
import { statusWords } from '../status/outcome.ts';
import type { Run } from './runs.ts';

/** `2 failed, 1 flaky, 40 passed`, without what there is none of; what is flaky is not counted twice. */
export const countWords = ({ failedTests, flakyTests, passedTests, skippedTests }: Run): string => {
  const parts = [
    [failedTests, 'failed'],
    [flakyTests, 'flaky'],
    [Math.max(0, passedTests - flakyTests), 'passed'],
    [skippedTests, 'skipped'],
  ] as const;
  return parts.flatMap(([count, word]) => (count > 0 ? `${count} ${word}` : [])).join(', ') || 'no tests';
};

/** A run in one line, for those who hear it. */
export const runWords = (run: Run): string =>
  [
    `Run #${run.id}`,
    statusWords(run.status),
    ...(run.branch ? [run.branch] : []),
    countWords(run),
    ...(run.duration === null ? [] : [formatDuration(run.duration)]),
  ].join(', ');
