import type { Attempt } from './build-case.ts';
import { type GrowingText, MAX_ERROR, growText } from './texts.ts';

export interface GoPackage {
  readonly name: string;
  started: boolean;
  result: 'pass' | 'fail' | 'skip' | null;
  failedBuild: string | null;
  /** Of the compiler. */
  readonly build: GrowingText;
  /** Of no test. */
  readonly output: GrowingText;
  /** The test binary died of it; it takes the tests that ran with it. */
  panic: { readonly isTimeout: boolean; readonly text: GrowingText } | null;
  readonly tests: Map<string, GoTest>;
}

export interface GoTest {
  readonly name: string;
  readonly attempts: Attempt[];
  readonly annotations: { type: string; description: string | undefined }[];
  output: GrowingText | null;
  begin(startTime: string | undefined): void;
  end(action: 'pass' | 'fail' | 'skip', durationMs: number | null): void;
  /** For a test that never ended. */
  close(panic: GoPackage['panic']): void;
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
  tests: new Map(),
});

/** A panic is told by whichever test prints last, and stands for all that ran. */
export const noteOutput = (within: GoPackage, output: string, test?: GoTest): void => {
  if (within.panic === null && PANIC.test(output)) {
    within.panic = { isTimeout: TIMEOUT.test(output), text: growText(MAX_ERROR) };
  }
  within.panic?.text.add(output);
  if (test === undefined) within.output.add(output);
};

export const newGoTest = (name: string): GoTest => {
  const attempts: Attempt[] = [];
  let running: { startTime: string | undefined } | null = null;
  const test: GoTest = {
    name,
    attempts,
    annotations: [],
    output: null,
    begin(startTime) {
      running = { startTime };
      test.output = null;
    },
    end(action, durationMs) {
      const told = goError(test.output?.text() ?? '');
      const startTime = running?.startTime;
      const status = STATUSES[action];
      attempts.push({ status, durationMs, startTime, ...(action === 'fail' ? { error: told || 'failed' } : {}) });
      if (action === 'skip' && told !== '') test.annotations.push({ type: 'skip', description: told });
      running = null;
      test.output = null;
    },
    close(panic) {
      if (running === null && attempts.length > 0) return;
      const own = goError(test.output?.text() ?? '');
      const error = panic === null || own.includes('panic: ') ? own : [own, panic.text.text().trim()].join('\n').trim();
      const status = panic === null ? 'interrupted' : panic.isTimeout ? 'timedOut' : 'failed';
      attempts.push({ status, startTime: running?.startTime, error: error || 'It did not end' });
      running = null;
    },
  };
  return test;
};

const FRAMING = /^\s*(?:===\s+(?:RUN|PAUSE|CONT|NAME|ATTR)|--- (?:PASS|FAIL|SKIP|BENCH):)/;

/** What a test printed, without the lines that only say that it ran. */
export const goError = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !FRAMING.test(line))
    .join('\n')
    .trim();
