import type { SubmittedCase } from '@assay/contract';
import { type CaseStatus, buildCase, isFailure } from './build-case.ts';
import { type ImportContext, type Imported, finishReport } from './imported.ts';
import { type Fields, fieldsOf, isFields, listOf, numberOr, takeEach, textOr, timeOf, unpack } from './json.ts';

export const isMochaJson = (report: Fields): boolean =>
  isFields(report['stats']) && Array.isArray(report['tests']) && Array.isArray(report['passes']);

/** What Mocha's own `json` reporter writes. Hooks that failed are among the failures only. */
export const importMochaJson = (report: Fields, { root }: ImportContext): Imported => {
  const pending = new Set(takeEach(report['pending'], keyOf));
  const failed = new Set(listOf(report['failures']).map((test) => keyOf(unpack(test))));
  const told = new Set<string>();
  const cases = takeEach(report['tests'], (test) => {
    const key = keyOf(test);
    if (failed.has(key)) told.add(key);
    return readTest(test, failed.has(key) ? 'failed' : pending.has(key) ? 'skipped' : 'passed', root);
  });
  takeEach(report['failures'], (test) => {
    if (!told.has(keyOf(test))) cases.push(readTest(test, 'failed', root));
  });
  return concluded(cases, fieldsOf(report['stats']));
};

const keyOf = (test: Fields): string => JSON.stringify([test['file'], test['fullTitle']]);

const readTest = (test: Fields, status: CaseStatus, root: string): SubmittedCase => {
  const title = textOr(test['title'], '');
  const full = textOr(test['fullTitle'], title);
  const describes = full.endsWith(` ${title}`) ? full.slice(0, -title.length - 1) : '';
  const error = fieldsOf(test['err']);
  return buildCase(
    {
      titles: [describes, title],
      place: { file: textOr(test['file'], '') },
      attempts: [
        { status: timedOut(status, error), durationMs: numberOr(test['duration'], null), error: errorOf(error) },
      ],
      retries: numberOr(test['currentRetry'], 0),
    },
    root,
  );
};

const errorOf = (error: Fields): string => textOr(error['stack'], '') || textOr(error['message'], '');

const timedOut = (status: CaseStatus, error: Fields): CaseStatus =>
  status === 'failed' &&
  (error['code'] === 'ERR_MOCHA_TIMEOUT' || /^(?:Error: )?Timeout of \d+ms exceeded/.test(errorOf(error)))
    ? 'timedOut'
    : status;

const concluded = (cases: SubmittedCase[], stats: Fields): Imported => {
  const runnerFailed = numberOr(stats['failures'], 0) > 0 && !cases.some(({ status }) => isFailure(status));
  return finishReport({
    cases,
    startTimeMs: timeOf(stats['start']),
    durationMs: numberOr(stats['duration'], null),
    runnerFailed,
    problems: [],
  });
};

export const isMochawesome = (report: Fields): boolean =>
  isFields(report['stats']) && Array.isArray(report['results']) && 'testsRegistered' in fieldsOf(report['stats']);

/** The JSON of mochawesome, which Cypress projects use too. */
export const importMochawesome = (report: Fields, { root }: ImportContext): Imported => {
  const cases: SubmittedCase[] = [];
  const visit = (suite: Fields, outer: readonly string[], outerFile: string, depth: number): void => {
    const titles = [...outer, textOr(suite['title'], '')];
    const file = textOr(suite['fullFile'], '') || textOr(suite['file'], '') || outerFile;
    const hooks = [suite['beforeHooks'], suite['afterHooks']].flatMap(listOf).map(fieldsOf);
    const add = (test: Fields): void => void cases.push(readAwesome(test, titles, file, root));
    hooks.filter(({ fail, state }) => fail === true || state === 'failed').forEach(add);
    takeEach(suite['tests'], add);
    if (depth < MAX_DEPTH) for (const inner of listOf(suite['suites'])) visit(fieldsOf(inner), titles, file, depth + 1);
  };
  for (const suite of listOf(report['results'])) visit(fieldsOf(suite), [], '', 0);
  return concluded(cases, fieldsOf(report['stats']));
};

const MAX_DEPTH = 100;

const readAwesome = (test: Fields, titles: readonly string[], file: string, root: string): SubmittedCase => {
  const error = fieldsOf(test['err']);
  const told = textOr(error['estack'], '') || textOr(error['message'], '');
  return buildCase(
    {
      titles: [...titles, textOr(test['title'], '')],
      place: { file },
      attempts: [
        {
          status: timedOut(statusOfAwesome(test), { message: told }),
          durationMs: numberOr(test['duration'], null),
          error: told,
        },
      ],
    },
    root,
  );
};

/** `skipped` is a test that a failed hook kept from running; only what passed says so. */
const statusOfAwesome = ({ state, pass, fail, pending, skipped }: Fields): CaseStatus => {
  if (fail === true || state === 'failed') return 'failed';
  if (pass === true || state === 'passed') return 'passed';
  return pending === true || skipped === true || state === 'pending' || state === 'skipped' ? 'skipped' : 'failed';
};
