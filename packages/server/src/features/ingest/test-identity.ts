import { hash } from 'node:crypto';
import { type SubmittedCase, parseLocation } from '@assay/contract';
import { cutText } from '../../cut-text.ts';

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
  const names = typeof browser === 'string' ? [browser] : [browser.name, browser.browserName, browser.channel];
  return names.map((name) => name?.trim().toWellFormed()).find(Boolean) ?? null;
};

const LONGEST_TITLE = 1_000;
const JOINT = ' › ';

/** The title as a test is told apart by: with its describes, unless it begins with them. */
export const fullTitle = ({ title, suitePath }: Pick<SubmittedCase, 'title' | 'suitePath'>): string => {
  const suites = [suitePath ?? []].flat().map((suite) => suite.trim());
  const path = suites.filter((suite) => suite !== '').join(JOINT);
  const isSaid = path === '' || [JOINT, ' > ', ' '].some((joint) => title.startsWith(suites.join(joint)));
  const room = LONGEST_TITLE - JOINT.length - title.length;
  return isSaid || room <= 0 ? title : `${cutText(path, room)}${JOINT}${title}`;
};

/** Lengths keep two identities apart whose texts run together. */
export const hashIdentity = ({ file, title, browser }: TestIdentity): Uint8Array =>
  hash(
    'sha256',
    `${file.length}:${title.length}:${browser === null ? '-' : browser.length}:${file}${title}${browser ?? ''}`,
    'buffer',
  ).subarray(0, 16);
