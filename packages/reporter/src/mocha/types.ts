/** What Mocha tells a reporter, as far as it is used here. In parallel mode these are copies from another process. */

export interface MochaRunnable {
  readonly title: string;
  readonly file?: string | undefined;
  readonly duration?: number | undefined;
  readonly state?: string | undefined;
  /** `test` or `hook`. */
  readonly type?: string | undefined;
  titlePath(): string[];
  isPending?(): boolean;
}

export interface MochaSuite {
  readonly tests?: readonly MochaRunnable[];
  readonly suites?: readonly MochaSuite[];
}

export interface MochaError {
  readonly message?: string;
  readonly stack?: string;
  readonly code?: string;
}

export interface MochaRunner {
  readonly suite?: MochaSuite;
  readonly total?: number;
  /** Whether a signal or a program has ended the run. */
  readonly _abort?: boolean;
  readonly _grep?: RegExp;
  readonly _invert?: boolean;
  isParallelMode?(): boolean;
  on(event: string, listener: (runnable: MochaRunnable, error?: MochaError) => void): unknown;
}

export interface MochaReporter {
  done?(failures: number, callback: (failures: number) => void): void;
}

export type MochaReporterClass = new (runner: MochaRunner, options: object) => MochaReporter;
