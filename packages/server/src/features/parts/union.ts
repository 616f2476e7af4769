import { worstStatus } from '@assay/contract';
import type { PartRow, RunRow } from '../../db/tables.ts';

type UnionField =
  | 'status'
  | 'start_time'
  | 'duration'
  | 'total_tests'
  | 'passed_tests'
  | 'failed_tests'
  | 'skipped_tests'
  | 'flaky_tests'
  | 'result_count'
  | 'branch'
  | 'commit_hash'
  | 'metadata'
  | 'shard_total'
  | 'expected_tests';

/** What a run is said to be: all that follows from its parts alone. */
export type UnionOfParts = Pick<RunRow, UnionField>;

/** `parts` are in the order of their shards, so that nothing depends on when they arrived. */
export const unionOf = (parts: readonly PartRow[]): UnionOfParts => {
  const sum = (count: (part: PartRow) => number): number => sumOf(parts.map(count));
  const first = <T>(value: (part: PartRow) => T | null): T | null => {
    for (const part of parts) {
      const found = value(part);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    status: statusOfAll(parts),
    start_time: Math.min(...parts.map(({ start_time }) => start_time)),
    duration: highest(parts.map(({ duration }) => duration)),
    total_tests: sum((part) => part.total_tests),
    passed_tests: sum((part) => part.passed_tests),
    failed_tests: sum((part) => part.failed_tests),
    skipped_tests: sum((part) => part.skipped_tests),
    flaky_tests: sum((part) => part.flaky_tests),
    result_count: sum((part) => part.result_count),
    branch: first(({ branch }) => branch),
    commit_hash: first(({ commit_hash }) => commit_hash),
    metadata: first(({ metadata }) => metadata),
    shard_total: highest(parts.map(({ shard_total }) => shard_total)),
    expected_tests: expectedOf(parts),
  };
};

/** What is sent may be any number; beyond the exact ones a database has none. */
const sumOf = (counts: readonly number[]): number =>
  Math.min(
    Number.MAX_SAFE_INTEGER,
    counts.reduce((sum, count) => sum + count, 0),
  );

const highest = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
};

const statusOfAll = (parts: readonly PartRow[]): string => {
  if (parts.some(({ state }) => state === 'running')) return 'running';
  const [first, ...others] = parts.map(({ status }) => status);
  return worstStatus([first!, ...others]);
};

/** While it runs, what will come; afterwards what had been announced, which may be more than came. */
const expectedOf = (parts: readonly PartRow[]): number | null => {
  if (parts.every(({ state }) => state !== 'running')) {
    if (parts.every(({ expected_tests }) => expected_tests === null)) return null;
    return sumOf(parts.map(({ expected_tests, total_tests }) => Math.max(expected_tests ?? 0, total_tests)));
  }
  const running = parts.filter(({ state }) => state === 'running');
  if (running.every(({ expected_tests }) => expected_tests === null)) return null;
  return sumOf(
    parts.map(({ state, expected_tests, total_tests }) =>
      state === 'running' ? Math.max(expected_tests ?? 0, total_tests) : total_tests,
    ),
  );
};
