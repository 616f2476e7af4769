import { isFlaky, resultId } from '@assay/contract';
import { toByteText } from '../../byte-text.ts';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import { memoise } from '../../memoise.ts';
import { type Results, statusAt } from '../../segments/results.ts';

/**
 * The JSON of `presentCase` as byte text, written by hand for lists of thousands: what a test is called is turned into JSON once for
 * each test, what an error says once for each error, and tags are stored as JSON.
 */
export const createCaseWriter = (
  runId: number,
  results: Results,
  names: ReadonlyMap<number, CataloguedTest>,
): ((row: number) => string) => {
  const testIds = results.testId.values;
  const durations = results.durationMs.values;
  const retryCounts = results.retries.values;
  const lines = results.line.values;
  const columns = results.column.values;
  const errors = results.error.values;
  const tags = results.tags.values;
  const statusJson = memoise((status: string) => toByteText(JSON.stringify(status)));
  const errorJson = memoise((index: number) => toByteText(JSON.stringify(results.strings.at(index))));
  const tagsJson = memoise((index: number) => toByteText(results.strings.at(index)));

  return (row) => {
    const testId = testIds[row]!;
    const { titleJson, fileJson, browserJson } = names.get(testId)?.json ?? UNNAMED;
    const status = statusAt(results, row);
    const retries = retryCounts[row]!;
    const line = numberJson(lines[row]!);
    const column = numberJson(columns[row]!);
    const place = line === 'null' ? '' : column === 'null' ? `:${line}` : `:${line}:${column}`;
    const error = errors[row]!;
    const tag = tags[row]!;
    return (
      `{"id":${resultId(runId, row)},"testId":${testId},"title":${titleJson},"status":${statusJson(status)}` +
      `,"duration":${numberJson(durations[row]!)},"location":"${fileJson}${place}","filePath":"${fileJson}"` +
      `,"line":${line},"column":${column},"error":${error === error ? errorJson(error) : 'null'}` +
      `,"retries":${retries},"flaky":${isFlaky(status, retries)},"browser":${browserJson}` +
      `,"tags":${tag === tag ? tagsJson(tag) : '[]'}}`
    );
  };
};

const UNNAMED = { titleJson: '"unknown"', fileJson: 'unknown', browserJson: 'null' };

const numberJson = (value: number): string => (value === value ? String(value) : 'null');
