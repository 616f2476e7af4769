import type { TestRunEndReason, Vitest } from 'vitest/node';
import type { RunnerFacts } from '../session/beginning.ts';

export const factsOf = ({
  config: { root, shard },
  version,
  projects,
}: Pick<Vitest, 'config' | 'version' | 'projects'>): RunnerFacts => {
  const names = projects.map(({ name }) => name).filter((name) => name !== '');
  return {
    name: 'vitest',
    title: 'Vitest',
    folder: root,
    projects: names,
    details: { version, projects: names },
    shard: shard ? { index: shard.index, total: shard.count } : null,
  };
};

interface RunOutcome {
  readonly reason: TestRunEndReason;
  readonly failedTests: number;
  readonly errors: readonly unknown[];
}

/**
 * Vitest says `passed` of a run whose errors outside of all tests make it exit with 1. A run that it gave up after as
 * many failures as `bail` allows has failed; nobody interrupted it.
 */
export const statusOfRun = (
  { bail, dangerouslyIgnoreUnhandledErrors }: Pick<Vitest['config'], 'bail' | 'dangerouslyIgnoreUnhandledErrors'>,
  { reason, failedTests, errors }: RunOutcome,
): string => {
  if (reason === 'interrupted') return bail && failedTests >= bail ? 'failed' : reason;
  return errors.length > 0 && !dangerouslyIgnoreUnhandledErrors ? 'failed' : reason;
};
