import type { RunDetails } from '@assay/contract';
import { toByteText } from '../../byte-text.ts';
import type { Context } from '../../context.ts';
import type { Results } from '../../segments/results.ts';
import { createCaseWriter } from '../cases/case-json.ts';
import { NO_DETAILS } from '../cases/present-case.ts';
import { openDetailTexts } from '../cases/read-details.ts';

const CASES_PER_PIECE = 100;
const NO_DETAILS_JSON = JSON.stringify(NO_DETAILS);

export interface CaseRange {
  readonly from: number;
  readonly to: number;
  readonly withDetails: boolean;
}

/**
 * The JSON of a run as byte text, some cases at a time. Details are stored as JSON text and go out as they are, and a run of any
 * size is sent from a few cases in memory.
 */
export async function* runJson(
  { queries, tests }: Context,
  head: Omit<RunDetails, 'testCases'>,
  results: Results,
  { from, to, withDetails }: CaseRange,
): AsyncGenerator<string> {
  const names = await tests.find(results.testId.values.subarray(from, to));
  const writeCase = createCaseWriter(head.id, results, names);
  const detailTexts = withDetails ? await openDetailTexts(queries, head.id) : null;
  yield `${toByteText(JSON.stringify(head)).slice(0, -1)},"testCases":[`;
  for (let start = from; start < to; start += CASES_PER_PIECE) {
    const end = Math.min(start + CASES_PER_PIECE, to);
    const texts = await detailTexts?.(start, end);
    let piece = '';
    for (let row = start; row < end; row++) {
      if (row > from) piece += ',';
      piece += texts ? joinObjects(writeCase(row), texts.get(row) ?? NO_DETAILS_JSON) : writeCase(row);
    }
    yield piece;
  }
  yield ']}';
}

/** One JSON object with the fields of two. */
const joinObjects = (a: string, b: string): string => `${a.slice(0, -1)},${b.slice(1)}`;
