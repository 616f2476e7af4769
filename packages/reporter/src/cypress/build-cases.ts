import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { SubmittedCase } from '@assay/contract';
import { type Attempt, type Attempts, buildCase } from '@assay/import/case';
import type { CypressAttempt, CypressSpec, CypressSpecResults, CypressTest } from './types.ts';

export interface SpecFacts {
  readonly root: string;
  readonly projectRoot: string;
  readonly browser: string | undefined;
}

/** The cases of a spec, and one for the spec itself where it could not run or failed in no test. */
export const casesOf = (spec: CypressSpec, results: CypressSpecResults, facts: SpecFacts): SubmittedCase[] => {
  const tests = results.tests ?? [];
  const cases = tests.map((test) => caseOf(test, spec, facts));
  const listed = tests.filter(({ state }) => state === 'failed').length;
  const counted = results.stats?.failures ?? 0;
  const error = results.error ?? (counted > listed ? `Cypress counts ${counted} failures, but lists ${listed}` : null);
  return error === null ? cases : [...cases, failureOf(error, spec, facts)];
};

const placeOf = ({ absolute, relative }: CypressSpec, { projectRoot }: SpecFacts) => ({
  file: absolute ?? join(projectRoot, relative),
});

const caseOf = (test: CypressTest, spec: CypressSpec, facts: SpecFacts): SubmittedCase => {
  const built = buildCase(
    {
      titles: test.title,
      place: placeOf(spec, facts),
      browser: facts.browser,
      attempts: attemptsOf(test),
      status: statusOf(test.state),
      // One that was left out since a hook failed.
      ...(test.state === 'skipped' ? { annotations: [{ type: 'did not run' }] } : {}),
    },
    facts.root,
  );
  const [first] = test.attempts ?? [];
  const startTime = first?.wallClockStartedAt ?? first?.startedAt;
  return startTime === undefined ? built : { ...built, startTime };
};

/** Version 13 and later tell nothing of an attempt but its state, and the last error and the duration of the test. */
const attemptsOf = (test: CypressTest): Attempts => {
  const told = test.attempts ?? [];
  const earlier = told
    .slice(0, -1)
    .map((attempt): Attempt => attemptOf(attempt, attempt.error ? errorText(attempt.error) : undefined));
  const last = told.at(-1) ?? { state: test.state };
  const error = test.displayError ?? (last.error ? errorText(last.error) : undefined);
  const attempt = attemptOf(last, error ? stripVTControlCharacters(error) : undefined);
  return [...earlier, { ...attempt, durationMs: attempt.durationMs ?? test.duration }];
};

const attemptOf = (attempt: CypressAttempt, error: string | undefined): Attempt => ({
  status: statusOf(attempt.state),
  durationMs: attempt.wallClockDuration ?? attempt.duration,
  startTime: attempt.wallClockStartedAt ?? attempt.startedAt,
  error,
});

const errorText = ({ name, message, stack }: NonNullable<CypressAttempt['error']>): string => {
  const head = [name, message].filter(Boolean).join(': ');
  return stack ? `${head}\n${stack}` : head;
};

/** A state that nobody knows has not passed. */
const statusOf = (state: string): string => {
  if (state === 'passed') return 'passed';
  return state === 'pending' || state === 'skipped' ? 'skipped' : 'failed';
};

const failureOf = (error: string, spec: CypressSpec, facts: SpecFacts): SubmittedCase =>
  buildCase(
    {
      titles: [spec.relative.split(/[\\/]/).at(-1) ?? spec.relative],
      place: placeOf(spec, facts),
      browser: facts.browser,
      attempts: [{ status: 'failed', error: stripVTControlCharacters(error) }],
    },
    facts.root,
  );
