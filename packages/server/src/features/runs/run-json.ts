import type { RunDetails } from '@assay/contract';
import type { Context } from '../../context.ts';
import { LARGE_FROM_ROWS } from '../../http/large-answers.ts';
import { type JsonBytes, jsonBytes, putBytes, putText } from '../../json-bytes.ts';
import { RESULT_NAMES, type Results, widen } from '../../segments/results.ts';
import { indexAt, indexSpans } from '../../segments/row-indices.ts';
import { nextTurn } from '../../turns.ts';
import { createCaseWriter } from '../cases/case-json.ts';
import { NO_DETAILS } from '../cases/present-case.ts';
import { readDetailTexts } from '../cases/read-details.ts';

const CASES_PER_PIECE = 200;
const NO_DETAILS_JSON = jsonBytes(JSON.stringify(NO_DETAILS));
const BRACE = jsonBytes('}');
const COMMA = jsonBytes(',');

export interface CaseRange {
  readonly from: number;
  readonly to: number;
  readonly withDetails: boolean;
}

/**
 * Writes the JSON of a run, some cases at a time. Details are stored as JSON and go out as they are, and a run of any
 * size is sent from a few cases in memory.
 */
export async function* writeRun(
  json: JsonBytes,
  { queries, tests, damage }: Pick<Context, 'queries' | 'tests' | 'damage'>,
  head: Omit<RunDetails, 'testCases'>,
  results: Results,
  { from, to, withDetails }: CaseRange,
): AsyncGenerator<void> {
  await widen(results, RESULT_NAMES, nextTurn);
  const keep = to - from <= LARGE_FROM_ROWS;
  const writeCase = createCaseWriter(head.id, results);
  putText(json, `${JSON.stringify(head).slice(0, -1)},"testCases":[`);
  for (let start = from; start < to; start += CASES_PER_PIECE) {
    const end = Math.min(start + CASES_PER_PIECE, to);
    const named = await tests.findEach(results.testId.values.subarray(start, end), { keep });
    const texts = withDetails ? new Map<number, Uint8Array>() : null;
    for (const span of texts ? indexSpans(results, start, end) : []) {
      await readDetailTexts({ queries, damage }, head.id, span, texts!);
    }
    for (let row = start; row < end; row++) {
      if (row > from) putBytes(json, COMMA);
      writeCase(json, row, named[row - start]);
      if (texts) putFieldsOf(json, texts.get(indexAt(results, row)) ?? NO_DETAILS_JSON);
      else putBytes(json, BRACE);
    }
    yield;
  }
  putText(json, ']}');
}

/** Goes on in an object with the fields of another, up to its end. */
const putFieldsOf = (json: JsonBytes, object: Uint8Array): void => {
  putBytes(json, COMMA);
  putBytes(json, object.subarray(1));
};
