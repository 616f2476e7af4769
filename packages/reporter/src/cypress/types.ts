/** What Cypress hands to `setupNodeEvents`, as far as it is used here. What not every version has is optional. */

export interface CypressConfig {
  readonly projectRoot: string;
  readonly version?: string;
  readonly isInteractive?: boolean;
}

export interface CypressSpec {
  /** To the project. */
  readonly relative: string;
  readonly absolute?: string;
}

export interface CypressAttempt {
  /** `passed`, `failed`, `pending` or `skipped`. */
  readonly state: string;
  /** Before version 13. */
  readonly error?: { readonly name?: string; readonly message?: string; readonly stack?: string } | null;
  readonly startedAt?: string;
  readonly wallClockStartedAt?: string;
  readonly duration?: number;
  readonly wallClockDuration?: number;
}

export interface CypressTest {
  /** Of the describes and of the test itself. */
  readonly title: readonly string[];
  readonly state: string;
  readonly displayError?: string | null;
  readonly attempts?: readonly CypressAttempt[];
  /** From version 13 on. */
  readonly duration?: number;
  /** Before version 13. */
  readonly testId?: string;
}

export interface CypressScreenshot {
  readonly path: string;
  readonly name?: string | null;
  /** Before version 13, from 0. */
  readonly testAttemptIndex?: number;
  readonly testId?: string;
}

export interface CypressSpecResults {
  /** Why the spec could not run, or did not end. */
  readonly error?: string | null;
  readonly tests?: readonly CypressTest[] | null;
  readonly screenshots?: readonly CypressScreenshot[];
  readonly video?: string | null;
  readonly stats?: { readonly failures?: number };
}

export interface CypressRunDetails {
  readonly browser?: { readonly name?: string } | null;
  readonly cypressVersion?: string;
}

export interface CypressRunResults {
  /** `failed` where Cypress itself could not run. */
  readonly status?: string;
  readonly message?: string;
  readonly totalFailed?: number;
}

/** How Cypress is told what to call. It calls one function for each event. */
export interface CypressOn {
  (event: 'before:run', handler: (details: CypressRunDetails) => void | Promise<void>): unknown;
  (
    event: 'after:spec',
    handler: (spec: CypressSpec, results: CypressSpecResults | undefined) => void | Promise<void>,
  ): unknown;
  (event: 'after:run', handler: (results: CypressRunResults | undefined) => void | Promise<void>): unknown;
}
