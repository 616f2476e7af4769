import { LRUCache } from 'lru-cache';
import { type Tally, copyTally, startTally, tallyBytes } from '../segments/summary.ts';
import {
  type HistoryOf,
  type HistoryReader,
  type ListedRun,
  addResults,
  addRuns,
  listUnfinalizedRuns,
  readConsistently,
  tallyFinalized,
} from './read-history.ts';

/**
 * The figures of all history, or of one branch, kept in memory and carried on: a run that arrives costs the next read that run, not the
 * history before it. At 60 runs of 500 tests, the list of tests after a submission would take a third longer without.
 * A tally may grow while it is used; its rows never move.
 */
export interface KeptTallies {
  of(project: HistoryOf): Promise<Tally>;
}

interface Kept {
  readonly epoch: number;
  /** The number of the first run that is not in the tally. */
  readonly nextSequence: number;
  readonly tally: Tally;
}

/** When more runs than this are new, reading the summaries of all runs costs less. */
const MOST_NEW_RUNS = 64;
const ENTRY_BYTES = 400;

export const createKeptTallies = (reader: HistoryReader, maxBytes: number): KeptTallies => {
  const sizeCalculation = ({ tally }: { readonly tally: Tally }): number => tallyBytes(tally) + ENTRY_BYTES;
  const kept = new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation });
  const withLoose = new LRUCache<string, { readonly state: string; readonly tally: Tally }>({
    maxSize: maxBytes,
    sizeCalculation,
  });
  const underway = new Map<string, Promise<Tally>>();

  const carryOn = async (project: HistoryOf): Promise<Kept> => {
    const known = kept.get(keyOf(project));
    const newRuns = known?.epoch === project.tests_epoch ? project.next_sequence - known.nextSequence : Infinity;
    if (known && newRuns <= 0) return known;
    const tally = known && newRuns <= MOST_NEW_RUNS ? known.tally : await tallyFinalized(reader, project);
    if (tally === known?.tally) {
      // Nobody may go on with a tally that has some of them.
      kept.delete(keyOf(project));
      await addRuns(reader, project, known.nextSequence, tally);
    }
    const carried = { epoch: project.tests_epoch, nextSequence: project.next_sequence, tally };
    kept.set(keyOf(project), carried);
    return carried;
  };

  /** Runs of which more may come are added to a copy: what they add now is not what they will have added. */
  const addLoose = async (given: HistoryOf): Promise<Tally> => {
    const { tally: finalized, nextSequence } = await carryOn(given);
    // The tally may have more runs than the project had when it was read.
    const project = { ...given, next_sequence: nextSequence };
    const unfinalized = await listUnfinalizedRuns(reader.queries, project);
    if (unfinalized.length === 0) return finalized;
    const state = stateOf(project, unfinalized);
    const known = withLoose.get(keyOf(project));
    if (known?.state === state) return known.tally;
    const tally = copyTally(finalized);
    await addResults(reader, unfinalized, tally);
    withLoose.set(keyOf(project), { state, tally });
    return tally;
  };

  return {
    /** One at a time for each line: two that add the same run would count it twice. */
    of(project) {
      const key = keyOf(project);
      const before = underway.get(key) ?? Promise.resolve(startTally());
      const next = before.then(
        () => readConsistently(reader.queries, project, addLoose),
        () => readConsistently(reader.queries, project, addLoose),
      );
      underway.set(key, next);
      const forget = (): void => {
        if (underway.get(key) === next) underway.delete(key);
      };
      next.then(forget, forget);
      return next;
    },
  };
};

const keyOf = ({ id, line }: HistoryOf): string => (line ? `${id}/${line.branch}` : `${id}`);

const stateOf = ({ id, tests_epoch, next_sequence }: HistoryOf, unfinalized: readonly ListedRun[]): string =>
  [`${id}/${tests_epoch}/${next_sequence}`, ...unfinalized.map((run) => `${run.id}.${run.version}`)].join(' ');
