import type { FailedTest, FailureVerdict, RunComparison, RunVerdicts, TestCase } from '@assay/contract';
import { type Filterable, type FilterRow, RESULT_FIELDS, resultRow, withStatuses } from '@assay/contract/filter';
import { countValues, type LoadedValues } from '../filter/completions.ts';
import { addWords } from '../filter/read-filter.ts';
import { type Look, lookOfCase } from '../status/outcome.ts';
import { VERDICT_LABELS } from '../verdicts/words.ts';

/** A result of the run with what the list needs to know of it. */
export interface Result {
  readonly case: TestCase;
  readonly look: Look;
  /** Since when it fails, if it does and that is known. */
  readonly failure: FailedTest | undefined;
  /** Whose failure it is, once that was judged. */
  readonly verdict: FailureVerdict | undefined;
  /** Which branch `failure.onDefault` tells of. */
  readonly defaultBranch: string | null;
  /** The result of the test whose failure kept this one from running. */
  readonly causeId: number | undefined;
  /** Its fields under the names of the catalogue. */
  readonly row: FilterRow;
}

type Compared = Pick<RunComparison, 'comparedWith' | 'defaultRun' | 'failures'>;

/** Where there was nothing to compare with, no failure is new. */
export const resultsOf = (
  cases: readonly TestCase[],
  comparison?: Compared,
  judged?: Pick<RunVerdicts, 'verdicts'>,
): Result[] => {
  const failures = comparison?.comparedWith ? comparison.failures : [];
  const defaultBranch = comparison?.defaultRun?.branch ?? null;
  const byCase = new Map(failures.map((failure) => [failure.testCaseId, failure]));
  const verdicts = new Map(judged?.verdicts.map((verdict) => [verdict.testCaseId, verdict]));
  const causes = cases.some(({ notRun }) => notRun)
    ? new Map(cases.map((one) => [keyOf(one.title, one.filePath, one.browser), one.id]))
    : null;
  return cases.map((testCase) => {
    const failure = byCase.get(testCase.id);
    return {
      case: testCase,
      look: lookOfCase(testCase.status, testCase.retries),
      failure,
      verdict: verdicts.get(testCase.id),
      defaultBranch,
      causeId:
        testCase.notRun && causes?.get(keyOf(testCase.notRun.title, testCase.notRun.filePath, testCase.notRun.browser)),
      row: {
        ...addWords(resultRow(testCase, failure?.isNew ?? false), RESULT_FIELDS),
        verdict: verdicts.get(testCase.id)?.verdict ?? null,
      },
    };
  });
};

const keyOf = (...names: readonly (string | null)[]): string => JSON.stringify(names);

/** What can be asked of the results of a run. */
export const resultCatalogue = (cases: readonly TestCase[]): Filterable => {
  const catalogue = withStatuses(
    RESULT_FIELDS,
    countValues(cases.map(({ status }) => status)).map(([status]) => status),
  );
  return { ...catalogue, fields: { ...catalogue.fields, verdict: VERDICT_FIELD } };
};

/** Only of one run: judging the failures of many takes too long for a query. */
const VERDICT_FIELD: Filterable['fields'][string] = {
  type: 'enum',
  nullable: true,
  values: Object.keys(VERDICT_LABELS),
  description: 'Whose failure it is: yours is what the change broke',
};

export const resultValues = (cases: readonly TestCase[]): LoadedValues =>
  new Map([
    ['status', countValues(cases.map(({ status }) => status))],
    ['file', countValues(cases.map(({ filePath }) => filePath))],
    ['browser', countValues(cases.map(({ browser }) => browser))],
    ['tag', countValues(cases.flatMap(({ tags }) => tags))],
    ['owner', countValues(cases.flatMap(({ owners = [] }) => owners))],
  ]);
