import type { SubmittedCase } from '@assay/contract';
import type { SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node';
import { type Attempt, type CaseDraft, buildCase } from '../import/build-case.ts';

type Where = Pick<CaseDraft, 'browser'> & { readonly file: string; readonly root: string };

/** One case for each test, and one for each file or describe that failed by itself, as when a hook of it did. */
export const casesOf = (module: TestModule, root: string): SubmittedCase[] => {
  const where: Where = { file: module.moduleId, root, browser: module.project.name };
  const name = module.moduleId.replaceAll('\\', '/').split('/').at(-1)!;
  const cases = [...module.children.allTests()].map((test) => caseOf(test, where));
  const suites = [...module.children.allSuites()].flatMap((suite) => failureOf(suite, pathOf(suite), where));
  return [...cases, ...suites, ...failureOf(module, [name], where)];
};

const caseOf = (test: TestCase, { file, root, browser }: Where): SubmittedCase => {
  const { state } = test.result();
  const diagnostic = test.diagnostic();
  const retries = diagnostic?.retryCount ?? 0;
  const { mode } = test.options;
  const annotations =
    (test as Partial<TestCase>).annotations?.call(test).map(({ type, message }) => ({ type, description: message })) ??
    [];
  const status = statusOf(test);
  return buildCase(
    {
      titles: [...pathOf(test.parent), test.name],
      place: { file, line: test.location?.line, column: test.location?.column },
      browser,
      attempts: attemptsOf(test, retries),
      status,
      retries,
      tags: test.tags,
      annotations: [...annotations, ...skipNote(test, mode)],
      // Told apart from those of earlier attempts only where Vitest keeps each.
      error: state === 'failed' ? errorText(lastErrors(test)) : undefined,
    },
    root,
  );
};

const statusOf = (test: TestCase): string => {
  const result = test.result();
  if (result.state === 'pending') return 'interrupted';
  if (result.state !== 'failed') return result.state;
  return result.errors.some((error) => /^(?:Error: )?Test timed out in \d/.test(messageOf(error)))
    ? 'timedOut'
    : 'failed';
};

const skipNote = (test: TestCase, mode: string): { type: string; description?: string }[] => {
  const result = test.result();
  if (mode === 'todo') return [{ type: 'todo' }];
  return result.state === 'skipped' && result.note ? [{ type: 'skip', description: result.note }] : [];
};

/** Versions before 5 keep the errors of all attempts together. */
const attemptsOf = (test: TestCase, retries: number): CaseDraft['attempts'] => {
  const { stdout, stderr } = outputOf(test);
  const kept = (test as Partial<TestCase>).attempts?.call(test) ?? [];
  const attempts = kept.map(({ state, errors, duration, startTime }): Attempt => ({
    status: state,
    durationMs: duration,
    startTime: new Date(startTime).toISOString(),
    error: errorText(errors ?? []),
  }));
  const last = attempts.pop();
  if (last !== undefined) return [...attempts, { ...last, stdout, stderr }];
  const errors = test.result().errors ?? [];
  const earlier = errors.slice(0, retries).map((error): Attempt => ({ status: 'failed', error: errorText([error]) }));
  return [...earlier, { status: statusOf(test), durationMs: durationOf(test), stdout, stderr }];
};

const durationOf = (test: TestCase): number | null => test.diagnostic()?.duration ?? null;

const lastErrors = (test: TestCase): readonly SerializedError[] => {
  const kept = (test as Partial<TestCase>).attempts?.call(test) ?? [];
  return kept.at(-1)?.errors ?? test.result().errors ?? [];
};

const outputOf = (test: TestCase): { stdout: string; stderr: string } => {
  const logs = (test as Partial<TestCase>).logs?.call(test) ?? [];
  const of = (type: 'stdout' | 'stderr'): string =>
    logs
      .filter((log) => log.type === type)
      .map(({ content }) => content)
      .join('');
  return { stdout: of('stdout'), stderr: of('stderr') };
};

const failureOf = (task: TestSuite | TestModule, titles: string[], { file, root, browser }: Where): SubmittedCase[] => {
  const errors = task.errors();
  if (errors.length === 0) return [];
  const place = { file, line: task.location?.line, column: task.location?.column };
  return [buildCase({ titles, place, browser, attempts: [{ status: 'failed', error: errorText(errors) }] }, root)];
};

const pathOf = (task: TestSuite | TestModule): string[] =>
  task.type === 'module' ? [] : [...pathOf(task.parent), task.name];

/** Message, difference and stack of each. */
export const errorText = (errors: readonly SerializedError[]): string => errors.map(oneError).join('\n\n');

const oneError = (error: SerializedError): string => {
  const { name, stack } = error;
  const message = messageOf(error);
  const diff = typeof error['diff'] === 'string' ? error['diff'] : '';
  const head = name && !message.startsWith(name) ? `${name}: ${message}` : message;
  const frames = (stack ?? '').split('\n').filter((line) => /^\s*at /.test(line));
  return [head, diff, frames.join('\n')].filter((part) => part.trim() !== '').join('\n\n');
};

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
