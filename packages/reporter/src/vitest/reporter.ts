import type { Reporter, SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { environment } from '../environment.ts';
import { forgetLastRun } from '../last-run/last-run.ts';
import type { GivenOptions, Options } from '../options/options.ts';
import { readOptions } from '../options/read-options.ts';
import { outputTo } from '../output.ts';
import { sendRun } from './send-run.ts';

/** Sends the runs of Vitest to Assay. Whatever goes wrong with that is a line of text and nothing else. */
export default class AssayReporter implements Reporter {
  readonly #given: GivenOptions;
  readonly #output = outputTo(process.stderr);
  #vitest: Vitest | null = null;
  #options: Options | null = null;
  #startMs = Date.now();

  constructor(options: GivenOptions = {}) {
    this.#given = options;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    // Who watches changes a file every few seconds; these are no runs to keep.
    if (vitest.config.watch) return;
    const read = readOptions(this.#given, environment());
    if (read.ok) {
      this.#options = read.options;
      forgetLastRun(read.options, process.cwd());
    } else this.#output.say(`Assay: this run will not be sent: ${read.problems.join('; ')}`);
  }

  onTestRunStart(): void {
    this.#startMs = Date.now();
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const [vitest, options] = [this.#vitest, this.#options];
    if (vitest === null || options === null) return;
    try {
      const run = { modules, unhandledErrors, reason, startMs: this.#startMs, endMs: Date.now() };
      await sendRun(run, vitest, { options, env: environment(), output: this.#output });
    } catch (error) {
      this.#output.say(`Assay: this run will not be sent: ${String(error)}`);
    }
  }
}
