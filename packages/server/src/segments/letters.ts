import { LETTERS_BY_WEIGHT } from '@assay/contract';
import type { Results } from './results.ts';
import { statusCodes } from './status-code.ts';

/** The letters of a history as numbers: the place of each in `LETTERS_BY_WEIGHT`, so that the heaviest is the largest. */
export const weights = { notRun: 0, skipped: 1, other: 2, passed: 3, flaky: 4, failed: 5 } as const;

export const weightOf = (statusCode: number, retries: number): number => {
  switch (statusCode) {
    case statusCodes.passed:
      return retries > 0 ? weights.flaky : weights.passed;
    case statusCodes.skipped:
      return weights.skipped;
    case statusCodes.failed:
    case statusCodes.timedOut:
    case statusCodes.interrupted:
      return weights.failed;
    default:
      return weights.other;
  }
};

export const weightAt = ({ status, retries }: Results, row: number): number =>
  weightOf(status.values[row]!, retries.values[row]!);

const LETTER_BYTES = Uint8Array.from(LETTERS_BY_WEIGHT, (letter) => letter.charCodeAt(0));

/** The letters of some runs as text. */
export const lettersOf = (weightsOfRuns: Uint8Array): string =>
  Buffer.from(weightsOfRuns.map((weight) => LETTER_BYTES[weight]!)).toString('latin1');
