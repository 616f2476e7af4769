import type { SubmittedCase } from '@assay/contract';
import { MAX_SHARDS } from '@assay/contract/limits';
import type { ImportedAttachment } from './attached.ts';
import type { ImportContext, Imported, TraceFile } from './imported.ts';
import { type Fields, fieldsOf, isFields, listOf, numberOr, takeEach, textOr, timeOf } from './json.ts';
import { MAX_PASSED_OUTPUT, type OutputPiece, growOutput } from './output.ts';
import {
  type PlaywrightResult,
  type PlaywrightTest,
  attachmentsOf,
  buildPlaywrightCase,
  readAttachments,
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
  const cases: SubmittedCase[] = [];
  const traces: TraceFile[] = [];
  const attachments: ImportedAttachment[] = [];
  const take = (test: PlaywrightTest): void => {
    traces.push(...tracesOf(test, cases.length).filter(({ path }) => TRACE_FILE.test(path)));
    attachments.push(...attachmentsOf(test, cases.length));
    cases.push(buildPlaywrightCase(test, rootDir, root));
  };
  for (const suite of listOf(report['suites'])) readSuite(fieldsOf(suite), [], take);
  return {
    cases,
    startTimeMs: timeOf(stats['startTime']),
    durationMs: numberOr(stats['duration'], null),
    status: errors.length > 0 || numberOr(stats['unexpected'], 0) > 0 ? 'failed' : null,
    shard: readShard(config['shard']),
    errors,
    problems: [],
    traces,
    attachments,
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
const readSuite = (suite: Fields, describes: readonly string[], take: (test: PlaywrightTest) => void): void => {
  takeEach(suite['specs'], (spec) => readSpec(spec, describes).forEach(take));
  for (const inner of listOf(suite['suites']).map(fieldsOf)) {
    readSuite(inner, [...describes, textOr(inner['title'], '')], take);
  }
};

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
    output: outputOf(result),
    steps: listOf(result['steps']).map((step) => readStep(step)),
    traces: readTraces(listOf(result['attachments'])),
    attachments: readAttachments(listOf(result['attachments']), numberOr(result['retry'], 0)),
  };
};

/** The report does not say in which order the two were printed. */
const outputOf = (result: Fields): OutputPiece[] => {
  const output = growOutput();
  for (const stream of ['stdout', 'stderr'] as const) {
    for (const { text, buffer } of listOf(result[stream]).map(fieldsOf)) {
      output.add(stream, textOr(text, '') || Buffer.from(textOr(buffer, ''), 'base64').toString());
    }
  }
  return output.pieces(result['status'] === 'passed' ? MAX_PASSED_OUTPUT : undefined);
};
