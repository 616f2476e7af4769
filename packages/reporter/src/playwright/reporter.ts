import { fileURLToPath } from 'node:url';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { environment } from '../environment.ts';
import type { GivenOptions } from '../options/options.ts';
import { readOptions } from '../options/read-options.ts';
import { outputTo } from '../output.ts';
import { isLastToReport } from './reports.ts';
import { type Session, beginSession } from './session.ts';

/** Sends the runs of Playwright to Assay. Whatever goes wrong with that is a line of text and nothing else. */
export default class AssayReporter implements Reporter {
  readonly #given: GivenOptions;
  readonly #output = outputTo(process.stderr);
  #session: Session | null = null;
  #deliversAtEnd = false;

  constructor(options?: GivenOptions) {
    this.#given = options ?? {};
  }

  /** So that Playwright still adds the reporter for the terminal when there is no other. */
  printsToStdio(): boolean {
    return false;
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#guard(() => {
      const env = environment();
      const read = readOptions(this.#given, env);
      if (!read.ok) {
        this.#output.say(`Assay: this run will not be sent: ${read.problems.join('; ')}`);
        return;
      }
      for (const note of read.notes) this.#output.say(`Assay: ${note}`);
      this.#deliversAtEnd = isLastToReport(config, isThisReporter);
      this.#session = beginSession(read.options, config, suite, {
        env,
        cwd: process.cwd(),
        args: process.argv.slice(2),
        output: this.#output,
      });
    });
  }

  onTestBegin(_test: TestCase, result: TestResult): void {
    this.#orAtTheEnd(() => this.#session?.testBegan(result));
  }

  onStdOut(chunk: string | Buffer, _test: TestCase | void, result: TestResult | void): void {
    if (result) this.#orAtTheEnd(() => this.#session?.printed(result, 'stdout', chunk));
  }

  onStdErr(chunk: string | Buffer, _test: TestCase | void, result: TestResult | void): void {
    if (result) this.#orAtTheEnd(() => this.#session?.printed(result, 'stderr', chunk));
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    this.#orAtTheEnd(() => this.#session?.testEnded(test, result));
  }

  onError(error: TestError): void {
    this.#guard(() => this.#session?.failed(error));
  }

  async onEnd(result: FullResult): Promise<void> {
    this.#guard(() => this.#session?.ended(result));
    if (this.#deliversAtEnd) await this.#deliver();
  }

  async onExit(): Promise<void> {
    if (!this.#deliversAtEnd) await this.#deliver();
  }

  async #deliver(): Promise<void> {
    await this.#session?.deliver().catch(this.#giveUp);
    this.#session = null;
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

/** Sources are one folder below those that the package consists of, which has them all in one. */
const OWN_FOLDER = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '..' : '.', import.meta.url));

const isThisReporter = (name: string): boolean => name === '@assay/reporter' || name.startsWith(OWN_FOLDER);
