import type { SubmittedCase, SubmittedStep } from '@assay/contract';
import type { ImportedAttachment } from './attached.ts';
import type { Imported, TraceFile } from './imported.ts';
import { type Fields, fieldsOf, listOf, numberOr, takeEach, textOr, timeOf } from './json.ts';
import { type GrowingOutput, MAX_PASSED_OUTPUT, growOutput } from './output.ts';
import { createPackedLists } from './packed-lists.ts';
import { readShard } from './playwright-json.ts';
import {
  MAX_STEP_DEPTH,
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

/** What one event tells of a test. */
type ToldOfTest = Partial<Omit<PlaywrightTest, 'results'>> & { readonly result?: PlaywrightResult };

interface BlobResult {
  readonly begun: Fields;
  ended: Fields | null;
  readonly steps: Map<string, BlobStep>;
  output: GrowingOutput | null;
  readonly attachments: unknown[];
}

interface BlobStep {
  fields: Fields;
  readonly steps: BlobStep[];
  readonly isTop: boolean;
}

export interface BlobRead extends Omit<Imported, 'problems'> {
  /** By their paths in the archive. */
  readonly traces: readonly TraceFile[];
  readonly attachments: readonly ImportedAttachment[];
}

export interface BlobEvents {
  take(method: string, params: Fields): void;
  finish(): BlobRead;
}

/** The events that Playwright writes while tests run, back into tests. Events of unknown kinds are passed over. */
export const readBlobEvents = (root: string): BlobEvents => {
  const tests = createPackedLists<ToldOfTest>();
  const running = new Map<string, BlobResult>();
  const errors: string[] = [];
  let rootDir = '';
  let shard: BlobRead['shard'] = null;
  let earliestMs = Infinity;
  let end: Fields = {};

  const addEntries = (entries: unknown, titles: readonly string[], project: string): void => {
    takeEach(entries, (fields) => {
      const within = [...titles, textOr(fields['title'], '')];
      if (typeof fields['testId'] === 'string') {
        tests.add(fields['testId'], {
          titles: within,
          project,
          place: readPlace(fields['location']),
          tags: readTags(fields['tags']),
          annotations: listOf(fields['annotations']),
        });
      } else addEntries(entriesOf(fields), within, project);
    });
  };
  const keyOf = (testId: unknown, resultId: unknown): string => `${String(testId)} ${String(resultId)}`;
  const resultOf = ({ testId, resultId }: Fields): BlobResult | undefined => running.get(keyOf(testId, resultId));

  const handlers: Readonly<Record<string, (params: Fields) => void>> = {
    onBlobReportMetadata: (params) => void (shard = readShard(params['shard'])),
    onConfigure: ({ config }) => void (rootDir = textOr(fieldsOf(config)['rootDir'], '')),
    onProject(params) {
      const project = fieldsOf(params['project']);
      // The outermost suites are files.
      takeEach(entriesOf(project), (file) => addEntries(entriesOf(file), [], textOr(project['name'], '')));
    },
    onTestBegin({ testId, result }) {
      const begun = fieldsOf(result);
      if (!tests.has(String(testId))) return;
      earliestMs = Math.min(earliestMs, timeOf(begun['startTime']) ?? Infinity);
      const nothing = { ended: null, steps: new Map(), output: null, attachments: [] };
      running.set(keyOf(testId, begun['id']), { begun, ...nothing });
    },
    onTestEnd(params) {
      const [fields, ended] = [fieldsOf(params['test']), fieldsOf(params['result'])];
      const key = keyOf(fields['testId'], ended['id']);
      const result = running.get(key);
      if (result === undefined) return;
      running.delete(key);
      result.ended = ended;
      // Where older versions have them.
      result.attachments.push(...listOf(ended['attachments']));
      const annotations = [...listOf(ended['annotations']), ...listOf(fields['annotations'])];
      tests.add(String(fields['testId']), {
        result: finishResult(result),
        ...(typeof fields['expectedStatus'] === 'string' ? { expectedStatus: fields['expectedStatus'] } : {}),
        ...(annotations.length > 0 ? { annotations } : {}),
      });
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
      if (result) (result.output ??= growOutput()).add(params['type'] === 'stderr' ? 'stderr' : 'stdout', text);
    },
    onError: ({ error }) => void errors.push(readError(error)),
    onEnd: ({ result }) => void (end = fieldsOf(result)),
  };

  return {
    take: (method, params) => (Object.hasOwn(handlers, method) ? handlers[method]!(params) : undefined),
    finish() {
      // An attempt that has begun and not ended was cut off.
      for (const [key, result] of running) tests.add(key.slice(0, key.indexOf(' ')), { result: finishResult(result) });
      const cases: SubmittedCase[] = [];
      const traces: TraceFile[] = [];
      const attachments: ImportedAttachment[] = [];
      for (const { items } of tests.takeAll()) {
        const test = joinTold(items);
        traces.push(...tracesOf(test, cases.length));
        attachments.push(...attachmentsOf(test, cases.length));
        cases.push(buildPlaywrightCase(test, rootDir, root));
      }
      return {
        cases,
        startTimeMs: timeOf(end['startTime']) ?? (earliestMs === Infinity ? null : earliestMs),
        durationMs: numberOr(end['duration'], null),
        status: end['status'] === 'passed' ? null : textOr(end['status'], null),
        shard,
        errors,
        traces,
        attachments,
      };
    },
  };
};

/** Older versions have suites and tests apart. */
const entriesOf = (suite: Fields): readonly unknown[] =>
  Array.isArray(suite['entries']) ? suite['entries'] : [...listOf(suite['suites']), ...listOf(suite['tests'])];

/** What is told later counts. */
const joinTold = (told: readonly ToldOfTest[]): PlaywrightTest => ({
  titles: [],
  place: readPlace(null),
  project: '',
  tags: [],
  expectedStatus: 'passed',
  annotations: [],
  ...(Object.assign({}, ...told) as ToldOfTest),
  results: told.flatMap(({ result }) => result ?? []),
});

const finishResult = ({ begun, ended, steps, output, attachments }: BlobResult): PlaywrightResult => {
  const startMs = timeOf(begun['startTime']);
  return {
    retry: numberOr(begun['retry'], 0),
    status: ended === null ? 'interrupted' : textOr(ended['status'], 'interrupted'),
    durationMs: numberOr(ended?.['duration'], null),
    startTime: startMs === null ? undefined : new Date(startMs).toISOString(),
    errors: listOf(ended?.['errors']).map(readError),
    output: output?.pieces(ended?.['status'] === 'passed' ? MAX_PASSED_OUTPUT : undefined) ?? [],
    steps: [...steps.values()].filter(({ isTop }) => isTop).map((step) => finishStep(step)),
    traces: readTraces(attachments),
    attachments: readAttachments(attachments, numberOr(begun['retry'], 0)),
  };
};

const finishStep = (step: BlobStep): SubmittedStep => readStep(nested(step));
const nested = ({ fields, steps }: BlobStep, depth = 0): Fields => ({
  ...fields,
  steps: depth < MAX_STEP_DEPTH ? steps.map((step) => nested(step, depth + 1)) : [],
});
