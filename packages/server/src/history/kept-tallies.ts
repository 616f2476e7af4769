import { createByteCache } from '../byte-cache.ts';
import { type Tally, startTally, tallyBytes } from '../segments/summary.ts';
import { type HistoryOf, type HistoryReader, addRuns, tallyProject } from './read-history.ts';

/**
 * The figures of all history, kept in memory and carried on: a run that arrives costs the next read that run, not the
 * history before it. A tally may grow while it is used; its rows never move.
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

export const createKeptTallies = (reader: HistoryReader, maxBytes: number): KeptTallies => {
  const kept = createByteCache<number, Kept>(maxBytes);
  const underway = new Map<number, Promise<Tally>>();

  const carryOn = async (project: HistoryOf): Promise<Tally> => {
    const known = kept.get(project.id);
    const newRuns = known?.epoch === project.tests_epoch ? project.next_sequence - known.nextSequence : Infinity;
    if (known && newRuns <= 0) return known.tally;
    const tally = known && newRuns <= MOST_NEW_RUNS ? known.tally : await tallyProject(reader, project);
    if (tally === known?.tally) await addRuns(reader, project, known.nextSequence, tally);
    kept.set(project.id, { epoch: project.tests_epoch, nextSequence: project.next_sequence, tally }, tallyBytes(tally));
    return tally;
  };

  return {
    /** One at a time for each project: two that add the same run would count it twice. */
    of(project) {
      const before = underway.get(project.id) ?? Promise.resolve(startTally());
      const next = before.then(
        () => carryOn(project),
        () => carryOn(project),
      );
      underway.set(project.id, next);
      const forget = (): void => {
        if (underway.get(project.id) === next) underway.delete(project.id);
      };
      next.then(forget, forget);
      return next;
    },
  };
};
