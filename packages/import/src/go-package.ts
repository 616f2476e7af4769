import { type Attempt, type CaseDraft, isFailure } from './build-case.ts';
import { type PackedLists, createPackedLists } from './packed-lists.ts';
import { type GrowingText, MAX_ERROR, growText } from './texts.ts';

type GoResult = 'pass' | 'fail' | 'skip';

export interface GoPackage {
  readonly name: string;
  started: boolean;
  result: GoResult | null;
  failedBuild: string | null;
  /** Of the compiler. */
  readonly build: GrowingText;
  /** Of no test. */
  readonly output: GrowingText;
  /** The test binary died of it; it takes the tests that ran with it. */
  panic: { readonly isTimeout: boolean; readonly text: GrowingText } | null;
  readonly running: Map<string, RunningTest>;
  /** The attempts of each test. */
  readonly ended: PackedLists<EndedTest>;
  /** Tests whose last attempt failed. */
  readonly failed: Set<string>;
}

type Annotation = NonNullable<CaseDraft['annotations']>[number];

interface RunningTest {
  readonly startTime: string | undefined;
  readonly annotations: Annotation[];
  output: GrowingText | null;
}

export interface EndedTest {
  readonly attempt: Attempt;
  readonly annotations: readonly Annotation[];
}

const STATUSES = { pass: 'passed', fail: 'failed', skip: 'skipped' } as const;
const PANIC = /^(?:panic: |fatal error: |signal: )/;
const TIMEOUT = /^panic: test timed out after /;

export const newGoPackage = (name: string): GoPackage => ({
  name,
  started: false,
  result: null,
  failedBuild: null,
  build: growText(MAX_ERROR),
  output: growText(MAX_ERROR),
  panic: null,
  running: new Map(),
  ended: createPackedLists(),
  failed: new Set(),
});

/** A panic is told by whichever test prints last, and stands for all that ran. */
export const noteOutput = (within: GoPackage, output: string, ofTest = false): void => {
  if (within.panic === null && PANIC.test(output)) {
    within.panic = { isTimeout: TIMEOUT.test(output), text: growText(MAX_ERROR) };
  }
  within.panic?.text.add(output);
  if (!ofTest) within.output.add(output);
};

export const beginTest = (within: GoPackage, name: string, startTime: string | undefined): RunningTest => {
  const test: RunningTest = { startTime, annotations: [], output: null };
  within.running.set(name, test);
  return test;
};

export const endTest = (within: GoPackage, name: string, action: GoResult, durationMs: number | null): void => {
  const { startTime, annotations, output } = within.running.get(name) ?? beginTest(within, name, undefined);
  const told = goError(output?.text() ?? '');
  if (action === 'skip' && told !== '') annotations.push({ type: 'skip', description: told });
  const error = action === 'fail' ? { error: told || 'failed' } : {};
  addAttempt(within, name, { attempt: { status: STATUSES[action], durationMs, startTime, ...error }, annotations });
};

/** Those that never ended. */
export const closeTests = (within: GoPackage): void => {
  const panic = within.result === 'fail' ? within.panic : null;
  const status = panic === null ? 'interrupted' : panic.isTimeout ? 'timedOut' : 'failed';
  for (const [name, { startTime, annotations, output }] of within.running) {
    const own = goError(output?.text() ?? '');
    const error = panic === null || own.includes('panic: ') ? own : [own, panic.text.text().trim()].join('\n').trim();
    addAttempt(within, name, { attempt: { status, startTime, error: error || 'It did not end' }, annotations });
  }
};

const addAttempt = (within: GoPackage, name: string, ended: EndedTest): void => {
  within.running.delete(name);
  within.ended.add(name, ended);
  if (isFailure(ended.attempt.status)) within.failed.add(name);
  else within.failed.delete(name);
};

const FRAMING = /^\s*(?:===\s+(?:RUN|PAUSE|CONT|NAME|ATTR)|--- (?:PASS|FAIL|SKIP|BENCH):)/;

/** What a test printed, without the lines that only say that it ran. */
export const goError = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !FRAMING.test(line))
    .join('\n')
    .trim();
