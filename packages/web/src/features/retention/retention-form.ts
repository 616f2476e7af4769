import type { RetentionSettings } from '@assay/contract';

const MOST_DAYS = 36_500;
const MOST_RUNS = 1_000_000;
const MOST_BRANCHES = 50;
const GIGABYTE = 1_000_000_000;

/** What is typed into the fields; an empty one is no limit. */
export interface RetentionTexts {
  readonly days: string;
  readonly runs: string;
  readonly gigabytes: string;
  readonly fileDays: string;
  readonly branches: string;
}

export const textsOf = ({ days, runs, bytes, fileDays, keepBranches }: RetentionSettings): RetentionTexts => ({
  days: days === null ? '' : String(days),
  runs: runs === null ? '' : String(runs),
  gigabytes: bytes === null ? '' : String(bytes / GIGABYTE),
  fileDays: fileDays === null ? '' : String(fileDays),
  branches: keepBranches.join(', '),
});

export type ReadRetention =
  | { readonly ok: true; readonly settings: RetentionSettings }
  | { readonly ok: false; readonly problems: Partial<Record<keyof RetentionTexts, string>> };

/** What the fields mean, or what is wrong with them. */
export const readRetention = (texts: RetentionTexts): ReadRetention => {
  const problems: Partial<Record<keyof RetentionTexts, string>> = {};
  const whole = (name: 'days' | 'runs' | 'fileDays', most: number, what: string): number | null => {
    const text = texts[name].trim();
    if (text === '') return null;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > most) problems[name] = `A whole number of ${what}, from 1`;
    return value;
  };
  const days = whole('days', MOST_DAYS, 'days');
  const runs = whole('runs', MOST_RUNS, 'runs');
  const fileDays = whole('fileDays', MOST_DAYS, 'days');
  const gigabytes = texts.gigabytes.trim();
  const bytes = gigabytes === '' ? null : Math.round(Number(gigabytes.replace(',', '.')) * GIGABYTE);
  if (bytes !== null && !(bytes >= 1 && Number.isSafeInteger(bytes)))
    problems.gigabytes = 'A number above 0, such as 0.5';
  const keepBranches = [...new Set(texts.branches.split(/[,\n]/).map((branch) => branch.trim()))].filter(Boolean);
  if (keepBranches.length > MOST_BRANCHES) problems.branches = `At most ${MOST_BRANCHES}; * stands for any text`;
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, settings: { days, runs, bytes, fileDays, keepBranches } };
};
