import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { environment } from '../environment.ts';
import { deleteLastRun } from '../last-run/last-run.ts';
import type { GivenOptions, Options } from '../options/options.ts';
import { readOptions } from '../options/read-options.ts';
import { outputTo } from '../output.ts';
import { type Session, beginSession } from './session.ts';

const OLDEST_VITEST = 3;

/** Sends the runs of Vitest to Assay. Whatever goes wrong with that is a line of text and nothing else. */
export default class AssayReporter implements Reporter {
  readonly #given: GivenOptions;
  readonly #output = outputTo(process.stderr);
  #vitest: Vitest | null = null;
  #options: Options | null = null;
  #session: Session | null = null;

  constructor(options: GivenOptions = {}) {
    this.#given = options;
  }

  onInit(vitest: Vitest): void {
    // Older versions tell a reporter neither the beginning nor the end of a run by these names.
    if (!(Number.parseInt(vitest.version, 10) >= OLDEST_VITEST)) {
      const version = `this is Vitest ${vitest.version ?? 'of an unknown version'}`;
      this.#output.say(
        `Assay: this run will not be sent: @assay/reporter needs Vitest ${OLDEST_VITEST} or newer, but ${version}`,
      );
      return;
    }
    this.#vitest = vitest;
    // Who watches changes a file every few seconds; these are no runs to keep.
    if (vitest.config.watch) return;
    const read = readOptions(this.#given, environment());
    if (read.ok) {
      this.#options = read.options;
      for (const note of read.notes) this.#output.say(`Assay: ${note}`);
      deleteLastRun(read.options, process.cwd());
    } else this.#output.say(`Assay: this run will not be sent: ${read.problems.join('; ')}`);
  }

  onTestRunStart(): void {
    const [vitest, options] = [this.#vitest, this.#options];
    if (vitest === null || options === null) return;
    this.#guard(() => {
      this.#session = beginSession(options, vitest, {
        env: environment(),
        args: process.argv.slice(2),
        output: this.#output,
      });
    });
  }

  onTestCaseResult(test: TestCase): void {
    this.#orAtTheEnd(() => this.#session?.testEnded(test));
  }

  onTestModuleEnd(module: TestModule): void {
    this.#orAtTheEnd(() => this.#session?.moduleEnded(module));
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const session = this.#session;
    this.#session = null;
    session?.ended({ modules, errors, reason });
    // All reporters are told the end at once, and Vitest waits for what is to be done when it closes.
    if (session?.awaitsReports) this.#vitest?.onClose(() => this.#deliver(session));
    else await this.#deliver(session);
  }

  async #deliver(session: Session | null): Promise<void> {
    await session?.deliver().catch(this.#giveUp);
  }

  /** What cannot be told of one test while the run lasts is told when it has ended. */
  #orAtTheEnd(work: () => void): void {
    try {
      work();
    } catch {
      // The end tells every test.
    }
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp = (error: unknown): void => {
    this.#session?.close();
    this.#session = null;
    this.#output.say(`Assay: this run will not be sent: ${String(error)}`);
  };
}
