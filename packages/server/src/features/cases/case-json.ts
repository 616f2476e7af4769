import { formatTime, isFlaky, resultId } from '@assay/contract';
import type { CataloguedTest } from '../../history/test-catalogue.ts';
import { buildTestJson, placeInCase } from '../../history/test-json.ts';
import { type JsonBytes, jsonBytes, putBytes, putNumber, putText } from '../../json-bytes.ts';
import { memoise } from '../../memoise.ts';
import { type Results, statusOf } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import { UNNAMED } from './present-case.ts';

/** Writes a row of a segment, whose test is given. */
export type CaseWriter = (json: JsonBytes, row: number, test: CataloguedTest | undefined) => void;

const ID = jsonBytes('{"id":');
const NO_ERROR_NO_RETRIES = jsonBytes('null,"retries":0,"flaky":false');
const NO_TAGS = jsonBytes('[]');

/**
 * Writes the JSON of `presentCase`, all but its last brace, for lists of thousands: what a test is called is turned into
 * JSON once for each test, what an error says once for each error, and tags are stored as JSON.
 */
export const createCaseWriter = (runId: number, results: Results): CaseWriter => {
  const testIds = results.testId.values;
  const statuses = results.status.values;
  const durations = results.durationMs.values;
  const retryCounts = results.retries.values;
  const lines = results.line.values;
  const columns = results.column.values;
  const errors = results.error.values;
  const tags = results.tags.values;
  const starts = results.startMs.values;
  const statusJson = memoise((code: number) => jsonBytes(`${JSON.stringify(statusOf(results, code))},"duration":`));
  const errorJson = memoise((index: number) => jsonBytes(JSON.stringify(results.strings.at(index))));
  const tagsJson = memoise((index: number) => jsonBytes(results.strings.at(index)));

  const putErrorAndRetries = (json: JsonBytes, row: number): void => {
    const error = errors[row]!;
    const retries = retryCounts[row]!;
    if (error !== error && retries === 0) return putBytes(json, NO_ERROR_NO_RETRIES);
    if (error === error) putBytes(json, errorJson(error));
    else putText(json, 'null');
    putText(json, `,"retries":${retries},"flaky":${isFlaky(statusOf(results, statuses[row]!), retries)}`);
  };
  return (json, row, test) => {
    const testId = testIds[row]!;
    const testJson = test?.json ?? buildTestJson({ ...UNNAMED, id: testId });
    const tag = tags[row]!;
    putBytes(json, ID);
    putNumber(json, resultId(runId, indexAt(results, row)));
    putBytes(json, testJson.nameInCase);
    putBytes(json, statusJson(statuses[row]!));
    putNumber(json, durations[row]!);
    putBytes(json, placeInCase(testJson, lines[row]!, columns[row]!));
    putErrorAndRetries(json, row);
    putBytes(json, testJson.browserInCase);
    putBytes(json, tag === tag ? tagsJson(tag) : NO_TAGS);
    const startMs = starts[row]!;
    if (startMs === startMs) putText(json, `,"startTime":"${formatTime(startMs)}"`);
  };
};
