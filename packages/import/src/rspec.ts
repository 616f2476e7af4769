import { type CaseStatus, buildCase } from './build-case.ts';
import { type ImportContext, type Imported, finishReport } from './imported.ts';
import { type Fields, fieldsOf, isFields, numberOr, takeEach, textOr, textsOf } from './json.ts';

export const isRspec = (report: Fields): boolean =>
  Array.isArray(report['examples']) && isFields(report['summary']) && 'example_count' in fieldsOf(report['summary']);

/** What `rspec --format json` writes. */
export const importRspec = (report: Fields, { root }: ImportContext): Imported => {
  const summary = fieldsOf(report['summary']);
  const outside = numberOr(summary['errors_outside_of_examples_count'], 0);
  const seconds = numberOr(summary['duration'], null);
  const errors = outside > 0 ? textsOf(report['messages']).filter((message) => message.trim() !== '') : [];
  return finishReport({
    cases: takeEach(report['examples'], (example) => readExample(example, root)),
    startTimeMs: null,
    durationMs: seconds === null ? null : seconds * 1000,
    runnerFailed: outside > 0 || numberOr(summary['failure_count'], 0) > 0,
    errors,
    problems: [],
  });
};

const readExample = (example: Fields, root: string) => {
  const full = textOr(example['full_description'], '');
  const own = textOr(example['description'], '');
  const describes = own !== '' && full.endsWith(` ${own}`) ? full.slice(0, -own.length - 1) : '';
  const exception = fieldsOf(example['exception']);
  const seconds = numberOr(example['run_time'], null);
  const reason = textOr(example['pending_message'], '');
  const status = statusOf(textOr(example['status'], ''));
  return buildCase(
    {
      titles: describes === '' ? [full || own] : [describes, own],
      place: { file: textOr(example['file_path'], ''), line: numberOr(example['line_number'], null) },
      attempts: [{ status, durationMs: seconds === null ? null : seconds * 1000, error: errorOf(exception) }],
      annotations: status === 'skipped' && reason !== '' ? [{ type: 'skip', description: reason }] : [],
    },
    root,
  );
};

const statusOf = (status: string): CaseStatus =>
  status === 'passed' ? 'passed' : status === 'pending' ? 'skipped' : 'failed';

const errorOf = (exception: Fields): string => {
  const name = textOr(exception['class'], '');
  const message = textOr(exception['message'], '').trim();
  return [[name, message].filter((part) => part !== '').join(': '), ...textsOf(exception['backtrace'])]
    .join('\n')
    .trim();
};
