import {
  type Issue,
  type RunFigures,
  SubmittedCase,
  addToFigures,
  finishFigures,
  parseTime,
  startFigures,
} from '@assay/contract';
import type { CaseText } from '../../segments/details.ts';
import type { RequestRow } from '../../segments/requests.ts';
import { type GrowingResults, addOutcome, putAttemptFacts, putOutcome, startResults } from '../../segments/results.ts';
import { MAX_ISSUES, createCheck, issuesOf, refusal } from '../../validation.ts';
import { writeNotRun } from '../cases/not-run.ts';
import { factsOfAttempts } from './attempt-facts.ts';
import { attemptOf, startAttempts } from './attempts.ts';
import { detailsOf, hasDetails, requestRows } from './case-details.ts';
import { depthIssue } from './json-depth.ts';
import { type PlainCase, emptyCase, readPlainCase } from './plain-case.ts';
import { browserName, fullTitle } from './test-identity.ts';
import type { ProjectTests } from './test-places.ts';

/** The cases of a submission, ready to be stored but for the places of their tests. */
export interface ReadCases {
  readonly tests: SubmittedTests;
  readonly results: GrowingResults;
  readonly figures: RunFigures;
  readonly requests: readonly RequestRow[];
  readonly details: readonly CaseText[];
  /** How many cases were sent; attempts of one test are one result. */
  readonly givenCases: number;
  /** Where each case that was sent is among the results; null when there is one result for each. */
  readonly rowsOfCases: readonly number[] | null;
  /** Which attempts of their tests cases are that were joined with others. */
  readonly attemptsOfCases: ReadonlyMap<number, number>;
  /** Which attempts of their tests results are, where they were not joined. */
  readonly attempts: readonly AttemptAt[];
}

/** A result, by its row or index, and which attempt of its test it is, from 0. */
export type AttemptAt = readonly [at: number, attempt: number];

/** How the cases name their tests, one list for each field. */
export interface SubmittedTests {
  readonly titles: string[];
  readonly locations: string[];
  readonly browsers: (string | null)[];
  /** For which state of a project rows of the results were given their tests ahead, and what `staged_tests` has of them. */
  staged?: { readonly project: ProjectTests; readonly firstIds: number[] };
}

const checkCase = createCheck(SubmittedCase);

/** Cases that come one by one. */
export interface GrowingCases {
  /** Adds a case that came from JSON; what was read of it, or null when it is not what the contract says. */
  addGiven(given: unknown): Readonly<PlainCase> | null;
  finish(): ReadCases;
}

