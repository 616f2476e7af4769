import type { ExecutionDifference } from '@assay/contract';
import type { Execution } from './execution.ts';
import { NO_DIFFERENCE, mostAlike } from './moments.ts';

/** Versions and environment. */
export const compareSetups = (subject: Execution, passing: readonly Execution[]): ExecutionDifference[] => {
  const found: ExecutionDifference[] = [];
  const compare = (kind: 'version' | 'environment', what: string, here: string | null, usual: readonly string[]) => {
    if (here === null || usual.length === 0) return;
    const alike = usual.filter((each) => each === here).length;
    if (alike > mostAlike(usual.length)) return;
    found.push({
      ...NO_DIFFERENCE,
      kind,
      change: 'changed',
      what,
      here,
      usual: mostFrequent(usual),
      hereTimes: 1,
      usualTimes: alike > 0 ? 1 : 0,
      results: usual.length,
      alike,
    });
  };
  compare(
    'environment',
    'environment',
    subject.environment,
    passing.flatMap(({ environment }) => environment ?? []),
  );
  for (const [name, version] of subject.versions) {
    compare(
      'version',
      name,
      version,
      passing.flatMap(({ versions }) => versions.get(name) ?? []),
    );
  }
  return found;
};

const mostFrequent = (values: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
};
