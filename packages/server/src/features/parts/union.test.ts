import { expect, it } from 'vitest';
import type { PartRow } from '../../db/tables.ts';
import { unionOf } from './union.ts';

const part = (fields: Partial<PartRow>): PartRow => ({
  id: 1,
  project_id: 1,
  run_id: 1,
  shard: 1,
  shard_total: 3,
  attempt: 1,
  start_time: 100,
  state: 'finished',
  status: 'passed',
  duration: null,
  total_tests: 1,
  passed_tests: 1,
  failed_tests: 0,
  skipped_tests: 0,
  flaky_tests: 0,
  result_count: 1,
  branch: null,
  commit_hash: null,
  metadata: null,
  expected_tests: null,
  next_batch: 0,
  heartbeat_at: 0,
  ...fields,
});

const statusOf = (...statuses: string[]): string => unionOf(statuses.map((status) => part({ status }))).status;

it('the status of a run is the worst of its parts', () => {
  expect(statusOf('skipped', 'skipped')).toBe('skipped');
  expect(statusOf('skipped', 'passed')).toBe('passed');
  expect(statusOf('passed', 'green')).toBe('green');
  expect(statusOf('green', 'blue')).toBe('green');
  expect(statusOf('green', 'interrupted')).toBe('interrupted');
  expect(statusOf('interrupted', 'timedOut')).toBe('timedOut');
  expect(statusOf('timedout', 'failed', 'passed')).toBe('failed');
  expect(unionOf([part({ status: 'failed' }), part({ state: 'running', status: 'running' })]).status).toBe('running');
});

it('what is not counted together is that of the lowest shard that has it, the earliest or the longest', () => {
  const union = unionOf([
    part({ shard: 1, start_time: 50, duration: 7, commit_hash: 'b' }),
    part({ shard: 2, start_time: 20, branch: 'main', commit_hash: 'c', metadata: '{}' }),
    part({ shard: 3, start_time: 30, duration: 9, branch: 'other', shard_total: 4 }),
  ]);
  expect(union).toMatchObject({ start_time: 20, duration: 9, branch: 'main', commit_hash: 'b', metadata: '{}' });
  expect(union).toMatchObject({ shard_total: 4, total_tests: 3, result_count: 3 });
});

it('a run expects what its running parts expect and the others have', () => {
  const running = part({ state: 'running', total_tests: 4 });
  expect(unionOf([running]).expected_tests).toBeNull();
  expect(unionOf([{ ...running, expected_tests: 10 }, part({ total_tests: 5 })]).expected_tests).toBe(15);
  expect(unionOf([{ ...running, expected_tests: 3 }]).expected_tests).toBe(4);
  expect(unionOf([part({})]).expected_tests).toBeNull();
  expect(unionOf([part({ expected_tests: 40, total_tests: 32 }), part({ total_tests: 5 })]).expected_tests).toBe(45);
});
