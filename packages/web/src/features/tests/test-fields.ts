import type { Test } from '@assay/contract';
import { type Filterable, type FilterRow, TEST_FIELDS, testRow, withStatuses } from '@assay/contract/filter';
import { countValues, type LoadedValues } from '../filter/completions.ts';
import { addWords } from '../filter/read-filter.ts';

/** A test with its figures and its fields under the names of the catalogue. */
export interface TestEntry {
  readonly test: Test;
  /** Shares of 0 to 1 of the runs in which it passed or failed; null when there was none. */
  readonly passRate: number | null;
  readonly flakyRate: number | null;
  readonly row: FilterRow;
}

export const entriesOf = (tests: readonly Test[]): TestEntry[] =>
  tests.map((test) => {
    const { passedRuns, failedRuns, flakyRuns } = test;
    const ran = passedRuns + failedRuns;
    return {
      test,
      passRate: ran > 0 ? passedRuns / ran : null,
      flakyRate: ran > 0 ? flakyRuns / ran : null,
      row: addWords(testRow(test), TEST_FIELDS),
    };
  });

/** What can be asked of the tests of a project. */
export const testCatalogue = (tests: readonly Test[]): Filterable =>
  withStatuses(
    TEST_FIELDS,
    countValues(tests.map(({ lastStatus }) => lastStatus)).map(([status]) => status),
  );

export const testValues = (tests: readonly Test[]): LoadedValues =>
  new Map([
    ['status', countValues(tests.map(({ lastStatus }) => lastStatus))],
    ['file', countValues(tests.map(({ filePath }) => filePath))],
    ['tag', countValues(tests.flatMap(({ tags = [] }) => tags))],
    ['browser', countValues(tests.map(({ browser }) => browser))],
    ['owner', countValues(tests.flatMap(({ owners = [] }) => owners))],
  ]);
