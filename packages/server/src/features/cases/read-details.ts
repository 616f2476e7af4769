import { type CaseDetails, resultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { decodeDetails } from '../../segments/details.ts';
import { NO_DETAILS } from './present-case.ts';

export const readDetails = async (queries: Queries, runId: number, caseIndex: number): Promise<CaseDetails> => {
  const chunk = await queries
    .selectFrom('details')
    .select('data')
    .where('id', '<=', resultId(runId, caseIndex))
    .where('id', '>=', resultId(runId, 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const text = chunk && decodeDetails(chunk.data).find((entry) => entry.caseIndex === caseIndex);
  return text ? (JSON.parse(text.json) as CaseDetails) : NO_DETAILS;
};

/** The JSON texts of the details of a run in the order of its cases, one chunk in memory at a time. */
export async function* readDetailTexts(
  queries: Queries,
  runId: number,
  firstCaseIndex: number,
): AsyncGenerator<{ caseIndex: number; json: string }> {
  const first = await queries
    .selectFrom('details')
    .select('id')
    .where('id', '<=', resultId(runId, firstCaseIndex))
    .where('id', '>=', resultId(runId, 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  let next = first?.id ?? resultId(runId, 0);
  for (;;) {
    const chunk = await queries
      .selectFrom('details')
      .select(['id', 'data'])
      .where('id', '>=', next)
      .where('id', '<', resultId(runId + 1, 0))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!chunk) return;
    yield* decodeDetails(chunk.data);
    next = chunk.id + 1;
  }
}
