import type { SubmittedCase } from '@assay/contract';
import { type ImportedAttachment, type ToldAttachment, readAttachment } from './attached.ts';
import { type Attempt, buildCase } from './build-case.ts';
import { type ImportContext, type Imported, finishReport } from './imported.ts';
import { type Fields, fieldsOf, listOf, numberOr, takeEach, textOr, textsOf, timeOf } from './json.ts';

export const isCtrf = (report: Fields): boolean =>
  Array.isArray(fieldsOf(report['results'])['tests']) &&
  (report['reportFormat'] === 'CTRF' || 'tool' in fieldsOf(report['results']));

/** The Common Test Report Format. */
export const importCtrf = (report: Fields, { root }: ImportContext): Imported => {
  const results = fieldsOf(report['results']);
  const summary = fieldsOf(results['summary']);
  const startTimeMs = timeOf(summary['start']);
  const stopMs = timeOf(summary['stop']);
  const spanMs = startTimeMs !== null && stopMs !== null && stopMs >= startTimeMs ? stopMs - startTimeMs : null;
  const attachments: ImportedAttachment[] = [];
  let caseIndex = 0;
  const readOne = (test: Fields): SubmittedCase => {
    for (const told of attachmentsOf(test)) attachments.push({ ...told, caseIndex });
    caseIndex++;
    return readTest(test, root);
  };
  return finishReport({
    cases: takeEach(results['tests'], readOne),
    attachments,
    startTimeMs,
    durationMs: numberOr(summary['duration'], spanMs),
    runnerFailed: numberOr(summary['failed'], 0) > 0,
    problems: [],
  });
};

const attachmentsOf = (test: Fields): ToldAttachment[] =>
  [...listOf(test['retryAttempts']).map(fieldsOf), test].flatMap((attempt, at) =>
    listOf(attempt['attachments']).map((attachment) => readAttachment(attachment, at)),
  );

const readTest = (test: Fields, root: string) => {
  const file = textOr(test['filePath'], undefined);
  const name = textOr(test['name'], '');
  const earlier = listOf(test['retryAttempts']).map((attempt) => readAttempt(fieldsOf(attempt)));
  const last = readAttempt(test);
  return buildCase(
    {
      titles: titlesOf(test['suite'], file, name),
      place: file === undefined ? undefined : { file, line: numberOr(test['line'], null) },
      browser: textOr(test['browser'], undefined),
      attempts: [...earlier, last],
      retries: Math.max(numberOr(test['retries'], 0), earlier.length, test['flaky'] === true ? 1 : 0),
      tags: textsOf(test['tags']),
      steps: listOf(test['steps']).map((step) => readStep(fieldsOf(step))),
    },
    root,
  );
};

/** A list, or one text with ` > ` between its parts, as earlier versions had it. The file and the project are not titles. */
const titlesOf = (suite: unknown, file: string | undefined, name: string): string[] => {
  const parts = typeof suite === 'string' ? suite.split(' > ') : textsOf(suite);
  const fileName = file?.replaceAll('\\', '/').split('/').at(-1);
  const from = parts.findLastIndex((part) => fileName !== undefined && part.replaceAll('\\', '/').endsWith(fileName));
  const describes = parts.slice(from + 1);
  const start = `${describes.join(' ')} `;
  return [...describes, describes.length > 0 && name.startsWith(start) ? name.slice(start.length) : name];
};

const readAttempt = (attempt: Fields): Attempt => ({
  status: statusOf(attempt),
  durationMs: numberOr(attempt['duration'], null),
  startTime: isoOf(timeOf(attempt['start'])),
  error: errorOf(attempt),
  stdout: textsOf(attempt['stdout']).join('\n'),
  stderr: textsOf(attempt['stderr']).join('\n'),
});

const isoOf = (time: number | null): string | undefined => (time === null ? undefined : new Date(time).toISOString());

const statusOf = (attempt: Fields): string => {
  const status = textOr(attempt['status'], 'unknown') || 'unknown';
  const raw = textOr(attempt['rawStatus'], '').toLowerCase();
  if (status === 'failed' && /^timed?.?out$/.test(raw)) return 'timedOut';
  return status === 'pending' || (status === 'other' && /^(?:todo|disabled)$/.test(raw)) ? 'skipped' : status;
};

const errorOf = (attempt: Fields): string => {
  const message = textOr(attempt['message'], '').trim();
  const trace = textOr(attempt['trace'], '').trim();
  const told = trace.includes(message) ? trace : [message, trace].filter((part) => part !== '').join('\n');
  const snippet = textOr(attempt['snippet'], '').trimEnd();
  return snippet === '' || told.includes(snippet) ? told : `${told}\n\n${snippet}`;
};

const readStep = (step: Fields) => ({
  title: textOr(step['name'], 'step'),
  ...(step['status'] === 'failed' ? { error: 'failed' } : {}),
});
