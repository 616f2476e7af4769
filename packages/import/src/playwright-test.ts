import type { SubmittedCase, SubmittedStep } from '@assay/contract';
import { type ImportedAttachment, type ToldAttachment, readAttachment } from './attached.ts';
import { type Attempt, type Attempts, buildCase } from './build-case.ts';
import type { TraceFile } from './imported.ts';
import { type Fields, fieldsOf, listOf, numberOr, textOr, textsOf, timeOf } from './json.ts';
import type { OutputPiece } from './output.ts';
import { type Place, fromFolder, relativeTo } from './places.ts';
import { MAX_OUTPUT, shorten, trimText } from './texts.ts';

/** A test as both of Playwright's own formats tell it. */
export interface PlaywrightTest {
  /** Of describes and the test, without the project and the file. */
  readonly titles: readonly string[];
  readonly place: Place;
  readonly project: string;
  readonly tags: readonly string[];
  readonly expectedStatus: string;
  readonly annotations: readonly unknown[];
  readonly results: readonly PlaywrightResult[];
}

export interface PlaywrightResult {
  readonly retry: number;
  readonly status: string;
  readonly durationMs: number | null;
  readonly startTime: string | undefined;
  readonly errors: readonly string[];
  readonly output: readonly OutputPiece[];
  readonly steps: readonly SubmittedStep[];
  /** Where its traces are, in the words of the report. */
  readonly traces: readonly string[];
  /** All others. */
  readonly attachments: readonly ToldAttachment[];
}

export const buildPlaywrightCase = (test: PlaywrightTest, rootDir: string, root: string): SubmittedCase => {
  const attempts = test.results.map(attemptOf);
  const last = test.results[test.results.length - 1];
  const status = statusOf(test.expectedStatus, last?.status);
  return buildCase(
    {
      titles: test.titles,
      place: placeOf(test.place, rootDir, root),
      browser: test.project,
      attempts: attempts.length > 0 ? (attempts as unknown as Attempts) : [{ status: 'skipped' }],
      status,
      error: status === 'failed' && last?.status === 'passed' ? 'Expected to fail, but passed.' : undefined,
      retries: retriesOf(test),
      tags: test.tags,
      annotations: [...readAnnotations(test.annotations), ...(last === undefined ? [{ type: 'did not run' }] : [])],
      steps: last?.steps,
    },
    root,
  );
};

/** Where the traces of a test are, as its report says. */
export const tracesOf = ({ results }: PlaywrightTest, caseIndex: number): TraceFile[] =>
  results.flatMap(({ traces }) => traces.map((path) => ({ caseIndex, path })));

export const attachmentsOf = ({ results }: PlaywrightTest, caseIndex: number): ImportedAttachment[] =>
  results.flatMap(({ attachments }) => attachments.map((told) => ({ ...told, caseIndex })));

/** A test that is expected to fail passes by failing. */
const statusOf = (expected: string, status: string | undefined): string => {
  if (status === undefined) return 'skipped';
  if (status === 'skipped' || status === 'interrupted') return status;
  if (status === expected) return 'passed';
  return status === 'passed' ? 'failed' : status;
};

/** One of a serial group is repeated when another of it failed; that alone does not make it flaky. */
const retriesOf = ({ results, expectedStatus }: PlaywrightTest): number => {
  const failed = results.some(({ status }) => status !== expectedStatus && status !== 'skipped');
  return failed ? (results[results.length - 1]?.retry ?? 0) : 0;
};

const attemptOf = ({ status, durationMs, startTime, errors, output }: PlaywrightResult): Attempt => ({
  status,
  durationMs,
  startTime,
  error: errors.join('\n\n'),
  output,
});

/** Files are relative to the folder of the tests; on another machine that folder says nothing. */
const placeOf = (place: Place, rootDir: string, root: string): Place => {
  const file = relativeTo(root, fromFolder(rootDir, place.file));
  return /^(?:\/|[a-z]:\/)/i.test(file) ? place : { ...place, file };
};

export const readPlace = (value: unknown): Place => {
  const { file, line, column } = fieldsOf(value);
  return { file: textOr(file, ''), line: numberOr(line, null), column: numberOr(column, null) };
};

/** Tags as Playwright's own API has them: with their `@`. */
export const readTags = (value: unknown): string[] =>
  textsOf(value).map((tag) => (tag.startsWith('@') ? tag : `@${tag}`));

const readAnnotations = (annotations: readonly unknown[]) =>
  annotations.map(fieldsOf).map(({ type, description }) => ({
    type: textOr(type, 'annotation'),
    description: textOr(description, undefined),
  }));

/** Message, source and stack, each once. */
export const readError = (value: unknown): string => {
  const error: Fields = fieldsOf(value);
  const message = textOr(error['message'], textOr(error['value'], ''));
  const stack = textOr(error['stack'], '');
  const frames = stack.startsWith(message) ? stack.slice(message.length) : stack;
  const snippet = textOr(error['snippet'], '');
  return [message, snippet, frames.replace(/^\n+/, '')].filter((part) => part.trim() !== '').join('\n\n');
};

export const readTraces = (attachments: readonly unknown[]): string[] =>
  attachments
    .map(fieldsOf)
    .flatMap(({ name, path }) => (name === 'trace' && typeof path === 'string' && path !== '' ? [path] : []));

/** But for traces, and for what reporters do not list. */
export const readAttachments = (attachments: readonly unknown[], retry: number): ToldAttachment[] =>
  attachments
    .map((attachment) => readAttachment(attachment, retry))
    .filter(({ name }) => name !== 'trace' && !name.startsWith('_'));

export const MAX_STEP_DEPTH = 20;
const MAX_CATEGORY = 100;

export const readStep = (value: unknown, depth = 0): SubmittedStep => {
  const step = fieldsOf(value);
  const startTime = timeOf(step['startTime']);
  const inner = depth < MAX_STEP_DEPTH ? listOf(step['steps']).map((child) => readStep(child, depth + 1)) : [];
  return {
    title: trimText(textOr(step['title'], 'step'), MAX_OUTPUT),
    duration: numberOr(step['duration'], null),
    ...(typeof step['category'] === 'string' ? { category: shorten(step['category'], MAX_CATEGORY) } : {}),
    ...(startTime === null ? {} : { startTime }),
    ...(step['error'] === undefined ? {} : { error: trimText(readError(step['error']), MAX_OUTPUT) }),
    ...(inner.length > 0 ? { steps: inner } : {}),
  };
};
