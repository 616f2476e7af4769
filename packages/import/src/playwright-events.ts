import type { SubmittedStep } from '@assay/contract';
import type { Imported, TraceFile } from './imported.ts';
import { type Fields, fieldsOf, listOf, numberOr, textOr, timeOf } from './json.ts';
import { readShard } from './playwright-json.ts';
import {
  MAX_STEP_DEPTH,
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
import { type GrowingText, MAX_OUTPUT, growText } from './texts.ts';

interface BlobTest {
  readonly titles: readonly string[];
  readonly fields: Fields;
  readonly project: string;
  expectedStatus: string;
  annotations: readonly unknown[];
  readonly results: Map<string, BlobResult | PlaywrightResult>;
}

interface BlobResult {
  readonly begun: Fields;
  ended: Fields | null;
  readonly steps: Map<string, BlobStep>;
  stdout: GrowingText | null;
  stderr: GrowingText | null;
  readonly attachments: unknown[];
}

interface BlobStep {
  fields: Fields;
  readonly steps: BlobStep[];
  readonly isTop: boolean;
}

interface Read extends Omit<Imported, 'problems'> {
  /** By their paths in the archive. */
  readonly traces: readonly TraceFile[];
}

export interface BlobEvents {
  take(method: string, params: Fields): void;
  finish(): Read;
}

/** The events that Playwright writes while tests run, back into tests. Events of unknown kinds are passed over. */
export const readBlobEvents = (root: string): BlobEvents => {
  const tests = new Map<string, BlobTest>();
  const errors: string[] = [];
  let rootDir = '';
  let shard: Read['shard'] = null;
  let end: Fields = {};

  const addEntries = (entries: readonly unknown[], titles: readonly string[], project: string): void => {
    for (const fields of entries.map(fieldsOf)) {
      const within = [...titles, textOr(fields['title'], '')];
      if (typeof fields['testId'] === 'string') {
        const annotations = listOf(fields['annotations']);
        const test = { titles: within, fields, project, expectedStatus: 'passed', annotations, results: new Map() };
        tests.set(fields['testId'], test);
      } else addEntries(entriesOf(fields), within, project);
    }
  };
  const runningOf = (testId: unknown, resultId: unknown): BlobResult | undefined => {
    const result = tests.get(String(testId))?.results.get(String(resultId));
    return result && 'begun' in result ? result : undefined;
  };
  const resultOf = ({ testId, resultId }: Fields): BlobResult | undefined => runningOf(testId, resultId);

  const handlers: Readonly<Record<string, (params: Fields) => void>> = {
    onBlobReportMetadata: (params) => void (shard = readShard(params['shard'])),
    onConfigure: ({ config }) => void (rootDir = textOr(fieldsOf(config)['rootDir'], '')),
    onProject(params) {
      const project = fieldsOf(params['project']);
      // The outermost suites are files.
      for (const file of entriesOf(project)) addEntries(entriesOf(fieldsOf(file)), [], textOr(project['name'], ''));
    },
    onTestBegin({ testId, result }) {
      const begun = fieldsOf(result);
      tests.get(String(testId))?.results.set(String(begun['id']), {
        begun,
        ended: null,
        steps: new Map(),
        stdout: null,
        stderr: null,
        attachments: [],
      });
    },
    onTestEnd(params) {
      const [fields, ended] = [fieldsOf(params['test']), fieldsOf(params['result'])];
      const test = tests.get(String(fields['testId']));
      const result = runningOf(fields['testId'], ended['id']);
      if (test === undefined || result === undefined) return;
      result.ended = ended;
      // Where older versions have them.
      result.attachments.push(...listOf(ended['attachments']));
      test.expectedStatus = textOr(fields['expectedStatus'], test.expectedStatus);
      const annotations = [...listOf(ended['annotations']), ...listOf(fields['annotations'])];
      if (annotations.length > 0) test.annotations = annotations;
      // What led to it is not kept: a run may have very many tests.
      test.results.set(String(ended['id']), finishResult(result));
    },
    onAttach: (params) => void resultOf(params)?.attachments.push(...listOf(params['attachments'])),
    onStepBegin(params) {
      const result = resultOf(params);
      const fields = fieldsOf(params['step']);
      const parent = result?.steps.get(String(fields['parentStepId']));
      const step: BlobStep = { fields, steps: [], isTop: parent === undefined };
      parent?.steps.push(step);
      result?.steps.set(String(fields['id']), step);
    },
    onStepEnd(params) {
      const fields = fieldsOf(params['step']);
      const step = resultOf(params)?.steps.get(String(fields['id']));
      if (step) step.fields = { ...step.fields, ...fields };
    },
    onStdIO(params) {
      const data = textOr(params['data'], '');
      const text = params['isBase64'] === true ? Buffer.from(data, 'base64').toString() : data;
      const result = resultOf(params);
      if (result) (result[params['type'] === 'stderr' ? 'stderr' : 'stdout'] ??= growText(MAX_OUTPUT)).add(text);
    },
    onError: ({ error }) => void errors.push(readError(error)),
    onEnd: ({ result }) => void (end = fieldsOf(result)),
  };

  return {
    take: (method, params) => (Object.hasOwn(handlers, method) ? handlers[method]!(params) : undefined),
    finish() {
      const finished = [...tests.values()].map(finishTest);
      return {
        cases: finished.map((test) => buildPlaywrightCase(test, rootDir, root)),
        startTimeMs: timeOf(end['startTime']) ?? earliestStart(tests),
        durationMs: numberOr(end['duration'], null),
        status: end['status'] === 'passed' ? null : textOr(end['status'], null),
        shard,
        errors,
        traces: tracesOf(finished),
      };
    },
  };
};

/** Older versions have suites and tests apart. */
const entriesOf = (suite: Fields): readonly unknown[] =>
  Array.isArray(suite['entries']) ? suite['entries'] : [...listOf(suite['suites']), ...listOf(suite['tests'])];

const finishTest = (test: BlobTest): PlaywrightTest => ({
  ...test,
  place: readPlace(test.fields['location']),
  tags: readTags(test.fields['tags']),
  results: [...test.results.values()].map((result) => ('begun' in result ? finishResult(result) : result)),
});

/** An attempt that has begun and not ended was cut off. */
const finishResult = ({ begun, ended, steps, stdout, stderr, attachments }: BlobResult): PlaywrightResult => {
  const startMs = timeOf(begun['startTime']);
  return {
    retry: numberOr(begun['retry'], 0),
    status: ended === null ? 'interrupted' : textOr(ended['status'], 'interrupted'),
    durationMs: numberOr(ended?.['duration'], null),
    startTime: startMs === null ? undefined : new Date(startMs).toISOString(),
    errors: listOf(ended?.['errors']).map(readError),
    stdout: stdout?.text() ?? '',
    stderr: stderr?.text() ?? '',
    steps: [...steps.values()].filter(({ isTop }) => isTop).map((step) => finishStep(step)),
    traces: readTraces(attachments),
  };
};

const finishStep = (step: BlobStep): SubmittedStep => readStep(nested(step));
const nested = ({ fields, steps }: BlobStep, depth = 0): Fields => ({
  ...fields,
  steps: depth < MAX_STEP_DEPTH ? steps.map((step) => nested(step, depth + 1)) : [],
});

const earliestStart = (tests: ReadonlyMap<string, BlobTest>): number | null => {
  const starts = [...tests.values()].flatMap(({ results }) =>
    [...results.values()].flatMap(
      (result) => timeOf('begun' in result ? result.begun['startTime'] : result.startTime) ?? [],
    ),
  );
  return starts.length === 0 ? null : starts.reduce((one, other) => Math.min(one, other));
};
