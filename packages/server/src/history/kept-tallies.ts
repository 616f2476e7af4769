import { createByteCache } from '../segments/cache.ts';
import { type Tally, copyTally, startTally, tallyBytes } from '../segments/summary.ts';
import { type HistoryOf, type HistoryReader, addRuns, addSpans } from './read-history.ts';
import { type Span, FAN_OUT, coverOf } from './spans.ts';

/**
 * The figures of all history, from what is kept in memory of the full spans of a project. A run that arrives costs the
 * next read that run, not the history before it.
 */
export interface KeptTallies {
  of(project: HistoryOf): Promise<Tally>;
}

interface Kept {
  readonly epoch: number;
  /** The number of the first run that is not in the tally. */
  readonly tailStart: number;
  readonly tally: Tally;
}

/** When more spans than this are new, the fewer large ones that hold all runs are read instead. */
const MOST_NEW_SPANS = 32;

export const createKeptTallies = (reader: HistoryReader, maxBytes: number): KeptTallies => {
  const kept = createByteCache<number, Kept>(maxBytes);

  const fullSpans = async (project: HistoryOf, tailStart: number, spans: readonly Span[]): Promise<Tally> => {
    const known = kept.get(project.id);
    const isUsable = known && known.epoch === project.tests_epoch && known.tailStart <= tailStart;
    if (isUsable && known.tailStart === tailStart) return known.tally;
    const newSpans = isUsable ? smallSpans(known.tailStart, tailStart) : [];
    const continues = isUsable && newSpans.length <= MOST_NEW_SPANS;
    const tally = continues ? copyTally(known.tally) : startTally();
    await addSpans(reader, project, continues ? newSpans : spans, tally);
    kept.set(project.id, { epoch: project.tests_epoch, tailStart, tally }, tallyBytes(tally));
    return tally;
  };

  return {
    async of(project) {
      const { spans, tailStart } = coverOf(project.next_sequence);
      const tally = copyTally(await fullSpans(project, tailStart, spans));
      await addRuns(reader, project, tailStart, tally);
      return tally;
    },
  };
};

const smallSpans = (from: number, to: number): Span[] =>
  Array.from({ length: (to - from) / FAN_OUT }, (_, offset) => ({ level: 1, index: from / FAN_OUT + offset }));
