import type { SubmittedCase } from '@assay/contract';
import { type ToldAttachment, readAttachment } from './attached.ts';
import { type Attempt, type Attempts, type CaseStatus, buildCase } from './build-case.ts';
import { goError } from './go-package.ts';
import { findPaths } from './junit-attachments.ts';
import { identifyJunitCase } from './junit-names.ts';
import { secondsOf } from './junit-times.ts';
import { MAX_ERROR, MAX_OUTPUT, growText } from './texts.ts';
import type { Attributes } from './xml.ts';

export interface JunitSuite {
  readonly name: string;
  readonly file: string | undefined;
  readonly hostname: string | undefined;
  /** Playwright puts the name of the project where others have the host. */
  readonly isOfPlaywright: boolean;
  readonly isOfGo: boolean;
}

/** A `testcase` while it is read. Its name is known when it begins, everything else when it ends. */
export interface JunitCase {
  readonly attributes: Attributes;
  readonly suites: readonly JunitSuite[];
  readonly failures: Failure[];
  /** Of attempts before the last: flaky elements of one that passed, reruns of one that failed. */
  readonly reruns: Failure[];
  /** Paths of what the last attempt left behind. */
  readonly attached: readonly string[];
  readonly properties: { readonly type: string; readonly description: string }[];
  readonly skipped: Skipped | null;
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(name: string): void;
  isAtTop(): boolean;
  output(name: 'system-out' | 'system-err'): string;
}

interface Skipped {
  readonly type: string;
  readonly reason: string;
}

interface Failure {
  readonly kind: 'failure' | 'error';
  readonly message: string;
  readonly type: string;
  readonly durationMs: number | null;
  text: string;
  stdout: string;
  stderr: string;
  attached: readonly string[];
}

const FAILURES = new Set(['failure', 'error']);
const RERUNS = new Set(['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError']);
const MAX_PROPERTIES = 200;

export const startJunitCase = (attributes: Attributes, suites: readonly JunitSuite[]): JunitCase => {
  const path: string[] = [];
  const failures: Failure[] = [];
  const reruns: Failure[] = [];
  const properties: { type: string; description: string }[] = [];
  const outputs = { 'system-out': growText(MAX_OUTPUT), 'system-err': growText(MAX_OUTPUT) };
  let skipped: Skipped | null = null;
  let failure: Failure | null = null;
  let text = growText(MAX_ERROR);
  let property: Attributes = {};
  const attached = findPaths();
  let attachedToRerun = findPaths();

  return {
    attributes,
    suites: [...suites],
    failures,
    reruns,
    properties,
    attached: attached.paths,
    get skipped() {
      return skipped;
    },
    open(name, given) {
      path.push(name);
      if (path.length === 1 && (FAILURES.has(name) || RERUNS.has(name))) {
        failure = startFailure(name, given);
        attachedToRerun = findPaths();
        text = growText(MAX_ERROR);
      } else if (name === 'property') {
        property = given;
        attached.add(given['value'] ?? '');
        text = growText(MAX_OUTPUT);
      } else if (name === 'stackTrace' || isOutput(name)) text = growText(MAX_ERROR);
      else if (path.length === 1 && name === 'skipped') {
        skipped = { type: given['type'] ?? '', reason: given['message'] ?? '' };
        text = growText(MAX_OUTPUT);
      }
    },
    text(piece) {
      const inside = path[path.length - 1];
      if (isOutput(inside) || inside === 'property') (failure === null ? attached : attachedToRerun).add(piece);
      if (path.length === 1 && isOutput(inside)) outputs[inside].add(piece);
      else if (inside !== undefined) text.add(piece);
    },
    close(name) {
      path.pop();
      if (failure !== null && path.length === 1) addToFailure(failure, name, text.text());
      else if (failure !== null && path.length === 0) {
        if (failure.text === '') failure.text = text.text();
        failure.attached = attachedToRerun.paths;
        (RERUNS.has(name) ? reruns : failures).push(failure);
        failure = null;
      } else if (name === 'property' && properties.length < MAX_PROPERTIES) {
        properties.push({ type: property['name'] ?? 'property', description: property['value'] ?? text.text().trim() });
      } else if (name === 'skipped' && path.length === 0 && skipped?.reason === '') {
        skipped = { ...skipped, reason: text.text().trim() };
      }
    },
    isAtTop: () => path.length === 0,
    output: (name) => outputs[name].text().trim(),
  };
};

