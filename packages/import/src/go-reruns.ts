import type { SubmittedCase } from '@assay/contract';
import { isFailure, joinTries } from './build-case.ts';

/**
 * gotestsum lists a test again for each rerun. With `-count` every test is listed several times and each failure fails
 * the run, so nothing is folded as soon as a test that passed is there twice.
 */
export const foldGoReruns = (cases: SubmittedCase[], goCases: ReadonlySet<SubmittedCase>): SubmittedCase[] => {
  if (goCases.size === 0) return cases;
  const runs = new Map<string, SubmittedCase[]>();
  for (const one of goCases) {
    const key = `${one.location ?? ''}\n${one.title}`;
    runs.set(key, [...(runs.get(key) ?? []), one]);
  }
  const repeated = [...runs.values()].filter((tries) => tries.length > 1);
  if (repeated.some((tries) => tries.every(({ status }) => !isFailure(status)))) return cases;
  const folded = new Map(repeated.map((tries) => [tries[0]!, foldTries(tries)]));
  const dropped = new Set(repeated.flatMap((tries) => tries.slice(1)));
  return cases.filter((one) => !dropped.has(one)).map((one) => folded.get(one) ?? one);
};

/** Failures stand before the try that passed, whatever the order of the file. */
const foldTries = (tries: readonly SubmittedCase[]): SubmittedCase =>
  joinTries(tries.toSorted((a, b) => Number(isFailure(b.status)) - Number(isFailure(a.status))));