/** Attempts that are sent as cases become one result, unless `joinsAttempts` is false. */
export const startCases = (expectedRows: number, joinsAttempts: boolean): GrowingCases => {
  const tests: SubmittedTests = { titles: [], locations: [], browsers: [] };
  const results = startResults(expectedRows);
  const figures = startFigures();
  const requests: RequestRow[] = [];
  const details: CaseText[] = [];
  const attempts = startAttempts();
  const attemptsOfCases = new Map<number, number>();
  const separate: AttemptAt[] = [];
  const read = emptyCase();
  /** Where each case that was given is; null as long as none was joined with another. */
  let rows: number[] | null = null;
  let givenCases = 0;

  const addRow = (): number => {
    tests.titles.push(read.title);
    tests.locations.push(read.location);
    tests.browsers.push(read.browser);
    addOutcome(results, read);
    return results.rows - 1;
  };
  const addAttempt = (testCase: SubmittedCase, ofCase: number): void => {
    const { row, isLast } = attempts.add(testCase, read, results.rows);
    if (row === results.rows) addRow();
    else {
      rows ??= Array.from({ length: ofCase }, (_, at) => at);
      if (isLast) putOutcome(results, row, read);
    }
    rows?.push(row);
  };

  return {
    addGiven(given) {
      const ofCase = givenCases;
      const isPlain = readPlainCase(given, read);
      if (!isPlain) {
        const checked = checkCase(given);
        if (!checked.ok || timeIssue(checked.value) !== null) return null;
        readFullCase(checked.value, read);
        const attempt = attemptOf(checked.value);
        if (joinsAttempts && attempt !== null) {
          refuseDepth(ofCase, checked.value);
          givenCases++;
          addAttempt(checked.value, ofCase);
          attemptsOfCases.set(ofCase, attempt);
          return read;
        }
        if (attempt !== null) separate.push([results.rows, attempt]);
        if (hasDetails(checked.value)) {
          const caseIndex = results.rows;
          refuseDepth(ofCase, checked.value);
          details.push({ caseIndex, json: JSON.stringify(detailsOf(checked.value)) });
          for (const request of requestRows(caseIndex, checked.value.networkRequests ?? [])) requests.push(request);
        }
      }
      givenCases++;
      addToFigures(figures, read.status, read.retries, read.durationMs);
      const row = addRow();
      rows?.push(row);
      return read;
    },
    finish() {
      for (const joined of attempts.finish()) {
        addToFigures(figures, joined.status, joined.retries, joined.durationMs);
        results.columns.retries[joined.row] = joined.retries;
        if (joined.facts) putAttemptFacts(results, joined.row, joined.facts);
        if (joined.details) details.push({ caseIndex: joined.row, json: JSON.stringify(joined.details) });
        for (const request of joined.requests) requests.push(request);
      }
      details.sort((a, b) => a.caseIndex - b.caseIndex);
      requests.sort((a, b) => a.caseIndex - b.caseIndex);
      return {
        tests,
        results,
        figures: finishFigures(figures),
        requests,
        details,
        givenCases,
        rowsOfCases: rows,
        attemptsOfCases,
        attempts: separate,
      };
    },
  };
};

/** What is wrong with the cases, as far as a person would read on; the first of them is case `firstRow`. */
export const caseIssues = (given: readonly unknown[], firstRow: number): Issue[] => {
  const issues: Issue[] = [];
  const plain = emptyCase();
  for (let row = 0; row < given.length && issues.length < MAX_ISSUES; row++) {
    if (readPlainCase(given[row], plain)) continue;
    const checked = checkCase(given[row]);
    const issue = checked.ok ? timeIssue(checked.value) : null;
    for (const { path, message } of issue ? [issue] : issuesOf(checked)) {
      issues.push({ path: `/testCases/${firstRow + row}${path}`, message });
    }
  }
  return issues;
};

const readFullCase = (testCase: SubmittedCase, into: PlainCase): void => {
  into.title = fullTitle(testCase);
  into.status = testCase.status;
  into.location = testCase.location ?? '';
  into.browser = browserName(testCase.browser);
  into.durationMs = testCase.duration ?? null;
  into.retries = testCase.retries ?? attemptOf(testCase) ?? 0;
  into.error = testCase.error ?? null;
  into.tags = testCase.tags ?? [];
  into.notRun = writeNotRun(testCase);
  into.startMs = startOf(testCase.startTime);
  const { lane, failedMs, failedError } = factsOfAttempts(testCase);
  into.lane = testCase.lane ?? lane;
  into.failedMs = failedMs;
  into.failedError = failedError;
};

const startOf = (startTime: SubmittedCase['startTime']): number | null =>
  typeof startTime === 'string' ? parseTime(startTime) : (startTime ?? null);

/** What the schema cannot say of a case. */
const timeIssue = ({ startTime }: SubmittedCase): Issue | null =>
  typeof startTime === 'string' && parseTime(startTime) === null
    ? { path: '/startTime', message: 'must be an ISO 8601 time' }
    : null;

/** The contract leaves the depth of some fields open. */
const refuseDepth = (row: number, { steps, attempts, metadata, webVitals }: SubmittedCase): void => {
  const issues = Object.entries({ steps, attempts, metadata, webVitals }).flatMap(
    ([field, value]): Issue | Issue[] => depthIssue(`/testCases/${row}/${field}`, value) ?? [],
  );
  if (issues.length > 0) throw refusal('invalid_body', issues);
};
