import type { FailedTest, RunComparison, TestCase } from '@assay/contract';
import type { Catalogue } from '@assay/expression';
import { countValues, type LoadedValues } from '../filter/completions.ts';
import type { FilterRow } from '../filter/read-filter.ts';
import { type Look, lookOfCase } from '../status/outcome.ts';

/** A result of the run with what the list needs to know of it. */
export interface Result {
  readonly case: TestCase;
  readonly look: Look;
  /** Since when it fails, if it does and that is known. */
  readonly failure: FailedTest | undefined;
  /** Which branch `failure.onDefault` tells of. */
  readonly defaultBranch: string | null;
  /** Its fields under the names of the catalogue. */
  readonly row: FilterRow;
}

const KNOWN_STATUSES = ['failed', 'timedOut', 'interrupted', 'passed', 'skipped'];

type Compared = Pick<RunComparison, 'comparedWith' | 'defaultRun' | 'failures'>;

/** Where there was nothing to compare with, no failure is new. */
export const resultsOf = (cases: readonly TestCase[], comparison?: Compared): Result[] => {
  const failures = comparison?.comparedWith ? comparison.failures : [];
  const defaultBranch = comparison?.defaultRun?.branch ?? null;
  const byCase = new Map(failures.map((failure) => [failure.testCaseId, failure]));
  return cases.map((testCase) => {
    const failure = byCase.get(testCase.id);
    const { status, title, filePath, error, duration, retries, flaky, tags, browser, line } = testCase;
    // In one and in lower case: asking it is several times as fast as asking three fields.
    const text = `${title}\n${filePath}\n${error ?? ''}`.toLowerCase();
    return {
      case: testCase,
      look: lookOfCase(status, retries),
      failure,
      defaultBranch,
      row: {
        status,
        title,
        file: filePath,
        error,
        duration,
        retries,
        flaky,
        tag: tags,
        browser,
        line,
        new: failure?.isNew ?? false,
        text,
      },
    };
  });
};

/** Filters that are offered where none is written. */
export const RESULT_EXAMPLES = [
  'status:failed retries:>0',
  '"log in" -tag:slow',
  'duration:>2.5s OR flaky',
  't => t.retries > 1',
];

/** What can be asked of the results of a run. Statuses that runners have are known even where no result has them. */
export const resultCatalogue = (cases: readonly TestCase[]): Catalogue => {
  const statuses = countValues(cases.map(({ status }) => status)).map(([status]) => status);
  return {
    text: ['text'],
    fields: {
      status: { type: 'enum', values: [...new Set([...statuses, ...KNOWN_STATUSES])], description: 'Status' },
      title: { type: 'string', description: 'Title, including its describe blocks', aliases: ['test'] },
      file: { type: 'string', description: 'Test file' },
      error: { type: 'string', nullable: true, description: 'Error message' },
      duration: { type: 'duration', nullable: true, description: 'Duration' },
      retries: { type: 'number', description: 'Number of retries' },
      flaky: { type: 'boolean', description: 'Passed after a retry' },
      new: { type: 'boolean', description: 'Failing now, but not in its previous run' },
      tag: { type: 'strings', description: 'Tag', aliases: ['tags'] },
      browser: { type: 'string', nullable: true, description: 'Browser or Playwright project' },
      line: { type: 'number', nullable: true, description: 'Line number' },
      text: { type: 'string', description: 'Title, file and error, which plain words search' },
    },
  };
};

export const resultValues = (cases: readonly TestCase[]): LoadedValues =>
  new Map([
    ['status', countValues(cases.map(({ status }) => status))],
    ['file', countValues(cases.map(({ filePath }) => filePath))],
    ['browser', countValues(cases.map(({ browser }) => browser))],
    ['tag', countValues(cases.flatMap(({ tags }) => tags))],
  ]);
