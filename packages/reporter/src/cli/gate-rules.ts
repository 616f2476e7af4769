import type { FailedTest, RunDetails, TestCase } from '@assay/contract';

export interface Rules {
  readonly maxFailed: number | null;
  readonly maxNewFailures: number | null;
  readonly maxFlaky: number | null;
}

/** What is known of a run; lists may be cut, counts never are. */
export interface Facts {
  readonly run: Pick<RunDetails, 'status' | 'totalTests' | 'failedTests' | 'flakyTests' | 'shards' | 'metadata'>;
  readonly failures: readonly FailedTest[];
  readonly flaky: readonly Pick<TestCase, 'id' | 'title' | 'browser'>[];
}

export interface AffectedTest {
  readonly testCaseId: number;
  readonly title: string;
  readonly browser: string | null;
}

export interface BrokenRule {
  readonly rule: string;
  readonly tests: readonly AffectedTest[];
}

export type Verdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'broken'; readonly broken: readonly BrokenRule[] }
  | { readonly kind: 'unclear'; readonly why: string; readonly mayChange: boolean };

/** A rule that is broken stays so whatever else arrives; that none is can only be told of a whole run. */
export const judge = (rules: Rules, { run, failures, flaky }: Facts): Verdict => {
  const fresh = failures.filter(({ isNew }) => isNew);
  const broken = [
    check('failed', run.failedTests, rules.maxFailed, failures),
    check('newly failed', fresh.length, rules.maxNewFailures, fresh),
    check(
      'flaky',
      run.flakyTests,
      rules.maxFlaky,
      flaky.map(({ id, ...test }) => ({ testCaseId: id, ...test })),
    ),
  ].filter((rule) => rule !== null);
  if (failedOutside(run)) broken.push({ rule: 'the run failed outside its tests', tests: [] });
  if (broken.length > 0) return { kind: 'broken', broken };
  return whyUnclear(run) ?? { kind: 'pass' };
};

/** Such as a file that could not be loaded: its tests are in no count. */
const failedOutside = ({ status, failedTests, metadata }: Facts['run']): boolean => {
  const { errors } = (metadata ?? {}) as { errors?: unknown };
  if (status === 'failed' && failedTests === 0) return true;
  return status !== 'passed' && Array.isArray(errors) && errors.length > 0;
};

const check = (what: string, count: number, most: number | null, tests: readonly AffectedTest[]): BrokenRule | null => {
  if (most === null || count <= most) return null;
  const rule = `${count} ${count === 1 ? 'test' : 'tests'} ${what} (allowed: ${most})`;
  return { rule, tests: tests.map(({ testCaseId, title, browser }) => ({ testCaseId, title, browser })) };
};

const whyUnclear = ({ status, shards, totalTests }: Facts['run']): Verdict | null => {
  if (status === 'running') return { kind: 'unclear', why: 'the run is not finished', mayChange: true };
  if (shards !== null && shards.missing.length > 0) {
    const missing = shards.missing.slice(0, 20).join(', ');
    const word = shards.missing.length === 1 ? 'shard' : 'shards';
    return { kind: 'unclear', why: `${word} ${missing} of ${shards.total} missing`, mayChange: true };
  }
  if (/^(?:interrupted|timedout)$/i.test(status)) {
    return { kind: 'unclear', why: `the run did not complete: ${status}`, mayChange: false };
  }
  return totalTests === 0 ? { kind: 'unclear', why: 'the run has no tests', mayChange: false } : null;
};
