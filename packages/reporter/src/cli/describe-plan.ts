import { countFlaky } from '../delivery/counts.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { printable } from '../output.ts';

const SHOWN_CASES = 10;
const LONGEST_ERROR = 100;

/** What `--dry-run` prints. */
export const describePlan = (plan: readonly Delivery[], formats: string): string =>
  printable([formats, ...plan.flatMap(describeDelivery), 'Nothing was sent.', ''].join('\n'));

const describeDelivery = ({ submission, reports, traces, attachments }: Delivery): string[] => {
  const { projectName, status, startTime, duration, runKey, shard, branch, commit, testCases } = submission;
  const cases = testCases ?? [];
  const counts = `${submission.totalTests} tests: ${submission.passedTests} passed, ${submission.failedTests} failed, ${submission.skippedTests} skipped, ${countFlaky(cases)} flaky`;
  const facts: [string, string | number | null | undefined][] = [
    ['project', projectName],
    ['status', status],
    ['started', startTime],
    ['duration', typeof duration === 'number' ? `${duration} ms` : null],
    ['run key', runKey],
    ['shard', shard ? `${shard.index}/${shard.total}` : null],
    ['branch', branch],
    ['commit', commit],
    ['reports', reports.map(({ type, path }) => `${type}=${path}`).join(', ')],
    ['traces', traces.length],
    ['attached', attachments.length],
  ];
  return [
    '',
    counts,
    ...facts.flatMap(([name, value]) => (value ? [`  ${name.padEnd(9)} ${value}`] : [])),
    '',
    ...cases.slice(0, SHOWN_CASES).flatMap(describeCase),
    ...(cases.length > SHOWN_CASES ? [`  and ${cases.length - SHOWN_CASES} more`] : []),
    '',
  ];
};

const describeCase = (testCase: NonNullable<Delivery['submission']['testCases']>[number]): string[] => {
  const { status, title, location, retries, error } = testCase;
  const again = retries ? `, ${retries} ${retries === 1 ? 'retry' : 'retries'}` : '';
  const reason = error?.trim().split('\n')[0]?.slice(0, LONGEST_ERROR);
  return [
    `  ${status.padEnd(9)} ${title} (${location ?? 'unknown location'}${again})`,
    ...(reason ? [`            ${reason}`] : []),
  ];
};
