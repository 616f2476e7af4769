import type { SubmittedStep } from '@assay/contract';
import { type ToldAttachment, readAttachment } from './attached.ts';
import { type CaseStatus, buildCase, isFailure } from './build-case.ts';
import { type ImportContext, type Imported, finishReport } from './imported.ts';
import { type Fields, fieldsOf, listOf, numberOr, textOr, timeOf } from './json.ts';

export const isAllureResult = (report: Fields): boolean =>
  typeof report['uuid'] === 'string' && typeof report['name'] === 'string' && Array.isArray(report['labels']);

/** One `*-result.json` of a folder of Allure results: one try of one test. */
export const importAllureResult = (report: Fields, { root }: ImportContext): Imported => {
  const startTimeMs = timeOf(report['start']);
  const stopMs = timeOf(report['stop']);
  const durationMs = startTimeMs === null || stopMs === null ? null : Math.max(0, stopMs - startTimeMs);
  const labels = listOf(report['labels']).map(fieldsOf);
  const labelled = (name: string): string[] =>
    labels.flatMap((label) => (label['name'] === name ? textOr(label['value'], '') : []));
  const suites = ['parentSuite', 'suite', 'subSuite'].flatMap(labelled);
  const fullName = textOr(report['fullName'], '');
  const [file] = [...labelled('testClass'), ...labelled('package'), fullName.split('#')[0]!];
  const details = fieldsOf(report['statusDetails']);
  const status = statusOf(textOr(report['status'], 'unknown'));
  const parameters = listOf(report['parameters']).map(fieldsOf);
  const shown = parameters.filter(({ excluded, mode }) => excluded !== true && mode !== 'hidden' && mode !== 'masked');
  const values = shown.map(({ value }) => textOr(value, '')).filter((value) => value !== '');
  const name = textOr(report['name'], '');
  const built = buildCase(
    {
      titles: [...suites, values.length > 0 && report['testCaseId'] ? `${name} (${values.join(', ')})` : name],
      place: file === '' ? undefined : { file },
      attempts: [
        {
          status,
          durationMs,
          error: errorOf(details),
          startTime: startTimeMs === null ? undefined : new Date(startTimeMs).toISOString(),
        },
      ],
      tags: labelled('tag'),
      annotations:
        status === 'skipped' && details['message']
          ? [{ type: 'skip', description: textOr(details['message'], '') }]
          : [],
      steps: listOf(report['steps']).map((step) => readStep(fieldsOf(step), 0)),
    },
    root,
  );
  const key = textOr(report['historyId'], '') || textOr(report['testCaseId'], '');
  return finishReport({
    cases: [built],
    attachments: attachmentsOf(report, 0).map((told) => ({ ...told, caseIndex: 0 })),
    startTimeMs,
    durationMs,
    problems: [],
    ...(key === '' ? {} : { tryOf: { key, startMs: startTimeMs ?? 0 } }),
  });
};

/** Hooks of a test stand in a `*-container.json`, errors outside of all tests in a `*-globals.json`. */
export const isAllureSurroundings = (report: Fields): boolean =>
  (typeof report['uuid'] === 'string' && Array.isArray(report['children'])) ||
  (Array.isArray(report['errors']) && Array.isArray(report['attachments']));

/** A hook that failed before a test is told by the test too; one behind it may not be. */
export const importAllureSurroundings = (report: Fields): Imported => {
  const hooks = [report['befores'], report['afters']].flatMap(listOf).map(fieldsOf);
  const failed = hooks.filter(({ status }) => status === 'failed' || status === 'broken');
  const errors = [
    ...failed.map((hook) => errorOf(fieldsOf(hook['statusDetails'])) || `${textOr(hook['name'], 'A hook')} failed`),
    ...listOf(report['errors']).map((error) => errorOf(fieldsOf(error))),
  ];
  return finishReport({
    cases: [],
    startTimeMs: null,
    durationMs: null,
    runnerFailed: errors.length > 0,
    errors,
    problems: [],
  });
};

const statusOf = (status: string): CaseStatus => (status === 'passed' || status === 'skipped' ? status : 'failed');

const errorOf = (details: Fields): string => {
  const message = textOr(details['message'], '').trim();
  const trace = textOr(details['trace'], '').trim();
  return trace.includes(message) ? trace : [message, trace].filter((part) => part !== '').join('\n');
};

const MAX_DEPTH = 20;

/** Of a test and of its steps; their files are beside the report. */
const attachmentsOf = (fields: Fields, depth: number): ToldAttachment[] => [
  ...listOf(fields['attachments'])
    .map(fieldsOf)
    .map(({ name, source, type }) => readAttachment({ name, path: source, contentType: type }, 0)),
  ...(depth < MAX_DEPTH ? listOf(fields['steps']).flatMap((step) => attachmentsOf(fieldsOf(step), depth + 1)) : []),
];

const readStep = (step: Fields, depth: number): SubmittedStep => {
  const start = numberOr(step['start'], null);
  const stop = numberOr(step['stop'], null);
  const inner = depth < MAX_DEPTH ? listOf(step['steps']).map((one) => readStep(fieldsOf(one), depth + 1)) : [];
  return {
    title: textOr(step['name'], 'step').slice(0, 1_000) || 'step',
    duration: start === null || stop === null || stop < start ? null : stop - start,
    ...(isFailure(statusOf(textOr(step['status'], '')))
      ? { error: errorOf(fieldsOf(step['statusDetails'])) || 'failed' }
      : {}),
    ...(inner.length > 0 ? { steps: inner } : {}),
  };
};
