import { type CaseDetails, resultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { type CaseText, decodeDetails, encodeDetails } from '../../segments/details.ts';
import { NO_DETAILS } from './present-case.ts';

export interface CaseOfPart {
  readonly runId: number;
  readonly caseIndex: number;
  /** Where the neighbours begin that came with it: a chunk has the details of these alone. */
  readonly firstIndex: number;
}

/** Changes the details of one case, in the chunk that has those of its neighbours too. */
export const changeDetails = async (
  transaction: Queries,
  { runId, caseIndex, firstIndex }: CaseOfPart,
  change: (details: CaseDetails) => CaseDetails,
): Promise<void> => {
  const chunk = await transaction
    .selectFrom('details')
    .selectAll()
    .where('id', '<=', resultId(runId, caseIndex))
    .where('id', '>=', resultId(runId, firstIndex))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const texts = chunk ? decodeDetails(chunk.data) : [];
  const before = texts.find((text) => text.caseIndex === caseIndex);
  const details = change(before ? (JSON.parse(before.json) as CaseDetails) : NO_DETAILS);
  const others = texts.filter((text) => text !== before);
  const changed: CaseText[] = [...others, { caseIndex, json: JSON.stringify(details) }];
  if (chunk) await transaction.deleteFrom('details').where('id', '=', chunk.id).execute();
  for (const { firstCaseIndex, data } of encodeDetails(changed.sort((a, b) => a.caseIndex - b.caseIndex))) {
    await transaction
      .insertInto('details')
      .values({ id: resultId(runId, firstCaseIndex), data })
      .execute();
  }
};
