import type { RunDetails } from '@assay/contract';
import type { Context } from '../../context.ts';
import { valueAt } from '../../segments/block.ts';
import type { Results } from '../../segments/results.ts';
import { NO_DETAILS, presentCase } from '../cases/present-case.ts';
import { openDetailTexts } from '../cases/read-details.ts';

const CASES_PER_PIECE = 100;
const NO_DETAILS_JSON = JSON.stringify(NO_DETAILS);

export interface CaseRange {
  readonly from: number;
  readonly to: number;
  readonly withDetails: boolean;
}

/**
 * The JSON of a run, some cases at a time. Details are stored as JSON text and go out as they are, and a run of any
 * size is sent from a few cases in memory.
 */
export async function* runJson(
  { queries, tests }: Context,
  head: Omit<RunDetails, 'testCases'>,
  results: Results,
  { from, to, withDetails }: CaseRange,
): AsyncGenerator<string> {
  const names = await tests.find(
    Array.from({ length: to - from }, (_, offset) => valueAt(results.testId, from + offset)),
  );
  const detailTexts = withDetails ? await openDetailTexts(queries, head.id) : null;
  yield `${JSON.stringify(head).slice(0, -1)},"testCases":[`;
  for (let start = from; start < to; start += CASES_PER_PIECE) {
    const end = Math.min(start + CASES_PER_PIECE, to);
    const cases = Array.from({ length: end - start }, (_, offset) =>
      presentCase(head.id, start + offset, results, names),
    );
    const separator = start === from ? '' : ',';
    if (detailTexts === null) yield separator + JSON.stringify(cases).slice(1, -1);
    else {
      const texts = await detailTexts(start, end);
      const withTexts = cases.map((testCase, offset) =>
        joinObjects(JSON.stringify(testCase), texts.get(start + offset) ?? NO_DETAILS_JSON),
      );
      yield separator + withTexts.join(',');
    }
  }
  yield ']}';
}

/** One JSON object with the fields of two. */
const joinObjects = (a: string, b: string): string => `${a.slice(0, -1)},${b.slice(1)}`;
