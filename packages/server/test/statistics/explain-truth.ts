import { explainFailures } from '../../src/statistics/explain-failures.ts';
import { INCIDENTS, plant } from './planted-incidents.ts';

export interface ExplanationFigures {
  readonly runs: number;
  /** The share of runs in which all that was planted is among as many first statements. */
  readonly told: number;
  /** The share of runs that say more than was planted. */
  readonly tooMany: number;
  /** Kinds that were not told, with how often. */
  readonly missed: ReadonlyMap<string, number>;
}

/** Plants every kind of incident alone and with every other kind. */
export const measureExplanations = (seed: string, times: number): ExplanationFigures => {
  const missed = new Map<string, number>();
  let [runs, told, tooMany] = [0, 0, 0];
  for (let time = 0; time < times; time++) {
    for (const [at, one] of INCIDENTS.entries()) {
      for (const other of INCIDENTS.slice(at)) {
        const { failures, surroundings, isTold, names } = plant(
          `${seed} ${time} ${one.name} ${other.name}`,
          one === other ? [one] : [one, other],
        );
        const { statements } = explainFailures(failures, surroundings);
        const first = statements.slice(0, isTold.length);
        const areAllTold = isTold.every((isIt) => first.some(({ traits }) => traits.some(isIt)));
        runs++;
        if (areAllTold) told++;
        if (statements.length > isTold.length) tooMany++;
        const pair = names.join(' and ');
        if (!areAllTold) missed.set(pair, (missed.get(pair) ?? 0) + 1);
      }
    }
  }
  return { runs, told: told / runs, tooMany: tooMany / runs, missed };
};
