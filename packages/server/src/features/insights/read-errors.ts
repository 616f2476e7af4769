import { errorCause } from '@assay/contract';
import { LRUCache } from 'lru-cache';
import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { ROWS_PER_PIECE, nextTurn } from '../../turns.ts';

/** Characters of errors that are read in one piece. */
const CHARACTERS_PER_PIECE = 2_000_000;

/** Texts of errors repeat from run to run, and reading one takes longer than finding it here. */
const MOST_KNOWN_CHARACTERS = 8_000_000;
const known = new LRUCache<string, string>({
  maxSize: MOST_KNOWN_CHARACTERS,
  sizeCalculation: (cause, error) => cause.length + error.length + 1,
});

export const causeOf = (error: string): string => {
  let cause = known.get(error);
  if (cause === undefined) known.set(error, (cause = errorCause(error)));
  return cause;
};

/**
 * Goes through the failed results of a run that have an error. Each text is judged once, at the first row that has it;
 * rows whose text is judged null are left out.
 */
export const readErrors = async <T extends object | string>(
  results: Results,
  judge: (error: string, row: number) => T | null,
  add: (row: number, judged: T) => void,
): Promise<void> => {
  const statuses = results.status.values;
  const retries = results.retries.values;
  const errors = results.error.values;
  await results.strings.prepare();
  const judged = new Map<number, T | null>();
  let characters = 0;
  for (let row = 0; row < results.rows; row++) {
    if (row % ROWS_PER_PIECE === ROWS_PER_PIECE - 1 || characters > CHARACTERS_PER_PIECE) {
      characters = 0;
      await nextTurn();
    }
    const error = errors[row]!;
    if (error !== error || weightOf(statuses[row]!, retries[row]!) !== weights.failed) continue;
    let found = judged.get(error);
    if (found === undefined) {
      const text = results.strings.at(error);
      characters += text.length;
      judged.set(error, (found = judge(text, row)));
    }
    if (found !== null) add(row, found);
  }
};
