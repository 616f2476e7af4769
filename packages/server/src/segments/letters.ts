import { LETTERS_BY_WEIGHT, isFlaky, outcomeOf } from '@assay/contract';
import type { Results } from './results.ts';
import { KNOWN_STATUSES } from './status-code.ts';

/** The letters of a history as numbers: the place of each in `LETTERS_BY_WEIGHT`, so that the heaviest is the largest. */
export const weights = { notRun: 0, skipped: 1, other: 2, passed: 3, flaky: 4, failed: 5 } as const;

/** By the codes of the known statuses, without and with retries. */
const weightsWithout = KNOWN_STATUSES.map((status) => weights[outcomeOf(status)]);
const weightsWith = KNOWN_STATUSES.map((status) => (isFlaky(status, 1) ? weights.flaky : weights[outcomeOf(status)]));

export const weightOf = (statusCode: number, retries: number): number =>
  (retries > 0 ? weightsWith : weightsWithout)[statusCode] ?? weights.other;

export const weightAt = ({ status, retries }: Results, row: number): number =>
  weightOf(status.values[row]!, retries.values[row]!);

const LETTER_BYTES = Uint8Array.from(LETTERS_BY_WEIGHT, (letter) => letter.charCodeAt(0));

/** The letters of some runs as text. */
export const lettersOf = (weightsOfRuns: Uint8Array): string =>
  Buffer.from(weightsOfRuns.map((weight) => LETTER_BYTES[weight]!)).toString('latin1');
