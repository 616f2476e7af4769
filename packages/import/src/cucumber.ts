import type { SubmittedCase, SubmittedStep } from '@assay/contract';
import { type CaseStatus, buildCase } from './build-case.ts';
import { type ImportContext, type Imported, finishReport } from './imported.ts';
import { type Fields, fieldsOf, isFields, listOf, numberOr, takeEach, textOr } from './json.ts';

export const isCucumber = (report: unknown): report is readonly unknown[] =>
  Array.isArray(report) &&
  report.length > 0 &&
  report.every((feature) => isFields(feature) && Array.isArray(feature['elements']) && 'uri' in feature);

/** The JSON of Cucumber for JavaScript, Java and Ruby, and of those that write the same. */
export const importCucumber = (report: readonly unknown[], { root }: ImportContext): Imported => {
  const cases = report.map(fieldsOf).flatMap((feature) => casesOf(feature, root));
  return finishReport({
    cases,
    startTimeMs: null,
    durationMs: cases.length === 0 ? null : cases.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
    problems: [],
  });
};

/** Steps of a background stand before the scenario that they were run for. */
const casesOf = (feature: Fields, root: string): SubmittedCase[] => {
  const cases: SubmittedCase[] = [];
  let background: readonly Fields[] = [];
  takeEach(feature['elements'], (element) => {
    const steps = stepsOf(element);
    if (element['type'] === 'background') background = steps;
    else {
      cases.push(readScenario(feature, element, [...background, ...steps], root));
      background = [];
    }
  });
  return cases;
};

const stepsOf = (element: Fields): Fields[] =>
  [element['before'], element['steps'], element['after']].flatMap(listOf).map(fieldsOf);

const readScenario = (feature: Fields, element: Fields, steps: readonly Fields[], root: string): SubmittedCase => {
  const results = steps.map((step) => fieldsOf(step['result']));
  const failure = results.find((result) => statusOfStep(result) === 'failed');
  return buildCase(
    {
      titles: [textOr(feature['name'], ''), textOr(element['name'], '')],
      place: { file: textOr(feature['uri'], ''), line: numberOr(element['line'], null) },
      attempts: [
        {
          status: statusOf(results),
          durationMs: results.reduce((sum, result) => sum + (millisecondsOf(result) ?? 0), 0),
          error:
            failure === undefined
              ? undefined
              : textOr(failure['error_message'], '') || `A step is ${textOr(failure['status'], 'unknown')}`,
        },
      ],
      tags: listOf(element['tags']).map((tag) => textOr(fieldsOf(tag)['name'], '')),
      steps: steps.filter(({ hidden }) => hidden !== true).map(readStep),
    },
    root,
  );
};

/** A step that is undefined, ambiguous or pending fails the run, except in versions that are not strict. */
const statusOfStep = (result: Fields): CaseStatus => {
  const status = textOr(result['status'], 'unknown').toLowerCase();
  return status === 'passed' || status === 'skipped' ? status : 'failed';
};

const statusOf = (results: readonly Fields[]): CaseStatus => {
  const statuses = new Set(results.map(statusOfStep));
  if (statuses.has('failed')) return 'failed';
  return statuses.has('skipped') ? 'skipped' : 'passed';
};

/** They count nanoseconds. */
const millisecondsOf = (result: Fields): number | null => {
  const duration = numberOr(result['duration'], null);
  return duration === null ? null : duration / 1e6;
};

const readStep = (step: Fields): SubmittedStep => {
  const result = fieldsOf(step['result']);
  const title = `${textOr(step['keyword'], '')}${textOr(step['name'], '')}`.trim() || 'hook';
  return {
    title: title.slice(0, 1_000),
    duration: millisecondsOf(result),
    ...(statusOfStep(result) === 'failed' ? { error: textOr(result['error_message'], 'failed') } : {}),
  };
};
