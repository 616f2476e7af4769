import { BROWSER_ERRORS } from './browser.ts';
import { FOREIGN_LINES } from './foreign.ts';
import { HELD_OUT_ERRORS } from './held-out.ts';
import { HOTEL_ERRORS } from './hotel.ts';
import { JAVASCRIPT_ERRORS } from './javascript.ts';
import type { Templates } from './label-errors.ts';
import { LANGUAGE_ERRORS } from './languages.ts';
import { SERVICE_ERRORS } from './services.ts';

/** Errors with known causes, to measure fingerprints with. */
export const LABELLED_SETS = {
  runners: { ...BROWSER_ERRORS, ...JAVASCRIPT_ERRORS, ...LANGUAGE_ERRORS, ...SERVICE_ERRORS },
  hotel: HOTEL_ERRORS,
  heldOut: HELD_OUT_ERRORS,
  foreign: FOREIGN_LINES,
} as const satisfies Record<string, Templates>;
