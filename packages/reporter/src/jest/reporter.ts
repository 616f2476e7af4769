import type { GivenOptions } from '../options/options.ts';
import { outputTo } from '../output.ts';
import { openSession, orNot, versionOf } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { type ErrorsOfTries, addTry, casesOf } from './build-cases.ts';
import type { JestAssertion, JestConfig, JestContext, JestFileResult, JestResults } from './types.ts';

/** Jest's own, which tell nothing that would make it fail but the one for coverage, which no config names. */
const OWN_REPORTERS = new Set(['default', 'summary', 'github-actions', 'agent']);
/** After that a Jest that does not end is kept by something that a test left open. */
const LEFT_OPEN_MS = 10_000;

/** Sends the runs of Jest to Assay. Whatever goes wrong with that is a line of text and nothing else. */
export default class AssayReporter {
  readonly #config: JestConfig;
  readonly #given: GivenOptions;
  readonly #output = outputTo(process.stderr);
  /** Of files that are running. */
  readonly #tries = new Map<string, ErrorsOfTries>();
  #session: Session | null = null;

  constructor(config: JestConfig, options?: GivenOptions) {
    this.#config = config;
    this.#given = options ?? {};
  }

  onRunStart(): void {
    const { rootDir, shard, watch, watchAll } = this.#config;
    // Who watches changes a file every few seconds; these are no runs to keep.
    if (watch || watchAll) return;
    this.#session?.close();
    this.#session = openSession(
      this.#given,
      {
        name: 'jest',
        title: 'Jest',
        folder: rootDir,
        details: { version: versionOf('jest', rootDir) },
        shard: shard ? { index: shard.shardIndex, total: shard.shardCount } : null,
      },
      this.#output,
    );
  }

  /** After each try of a test. */
  onTestCaseResult({ path }: { readonly path: string }, result: JestAssertion): void {
    orNot(() => {
      const tries: ErrorsOfTries = this.#tries.get(path) ?? new Map();
      addTry(tries, result);
      this.#tries.set(path, tries);
    });
  }

  onTestResult({ context }: { readonly context?: JestContext }, result: JestFileResult): void {
    const session = this.#session;
    const project = context?.config?.displayName?.name;
    const tries = this.#tries.get(result.testFilePath);
    this.#tries.delete(result.testFilePath);
    orNot(() => session && casesOf(result, project, tries, session.root).forEach((one) => session.add(one)));
  }

  async onRunComplete(contexts: Iterable<JestContext> | undefined, results: JestResults): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    orNot(() => {
      const { message } = results.runExecError ?? {};
      if (message) session.failed(message);
      if (results.snapshot?.failure) session.failed('Jest failed because of snapshots');
    });
    const status = statusOf(results);
    // A test that runs in the process of Jest may set it.
    const failsElsewhere = status === 'passed' && (process.exitCode ?? 0) !== 0;
    if (failsElsewhere) session.failed(`The exit code of Jest was set to ${process.exitCode}`);
    session.ended({ status: failsElsewhere ? 'failed' : status });
    if (failsElsewhere || status !== 'passed' || !mayStillFail(this.#config, contexts ?? [])) {
      await session.deliver();
      return;
    }
    const tearsDown = hasTeardown(this.#config, contexts ?? []);
    const deliver = (): void => {
      clearTimeout(timer);
      process.off('beforeExit', deliver);
      const failed = !results.success || (process.exitCode ?? 0) !== 0;
      if (failed) session.failed('Jest failed outside of its tests, such as by a coverage threshold');
      session.ended({ status: failed ? 'failed' : 'passed' });
      void session.deliver();
    };
    const timer = tearsDown ? undefined : setTimeout(deliver, LEFT_OPEN_MS).unref();
    process.once('beforeExit', deliver);
  }
}

const statusOf = (results: JestResults): string => {
  const { numFailedTests, numRuntimeErrorTestSuites, runExecError, snapshot, wasInterrupted } = results;
  if (numFailedTests + numRuntimeErrorTestSuites > 0 || runExecError || snapshot?.failure) return 'failed';
  return wasInterrupted ? 'interrupted' : 'passed';
};

/**
 * Whether something that comes after this reporter may make Jest fail: a coverage threshold is checked by a reporter of
 * Jest's own, other reporters may have errors, and what tears down may throw.
 */
const mayStillFail = (config: JestConfig, contexts: Iterable<JestContext>): boolean => {
  const { collectCoverage, coverageThreshold, forceExit, reporters } = config;
  if (collectCoverage && Object.keys(coverageThreshold ?? {}).length > 0) return true;
  if (hasTeardown(config, contexts)) return true;
  const others = (reporters ?? []).map((reporter) => (typeof reporter === 'string' ? reporter : reporter[0]));
  // Jest then exits before anything that is sent later could get in.
  return !forceExit && others.filter((name) => !OWN_REPORTERS.has(name)).length > 1;
};

const hasTeardown = ({ globalTeardown }: JestConfig, contexts: Iterable<JestContext>): boolean =>
  Boolean(globalTeardown) || [...contexts].some(({ config }) => Boolean(config?.globalTeardown));
