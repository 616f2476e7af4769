import type { CaseDetails, SubmittedCase } from '@assay/contract';
import type { RequestRow } from '../../segments/requests.ts';
import { type AttemptFacts, factsOfAttempts } from './attempt-facts.ts';
import { detailsOf, hasDetails, requestRows } from './case-details.ts';
import type { PlainCase } from './plain-case.ts';
import { identityOf } from './test-identity.ts';

/* Some senders submit each attempt of a test as a case of its own: these become one result, as from all others. */

/** Which attempt of its test a case is, from 0; null for a case that stands for all of them. */
export const attemptOf = ({ retry, attempt }: SubmittedCase): number | null => {
  if (typeof retry === 'number') return retry;
  return typeof attempt === 'number' ? Math.max(0, attempt - 1) : null;
};

/** One test, as its attempts tell it. */
export interface JoinedAttempts {
  readonly row: number;
  readonly status: string;
  readonly retries: number;
  readonly durationMs: number | null;
  /** Of the attempts that failed; null where the last attempt tells of all of them. */
  readonly facts: AttemptFacts | null;
  readonly details: CaseDetails | null;
  readonly requests: readonly RequestRow[];
}

export interface GrowingAttempts {
  /** The row of the test, which is `nextRow` for one that is new, and whether this is its last attempt so far. */
  add(testCase: SubmittedCase, read: PlainCase, nextRow: number): { readonly row: number; readonly isLast: boolean };
  finish(): Generator<JoinedAttempts>;
}

interface Test {
  readonly row: number;
  /** Of which attempt the outcome is. */
  last: number;
  status: string;
  retries: number;
  durationMs: number | null;
  details: string | null;
  requests: readonly RequestRow[];
  readonly attempts: Map<number, Attempt>;
}

interface Attempt {
  readonly retry: number;
  readonly status: string;
  readonly duration: number | null;
  readonly error?: string;
  readonly startTime?: string | number;
}

export const startAttempts = (): GrowingAttempts => {
  const tests: Test[] = [];
  const byIdentity = new Map<string, Test>();

  return {
    add(testCase, read, nextRow) {
      const number = attemptOf(testCase)!;
      const { file, title, browser } = identityOf(read.title, read.location, read.browser);
      const identity = JSON.stringify([file, title, browser]);
      let test = byIdentity.get(identity);
      // The same attempt again is that of another repetition of the test.
      if (test === undefined || test.attempts.has(number)) {
        test = { row: nextRow, last: -1, ...NO_OUTCOME, attempts: new Map() };
        tests.push(test);
        byIdentity.set(identity, test);
      }
      test.attempts.set(number, recordOf(testCase, number));
      const isLast = number > test.last;
      if (isLast) {
        test.last = number;
        test.status = read.status;
        test.retries = read.retries;
        test.durationMs = read.durationMs;
        test.details = hasDetails(testCase) ? JSON.stringify(detailsOf(testCase)) : null;
        test.requests = requestRows(test.row, testCase.networkRequests ?? []);
      }
      return { row: test.row, isLast };
    },
    *finish() {
      for (const { attempts, details, retries, ...test } of tests) {
        const joined = { status: test.status, retries: Math.max(retries, attempts.size - 1) };
        const told = withAttempts(details, attempts);
        const facts =
          attempts.size < 2 || !told ? null : factsOfAttempts({ ...joined, title: '', attempts: told.attempts });
        yield { ...test, ...joined, facts, details: told };
      }
    },
  };
};

const NO_OUTCOME = { status: '', retries: 0, durationMs: null, details: null, requests: [] };

const recordOf = ({ status, duration, error, startTime }: SubmittedCase, retry: number): Attempt => ({
  retry,
  status,
  duration: duration ?? null,
  ...(typeof error === 'string' ? { error } : {}),
  ...(typeof startTime === 'string' || typeof startTime === 'number' ? { startTime } : {}),
});

/** What the last attempt says of all of them counts, where it does. */
const withAttempts = (json: string | null, attempts: ReadonlyMap<number, Attempt>): CaseDetails | null => {
  const details = json === null ? null : (JSON.parse(json) as CaseDetails);
  if (attempts.size < 2 || (details !== null && details.attempts.length > 0)) return details;
  const inOrder = [...attempts.values()].sort((a, b) => a.retry - b.retry);
  return { ...(details ?? detailsOf({ title: '', status: '' })), attempts: inOrder };
};
