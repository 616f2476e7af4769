import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RequestRow, decodeRequests, requestAt } from '../../src/segments/requests.ts';
import { type Result, decodeResults, resultAt } from '../../src/segments/results.ts';
import { type TestTally, addSummary, decodeSummary, startTally, tallyAt } from '../../src/segments/summary.ts';

/** A block of version 1 in base64, as it was stored, and its rows. */
interface Sample<R> {
  readonly block: string;
  readonly rows: readonly R[];
}

const samples = JSON.parse(readFileSync(join(import.meta.dirname, 'version-1.json'), 'utf8')) as {
  readonly results: Sample<Partial<Result>>;
  readonly requests: Sample<RequestRow>;
  readonly summary: Sample<TestTally>;
};
const bytesOf = ({ block }: Sample<unknown>): Uint8Array => Buffer.from(block, 'base64');
const rowsOf = <T>(count: number, at: (row: number) => T): T[] => Array.from({ length: count }, (_, row) => at(row));

it('blocks of version 1 are read as they were written', () => {
  const results = decodeResults(bytesOf(samples.results));
  expect(rowsOf(results.rows, (row) => resultAt(results, row))).toMatchObject(samples.results.rows);
  const requests = decodeRequests(bytesOf(samples.requests));
  expect(rowsOf(requests.rows, (row) => requestAt(requests, row))).toEqual(samples.requests.rows);
  const summary = decodeSummary(bytesOf(samples.summary));
  const tally = startTally();
  addSummary(tally, summary);
  expect(rowsOf(summary.rows, (row) => tallyAt(tally, row))).toEqual(
    samples.summary.rows.map((row) => ({ ...row, failedStart: NaN, failedRunId: NaN, failedIndex: NaN })),
  );
});
