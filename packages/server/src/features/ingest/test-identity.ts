import { hash } from 'node:crypto';
import { type SubmittedCase, parseLocation } from '@assay/contract';

/** What makes a test the same test in two runs, and where it stood in this one. */
export interface TestIdentity {
  readonly file: string;
  readonly title: string;
  readonly browser: string | null;
  readonly line: number | null;
  readonly column: number | null;
}

export const identityOf = (title: string, location: string, browser: string | null): TestIdentity => {
  const { file, line, column } = parseLocation(location);
  return { file: file.toWellFormed(), title: title.toWellFormed(), browser, line, column };
};

export const browserName = (browser: SubmittedCase['browser']): string | null => {
  if (browser === undefined || browser === null) return null;
  const name = typeof browser === 'string' ? browser : browser.name;
  return name?.trim().toWellFormed() || null;
};

/** Lengths keep two identities apart whose texts run together. */
export const hashIdentity = ({ file, title, browser }: TestIdentity): Uint8Array =>
  hash(
    'sha256',
    `${file.length}:${title.length}:${browser === null ? '-' : browser.length}:${file}${title}${browser ?? ''}`,
    'buffer',
  ).subarray(0, 16);
