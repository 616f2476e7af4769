import type { Options } from '../options/options.ts';
import { isFiltered } from './filtered.ts';

/** What a run is for: against what it runs, and whether it was to run all tests, where that is known. */
export const purposeOf = (
  { environment }: Pick<Options, 'environment'>,
  runner: string,
  args: readonly string[],
): Readonly<Record<string, unknown>> => {
  const filtered =
    runner === 'playwright' || runner === 'vitest' || runner === 'jest' ? isFiltered(runner, args) : null;
  return { ...(environment === null ? {} : { environment }), ...(filtered === null ? {} : { filtered }) };
};
