import { newRevision } from './raise-revision.ts';

/** The row of a project that is made for its first run. */
export const newProject = (name: string, now: number) => ({
  name,
  label: null,
  description: null,
  created_at: now,
  updated_at: now,
  active_at: now,
  revision: newRevision(),
  next_sequence: 0,
  total_runs: 1,
  total_tests: 0,
  total_results: 0,
  tests_epoch: 0,
});
