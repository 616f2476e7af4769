/** What Jest tells a reporter, as far as it is used here. What not every version has is optional. */

export interface JestConfig {
  readonly rootDir: string;
  readonly watch?: boolean;
  readonly watchAll?: boolean;
  readonly collectCoverage?: boolean;
  readonly coverageThreshold?: Readonly<Record<string, unknown>> | undefined;
  readonly forceExit?: boolean;
  readonly globalTeardown?: string | null | undefined;
  /** Paths, or paths with options. */
  readonly reporters?: readonly (string | readonly [string, unknown])[] | undefined;
  readonly shard?: { readonly shardIndex: number; readonly shardCount: number } | undefined;
}

export interface JestAssertion {
  readonly ancestorTitles: readonly string[];
  readonly title: string;
  /** `passed`, `failed`, `pending`, `skipped`, `todo` or `disabled`. */
  readonly status: string;
  readonly duration?: number | null;
  readonly startAt?: number | null;
  readonly failureMessages?: readonly string[] | null;
  /** How often it ran. */
  readonly invocations?: number;
  /** With `testLocationInResults` only. */
  readonly location?: { readonly line: number; readonly column: number } | null;
}

export interface JestFileResult {
  readonly testFilePath: string;
  readonly testResults: readonly JestAssertion[];
  /** What went wrong outside of all tests, such as when the file was loaded. */
  readonly testExecError?: { readonly message?: string; readonly stack?: string | null } | undefined;
  readonly failureMessage?: string | null;
  readonly numFailingTests: number;
}

export interface JestResults {
  readonly success: boolean;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly wasInterrupted?: boolean;
  readonly runExecError?: { readonly message?: string } | undefined;
  readonly snapshot?: { readonly failure?: boolean };
}

export interface JestContext {
  readonly config?: {
    readonly globalTeardown?: string | null | undefined;
    readonly displayName?: { readonly name: string } | undefined;
  };
}
