import { withoutAnsi } from '@assay/contract';

const LOOKED_AT = 2_000;

/** What an error of an assertion was about; the first lines of such errors are all alike. */
export const locatorOf = (error: string): string | null =>
  /^\s*Locator: +(.+)$/m.exec(withoutAnsi(error.slice(0, LOOKED_AT)))?.[1]?.trim() ?? null;
