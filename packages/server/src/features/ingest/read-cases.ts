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
import { type GrowingResults, addOutcome, startResults } from '../../segments/results.ts';
import { MAX_ISSUES, createCheck, issuesOf, refusal } from '../../validation.ts';
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
}

/** How the cases name their tests, one list for each field. */
export interface SubmittedTests {
  readonly titles: string[];
  readonly locations: string[];
  readonly browsers: (string | null)[];
  /** For which state of a project rows of the results were given their tests ahead. */
  stagedFor?: ProjectTests;
}

const checkCase = createCheck(SubmittedCase);

/** Cases that come one by one. */
export interface GrowingCases {
  /** Adds a case that came from JSON; what was read of it, or null when it is not what the contract says. */
  addGiven(given: unknown): Readonly<PlainCase> | null;
  finish(): ReadCases;
}

export const startCases = (expectedRows: number): GrowingCases => {
  const tests: SubmittedTests = { titles: [], locations: [], browsers: [] };
  const results = startResults(expectedRows);
  const figures = startFigures();
  const requests: RequestRow[] = [];
  const details: CaseText[] = [];
  const read = emptyCase();

  return {
    addGiven(given) {
      if (!readPlainCase(given, read)) {
        const checked = checkCase(given);
        if (!checked.ok) return null;
        readFullCase(checked.value, read);
        if (hasDetails(checked.value)) {
          const caseIndex = results.rows;
          refuseDepth(caseIndex, checked.value);
          details.push({ caseIndex, json: JSON.stringify(detailsOf(checked.value)) });
          for (const request of requestRows(caseIndex, checked.value.networkRequests ?? [])) requests.push(request);
        }
      }
      tests.titles.push(read.title);
      tests.locations.push(read.location);
      tests.browsers.push(read.browser);
      addToFigures(figures, read.status, read.retries, read.durationMs);
      addOutcome(results, read);
      return read;
    },
    finish: () => ({ tests, results, figures: finishFigures(figures), requests, details }),
  };
};

/** What is wrong with the cases, as far as a person would read on; the first of them is case `firstRow`. */
export const caseIssues = (given: readonly unknown[], firstRow: number): Issue[] => {
  const issues: Issue[] = [];
  const plain = emptyCase();
  for (let row = 0; row < given.length && issues.length < MAX_ISSUES; row++) {
    if (readPlainCase(given[row], plain)) continue;
    for (const { path, message } of issuesOf(checkCase(given[row]))) {
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
  into.retries = testCase.retries ?? 0;
  into.error = testCase.error ?? null;
  into.tags = testCase.tags ?? [];
  into.startMs = typeof testCase.startTime === 'string' ? parseTime(testCase.startTime) : null;
};

/** The contract leaves the depth of some fields open. */
const refuseDepth = (row: number, { steps, attempts, metadata, webVitals }: SubmittedCase): void => {
  const issues = Object.entries({ steps, attempts, metadata, webVitals }).flatMap(
    ([field, value]): Issue | Issue[] => depthIssue(`/testCases/${row}/${field}`, value) ?? [],
  );
  if (issues.length > 0) throw refusal('invalid_body', issues);
};