export const finishJunitCase = (read: JunitCase, root: string): SubmittedCase => {
  const { attributes, failures, reruns, skipped, properties } = read;
  const stdout = read.output('system-out');
  const stderr = read.output('system-err');
  const last: Attempt = {
    status: statusOf(read),
    durationMs: secondsOf(attributes['time']),
    error: failures.map(errorText).join('\n\n') || skipped?.reason,
    stdout,
    stderr,
  };
  const tags = properties.filter(({ type }) => type === 'tag' || type === 'tags');
  const annotations = properties.filter(({ type }) => type !== 'tag' && type !== 'tags');
  if (skipped?.reason) annotations.push({ type: 'skip', description: skipped.reason });
  return buildCase(
    {
      ...identifyJunitCase(attributes, read.suites),
      attempts: attemptsOf(failures, reruns, last),
      tags: tags.flatMap(({ description }) => description.split(/[,\s]+/)).filter((tag) => tag !== ''),
      annotations,
      metadata: failures.some(({ kind }) => kind === 'error') ? { outcome: 'error' } : undefined,
    },
    root,
  );
};

/** Surefire tells the first failure of a failed test as its failure, and those of the reruns behind it. */
const attemptsOf = (failures: readonly Failure[], reruns: readonly Failure[], last: Attempt): Attempts => {
  const rerun = reruns[reruns.length - 1];
  if (failures.length === 0 || rerun === undefined) return [...reruns.map(attemptOf), last];
  const earlier = [...failures, ...reruns.slice(0, -1)].map(attemptOf);
  const { status, error, durationMs } = attemptOf(rerun);
  return [...earlier, { ...last, status, error, durationMs: durationMs ?? last.durationMs }];
};

/** What each attempt left behind. */
export const attachmentsOf = ({ failures, reruns, attached }: JunitCase): ToldAttachment[] => {
  const isAgain = failures.length > 0 && reruns.length > 0;
  const earlier = isAgain ? [...failures, ...reruns] : reruns;
  const last = isAgain ? earlier.length - 1 : reruns.length;
  return [
    ...earlier.flatMap((failure, attempt) => failure.attached.map((path) => readAttachment({ path }, attempt))),
    ...attached.map((path) => readAttachment({ path }, last)),
  ];
};

const isOutput = (name: string | undefined): name is 'system-out' | 'system-err' =>
  name === 'system-out' || name === 'system-err';

const startFailure = (name: string, given: Attributes): Failure => ({
  kind: /error$/i.test(name) ? 'error' : 'failure',
  message: given['message'] ?? '',
  type: given['type'] ?? '',
  durationMs: secondsOf(given['time']),
  text: '',
  stdout: '',
  stderr: '',
  attached: [],
});

const addToFailure = (failure: Failure, name: string, text: string): void => {
  if (name === 'system-out') failure.stdout = text.trim();
  else if (name === 'system-err') failure.stderr = text.trim();
  else if (name === 'stackTrace') failure.text = text;
};

/** CTest, GoogleTest and others mark a test that did not run by an attribute alone. */
const NOT_RUN = /^(?:notrun|not run|disabled|skipped|suppressed|ignored|inactive|pending)$/i;

const FAILED = /^(?:fail|failed|failure|error|errored|broken|aborted|timeout)$/i;

/** CTest fails because of a test that it cannot start, but writes it as skipped. */
const CANNOT_START =
  /^(?:Unable to find executable|Missing Configuration|Required Files Missing|Fixture dependency failed|Failed test dependencies|Insufficient resources)/i;

const statusOf = ({ attributes, failures, skipped }: JunitCase): CaseStatus => {
  if (skipped !== null && attributes['status'] === 'notrun' && CANNOT_START.test(skipped.reason)) return 'failed';
  // Node writes both elements for a test marked as to do, which fails nothing.
  if (skipped !== null && (failures.length === 0 || skipped.type === 'todo')) return 'skipped';
  if (failures.length > 0) return failures.every(isTimeout) ? 'timedOut' : 'failed';
  const marks = [attributes['status'], attributes['result']];
  if (marks.some((mark) => mark !== undefined && NOT_RUN.test(mark.trim()))) return 'skipped';
  return marks.some((mark) => mark !== undefined && FAILED.test(mark.trim())) ? 'failed' : 'passed';
};

const isTimeout = ({ type, message }: Failure): boolean =>
  /TimedOutException$|^testTimeoutFailure$/.test(type) || /^test (?:timeout of|timed out (?:after|in)) /i.test(message);

const attemptOf = (failure: Failure): Attempt => ({
  status: isTimeout(failure) ? 'timedOut' : 'failed',
  durationMs: failure.durationMs,
  error: errorText(failure),
  stdout: failure.stdout,
  stderr: failure.stderr,
});

const errorText = ({ type, message, text }: Failure): string => {
  const body = text.replace(/^\s*\n/, '').trimEnd();
  // What gotestsum writes is the output of the test.
  if (message === 'Failed' && body.startsWith('=== RUN ')) return goError(body) || message;
  const first = message.trim().split('\n')[0]!;
  if (first === '' || body.includes(first)) return body || type;
  return body === '' ? message.trim() || type : `${message.trim()}\n${body}`;
};
