import type { RunDetails } from '@assay/contract';
import type { Context } from '../../context.ts';
import { valueAt } from '../../segments/block.ts';
import type { Results } from '../../segments/results.ts';
import { NO_DETAILS, presentCase } from '../cases/present-case.ts';
import { readDetailTexts } from '../cases/read-details.ts';

const NO_DETAILS_JSON = JSON.stringify(NO_DETAILS);

export interface CaseRange {
  readonly from: number;
  readonly to: number;
  readonly withDetails: boolean;
}

/**
 * The JSON of a run, case by case. Details are stored as JSON text and go out as they are, and a run of any size is
 * sent from a few cases in memory.
 */
export async function* runJson(
  { queries, tests }: Context,
  head: Omit<RunDetails, 'testCases'>,
  results: Results,
  { from, to, withDetails }: CaseRange,
): AsyncGenerator<string> {
  const ids = Array.from({ length: to - from }, (_, offset) => valueAt(results.testId, from + offset));
  const names = await tests.find(ids);
  const details = withDetails ? detailTexts(readDetailTexts(queries, head.id, from)) : null;
  yield `${JSON.stringify(head).slice(0, -1)},"testCases":[`;
  for (let row = from; row < to; row++) {
    const json = JSON.stringify(presentCase(head.id, row, results, names));
    const separator = row === from ? '' : ',';
    if (details === null) yield separator + json;
    else yield `${separator}${json.slice(0, -1)},${((await details(row)) ?? NO_DETAILS_JSON).slice(1)}`;
  }
  yield ']}';
}

/** Looks up texts that come in the order of their cases, for cases asked for in that order. */
const detailTexts = (texts: AsyncGenerator<{ caseIndex: number; json: string }>) => {
  let next = texts.next();
  return async (caseIndex: number): Promise<string | null> => {
    for (;;) {
      const { value, done } = await next;
      if (done || value.caseIndex > caseIndex) return null;
      next = texts.next();
      if (value.caseIndex === caseIndex) return value.json;
    }
  };
};
