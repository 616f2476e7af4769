import type { SubmittedCase } from '@assay/contract';
import { type Attempt, type CaseDraft, buildCase } from '@assay/import/case';
import { MAX_PASSED_OUTPUT, type OutputPiece, growOutput } from '@assay/import/output';
import type { SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';

/** What is told as one case: a test, or a file or describe that failed by itself, as when a hook of it did. */
export type Tellable = TestCase | TestSuite | TestModule;

export const tellablesOf = (module: TestModule): Tellable[] => {
  const suites = [...module.children.allSuites(), module];
  return [...module.children.allTests(), ...suites.filter((suite) => suite.errors().length > 0)];
};

export const buildCaseOf = (tellable: Tellable, root: string): SubmittedCase =>
  tellable.type === 'test' ? caseOf(tellable, root) : failureOf(tellable, root);

const caseOf = (test: TestCase, root: string): SubmittedCase => {
  const { state } = test.result();
  const diagnostic = test.diagnostic();
  const retries = diagnostic?.retryCount ?? 0;
  const annotations = annotationsOf(test).map(({ type, message }: { type: unknown; message: unknown }) => ({
    type: textOf(type),
    description: textOf(message),
  }));
  const status = statusOf(test);
  const built = buildCase(
    {
      titles: [...pathOf(test.parent), test.name],
      place: placeOf(test),
      browser: test.project.name,
      attempts: attemptsOf(test, retries),
      status,
      retries,
      tags: test.tags,
      annotations: [...annotations, ...skipNote(test)],
      // Told apart from those of earlier attempts only where Vitest keeps each.
      error: state === 'failed' ? errorText(lastErrors(test)) : undefined,
    },
    root,
  );
  const start = new Date(diagnostic?.startTime ?? NaN);
  return Number.isNaN(start.getTime()) ? built : { ...built, startTime: start.toISOString() };
};

const statusOf = (test: TestCase): string => {
  const result = test.result();
  if (result.state === 'pending') return hasBegun(test) ? 'interrupted' : 'skipped';
  if (result.state !== 'failed') return result.state;
  return result.errors.some((error) => /^(?:Error: )?Test timed out in \d/.test(messageOf(error)))
    ? 'timedOut'
    : 'failed';
};

const hasBegun = (test: TestCase): boolean => test.diagnostic() !== undefined;

const skipNote = (test: TestCase): { type: string; description?: string }[] => {
  const result = test.result();
  if (test.options.mode === 'todo') return [{ type: 'todo' }];
  if (result.state === 'pending' && !hasBegun(test)) return [{ type: 'did not run' }];
  return result.state === 'skipped' && result.note ? [{ type: 'skip', description: result.note }] : [];
};

/** Versions before 5 keep the errors of all attempts together. */
const attemptsOf = (test: TestCase, retries: number): CaseDraft['attempts'] => {
  const output = outputOf(test);
  const kept = (test as Partial<TestCase>).attempts?.call(test) ?? [];
  const attempts = kept.map(({ state, errors, duration, startTime }): Attempt => ({
    status: state,
    durationMs: duration,
    startTime: new Date(startTime).toISOString(),
    error: errorText(errors ?? []),
  }));
  const last = attempts.pop();
  if (last !== undefined) return [...attempts, { ...last, output }];
  const errors = test.result().errors ?? [];
  const earlier = errors.slice(0, retries).map((error): Attempt => ({ status: 'failed', error: errorText([error]) }));
  return [...earlier, { status: statusOf(test), durationMs: durationOf(test), output }];
};

const durationOf = (test: TestCase): number | null => test.diagnostic()?.duration ?? null;

const lastErrors = (test: TestCase): readonly SerializedError[] => {
  const kept = (test as Partial<TestCase>).attempts?.call(test) ?? [];
  return kept.at(-1)?.errors ?? test.result().errors ?? [];
};

export const logsOf = (test: TestCase) => (test as Partial<TestCase>).logs?.call(test) ?? [];

export const annotationsOf = (test: TestCase) => (test as Partial<TestCase>).annotations?.call(test) ?? [];

/** In the order in which it was printed. */
const outputOf = (test: TestCase): OutputPiece[] => {
  const output = growOutput();
  for (const { type, content } of logsOf(test)) output.add(type, content);
  return output.pieces(test.ok() ? MAX_PASSED_OUTPUT : undefined);
};

const failureOf = (task: TestSuite | TestModule, root: string): SubmittedCase => {
  const titles = task.type === 'module' ? [task.moduleId.replaceAll('\\', '/').split('/').at(-1)!] : pathOf(task);
  const attempts = [{ status: 'failed', error: errorText(task.errors()) }] as const;
  return buildCase({ titles, place: placeOf(task), browser: task.project.name, attempts }, root);
};

const placeOf = (tellable: Tellable) => ({
  file: tellable.type === 'module' ? tellable.moduleId : tellable.module.moduleId,
  line: tellable.location?.line,
  column: tellable.location?.column,
});

/** Playwright's, of tests in a browser: Vitest tells of each as an annotation. */
export const tracesOf = (tellable: Tellable): string[] =>
  tellable.type === 'test'
    ? annotationsOf(tellable).flatMap(({ type, attachment }) =>
        type === 'traces' && attachment?.path ? [attachment.path] : [],
      )
    : [];

const pathOf = (task: TestSuite | TestModule): string[] =>
  task.type === 'module' ? [] : [...pathOf(task.parent), task.name];

/** Message, difference and stack of each. */
export const errorText = (errors: readonly SerializedError[]): string => errors.map(oneError).join('\n\n');

const oneError = (error: SerializedError): string => {
  const { name, stack, stacks } = error;
  const message = messageOf(error);
  const diff = typeof error['diff'] === 'string' ? error['diff'] : '';
  const head = name && !message.startsWith(name) ? `${name}: ${message}` : message;
  // Those that Vitest has found in the sources: in a browser all others have its addresses.
  const known = stacks?.map(({ method, file, line, column }) => frameOf(method, `${file}:${line}:${column}`));
  const frames = known?.length ? known : (stack ?? '').split('\n').filter((line) => /^\s*at /.test(line));
  return [head, diff, frames.join('\n')].filter((part) => part.trim() !== '').join('\n\n');
};

const frameOf = (method: string, place: string): string => (method ? `    at ${method} (${place})` : `    at ${place}`);

/** Tests may annotate with anything. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Anything may be thrown: a text, or an object without a message. */
const messageOf = (error: unknown): string => {
  const { message } = (error ?? {}) as { message?: unknown };
  if (typeof message === 'string') return message;
  try {
    return JSON.stringify(message ?? error);
  } catch {
    return 'Unknown error';
  }
};
