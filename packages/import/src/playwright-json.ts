import { MAX_SHARDS } from '@assay/contract/limits';
import type { ImportContext, Imported } from './imported.ts';
import { type Fields, fieldsOf, isFields, listOf, numberOr, textOr, timeOf } from './json.ts';
import {
  type PlaywrightResult,
  type PlaywrightTest,
  buildPlaywrightCase,
  readError,
  readPlace,
  readStep,
  readTags,
  readTraces,
  tracesOf,
} from './playwright-test.ts';

export const isPlaywrightJson = (report: Fields): boolean =>
  isFields(report['config']) && Array.isArray(report['suites']) && Array.isArray(report['errors']);

/** What Playwright's own JSON reporter writes. */
export const importPlaywrightJson = (report: Fields, { root }: ImportContext): Imported => {
  const config = fieldsOf(report['config']);
  const stats = fieldsOf(report['stats']);
  const rootDir = textOr(config['rootDir'], '');
  const errors = listOf(report['errors']).map(readError);
  const tests = listOf(report['suites']).flatMap((suite) => readSuite(fieldsOf(suite), []));
  return {
    cases: tests.map((test) => buildPlaywrightCase(test, rootDir, root)),
    startTimeMs: timeOf(stats['startTime']),
    durationMs: numberOr(stats['duration'], null),
    status: errors.length > 0 ? 'failed' : null,
    shard: readShard(config['shard']),
    errors,
    problems: [],
    traces: tracesOf(tests).filter(({ path }) => TRACE_FILE.test(path)),
  };
};

/** A report may name any file of this machine; only what Playwright calls a trace is taken for one. */
const TRACE_FILE = /(?:^|[\\/])trace[^\\/]*\.zip$/;

export const readShard = (value: unknown): Imported['shard'] => {
  const { current, total } = fieldsOf(value);
  if (typeof current !== 'number' || typeof total !== 'number') return null;
  return Number.isInteger(current) && Number.isInteger(total) && current >= 1 && current <= total && total <= MAX_SHARDS
    ? { index: current, total }
    : null;
};

/** The outermost suite is the file; only those in it are describes. */
const readSuite = (suite: Fields, describes: readonly string[]): PlaywrightTest[] => [
  ...listOf(suite['specs']).flatMap((spec) => readSpec(fieldsOf(spec), describes)),
  ...listOf(suite['suites']).flatMap((inner) => {
    const fields = fieldsOf(inner);
    return readSuite(fields, [...describes, textOr(fields['title'], '')]);
  }),
];

const readSpec = (spec: Fields, describes: readonly string[]): PlaywrightTest[] =>
  listOf(spec['tests'])
    .map(fieldsOf)
    .map((test) => ({
      titles: [...describes, textOr(spec['title'], '')],
      place: readPlace(spec),
      project: textOr(test['projectName'], ''),
      tags: readTags(spec['tags']),
      expectedStatus: textOr(test['expectedStatus'], 'passed'),
      annotations: listOf(test['annotations']),
      results: listOf(test['results']).map((result) => readResult(fieldsOf(result))),
    }));

const readResult = (result: Fields): PlaywrightResult => {
  const startMs = timeOf(result['startTime']);
  return {
    retry: numberOr(result['retry'], 0),
    status: textOr(result['status'], 'skipped'),
    durationMs: numberOr(result['duration'], null),
    startTime: startMs === null ? undefined : new Date(startMs).toISOString(),
    errors: listOf(result['errors']).map(readError),
    stdout: outputOf(result['stdout']),
    stderr: outputOf(result['stderr']),
    steps: listOf(result['steps']).map((step) => readStep(step)),
    traces: readTraces(listOf(result['attachments'])),
  };
};

const outputOf = (pieces: unknown): string =>
  listOf(pieces)
    .map(fieldsOf)
    .map(({ text, buffer }) => textOr(text, '') || Buffer.from(textOr(buffer, ''), 'base64').toString())
    .join('');
