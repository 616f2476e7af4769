import { errorCause } from '@assay/contract';
import { LRUCache } from 'lru-cache';
import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { ROWS_PER_PIECE, nextTurn } from '../../turns.ts';

/** Characters of errors that are read in one piece, and as how many a text counts at least. */
const CHARACTERS_PER_PIECE = 2_000_000;
const CHARACTERS_PER_TEXT = 2_000;

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

type Judge<T> = (text: string, row: number) => T | null;
type Add<T> = (row: number, judged: T) => void;

/**
 * Goes through the failed results of a run that have an error. Each text is judged once, at the first row that has it;
 * rows whose text is judged null are left out.
 */
export const readErrors = <T extends object | string>(results: Results, judge: Judge<T>, add: Add<T>): Promise<void> =>
  readFailures(
    results,
    (row) => results.error.at(row),
    (key) => results.strings.at(key),
    judge,
    add,
  );

/** The same by the causes of their errors, as they are stored; where one is not, it is found by the error. */
export const readCauses = <T extends object | string>(
  results: Results,
  judge: Judge<T>,
  add: Add<T>,
): Promise<void> => {
  const { strings, cause, error } = results;
  return readFailures(
    results,
    (row) => {
      const index = cause.at(row);
      return index === index ? index : strings.count + error.at(row);
    },
    (key) => (key < strings.count ? strings.at(key) : causeOf(strings.at(key - strings.count))),
    judge,
    add,
  );
};

/** Few results fail: their errors and causes are read one by one. */
const readFailures = async <T extends object | string>(
  results: Results,
  keyOf: (row: number) => number,
  textOf: (key: number) => string,
  judge: Judge<T>,
  add: Add<T>,
): Promise<void> => {
  const statuses = results.status.values;
  const retries = results.retries.values;
  const { error } = results;
  await results.strings.prepare();
  const judged = new Map<number, T | null>();
  let characters = 0;
  for (let row = 0; row < results.rows; row++) {
    if (row % ROWS_PER_PIECE === ROWS_PER_PIECE - 1 || characters > CHARACTERS_PER_PIECE) {
      characters = 0;
      await nextTurn();
    }
    if (weightOf(statuses[row]!, retries[row]!) !== weights.failed || Number.isNaN(error.at(row))) continue;
    const key = keyOf(row);
    let found = judged.get(key);
    if (found === undefined) {
      const text = textOf(key);
      characters += Math.max(text.length, CHARACTERS_PER_TEXT);
      judged.set(key, (found = judge(text, row)));
    }
    if (found !== null) add(row, found);
  }
};
