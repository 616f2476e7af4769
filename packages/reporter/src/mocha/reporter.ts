import type { Attempt } from '@assay/import/case';
import type { GivenOptions } from '../options/options.ts';
import { outputTo } from '../output.ts';
import { openSession, orNot, versionOf } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { buildMochaCase, failedAttempt, keyOf } from './build-case.ts';
import { findReporter } from './show.ts';
import type { MochaError, MochaReporter, MochaRunnable, MochaRunner, MochaSuite } from './types.ts';

/** Beside those of all reporters: which reporter prints, `spec` by default; `none` beside others. */
export type MochaOptions = GivenOptions & { readonly show?: string };

interface Given {
  readonly reporterOptions?: Readonly<Record<string, unknown>>;
  readonly reporterOption?: Readonly<Record<string, unknown>>;
}

/** Sends the runs of Mocha to Assay. Whatever goes wrong with that is a line of text and nothing else. */
export default class AssayReporter {
  readonly #output = outputTo(process.stderr);
  readonly #runner: MochaRunner;
  readonly #session: Session | null = null;
  #shown: MochaReporter | null = null;
  /** The tests that were told, and whether as failed. */
  readonly #told = new Map<string, boolean>();
  readonly #earlier = new Map<string, Attempt[]>();
  readonly #startMs = new Map<string, number>();

  constructor(runner: MochaRunner, given: Given = {}) {
    this.#runner = runner;
    const { show, ...options } = readGiven(given.reporterOptions ?? given.reporterOption ?? {});
    const folder = process.cwd();
    this.#show(typeof show === 'string' && show !== '' ? show : 'spec', folder, given);
    const isParallel = runner.isParallelMode?.() === true;
    this.#session = openSession(
      options,
      {
        name: 'mocha',
        title: 'Mocha',
        folder,
        details: { version: versionOf('mocha', folder), ...(isParallel ? { parallel: true } : {}) },
        shard: null,
      },
      this.#output,
    );
    const session = this.#session;
    if (session !== null) orNot(() => this.#listen(runner, session, isParallel));
  }

  /** Mocha waits for it. */
  done(failures: number, callback: (failures: number) => void): void {
    const end = (): void => callback(failures);
    const deliver = (): void => void this.#deliver(failures).then(end, end);
    if (this.#shown?.done) this.#shown.done(failures, deliver);
    else deliver();
  }

  #show(name: string, folder: string, given: Given): void {
    if (name === 'none') return;
    const found = findReporter(name, folder, process.argv[1]);
    if (found === null) this.#output.say(`Assay: there is no reporter "${name}" to print with: see show`);
    // What is wrong with it is as wrong without Assay.
    else this.#shown = new found(this.#runner, given);
  }

  #listen(runner: MochaRunner, session: Session, isParallel: boolean): void {
    const on = (event: string, listener: (runnable: MochaRunnable, error: MochaError | undefined) => void): unknown =>
      runner.on(event, (runnable, error) => orNot(() => listener(runnable, error)));
    const tell = (runnable: MochaRunnable, last: Attempt, annotations?: readonly { type: string }[]): void => {
      const key = keyOf(runnable);
      const told = { earlier: this.#earlier.get(key) ?? [], startMs: this.#startMs.get(key) ?? null };
      this.#earlier.delete(key);
      this.#startMs.delete(key);
      this.#told.set(key, last.status === 'failed' || last.status === 'timedOut');
      session.add(buildMochaCase(runnable, last, told, session.root, annotations));
    };
    // In parallel mode the tests of a file are told when all of them have ended.
    if (!isParallel) {
      on('test', (test) => {
        if (!this.#startMs.has(keyOf(test))) this.#startMs.set(keyOf(test), Date.now());
      });
    }
    on('retry', (test, error) => {
      this.#earlier.set(keyOf(test), [...(this.#earlier.get(keyOf(test)) ?? []), failedAttempt(test, error)]);
    });
    on('pass', (test) => tell(test, { status: 'passed', durationMs: test.duration }));
    on('pending', (test) => tell(test, { status: 'skipped' }));
    on('fail', (runnable, error) => {
      const attempt = failedAttempt(runnable, error);
      // An error that comes late, or a hook that fails for each of its tests.
      if (this.#told.get(keyOf(runnable)) === false) {
        session.failed(`${runnable.titlePath().join(' › ')} failed after it had passed: ${attempt.error}`);
      } else tell(runnable, attempt);
    });
    // When it ends, Mocha has thrown its tests away.
    let tests: readonly MochaRunnable[] = [];
    on('start', () => (tests = testsIn(runner.suite).filter((test) => isChosen(test, runner))));
    on('end', () => {
      for (const test of tests) {
        if (!this.#told.has(keyOf(test))) tell(test, { status: 'skipped' }, [{ type: 'did not run' }]);
      }
    });
  }

  async #deliver(failures: number): Promise<void> {
    const hasFailed = failures > 0 || [...this.#told.values()].includes(true);
    const status = hasFailed ? 'failed' : this.#runner._abort ? 'interrupted' : 'passed';
    this.#session?.ended({ status });
    await this.#session?.deliver();
  }
}

const testsIn = (suite: MochaSuite | undefined): MochaRunnable[] => [
  ...(suite?.tests ?? []),
  ...(suite?.suites ?? []).flatMap(testsIn),
];

/** By `--grep`. */
const isChosen = (test: MochaRunnable, { _grep, _invert = false }: MochaRunner): boolean =>
  _grep === undefined || _grep.test(test.titlePath().join(' ')) !== _invert;

const FLAGS = new Set(['uploadReports', 'uploadTraces', 'live']);
const NUMBERS = new Set(['timeoutMs', 'spoolMaxMb']);

/** On a command line every value is a text. */
const readGiven = (given: Readonly<Record<string, unknown>>): MochaOptions =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (FLAGS.has(name) && (value === 'true' || value === 'false')) return [name, value === 'true'];
      return [name, NUMBERS.has(name) && typeof value === 'string' ? Number(value) : value];
    }),
  );
