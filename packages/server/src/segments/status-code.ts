import type { Strings } from './block.ts';
import type { Dictionary } from './dictionary.ts';

/** Statuses with a code of their own, so that scans need no dictionary; the order is part of the stored format. */
export const KNOWN_STATUSES = ['passed', 'failed', 'skipped', 'timedOut', 'interrupted'] as const;

export const statusCodes = { passed: 0, failed: 1, skipped: 2, timedOut: 3, interrupted: 4 } as const;

export const encodeStatus = (status: string, dictionary: Dictionary): number => {
  switch (status) {
    case 'passed':
      return statusCodes.passed;
    case 'failed':
      return statusCodes.failed;
    case 'skipped':
      return statusCodes.skipped;
    case 'timedOut':
      return statusCodes.timedOut;
    case 'interrupted':
      return statusCodes.interrupted;
    default:
      return KNOWN_STATUSES.length + dictionary.indexOf(status);
  }
};

export const decodeStatus = (code: number, strings: Strings): string =>
  KNOWN_STATUSES[code] ?? strings.at(code - KNOWN_STATUSES.length);

/** The code when the strings that it may point into begin later. */
export const shiftStatus = (code: number, by: number): number => (code < KNOWN_STATUSES.length ? code : code + by);
