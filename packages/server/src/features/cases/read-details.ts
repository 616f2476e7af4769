import { type CaseDetails, resultId, splitResultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { decodeDetailBytes, decodeDetails } from '../../segments/details.ts';
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

/** Reads the details of neighbouring cases as JSON; they are put where those of others may be. */
export type DetailTexts = (from: number, to: number, texts: Map<number, Uint8Array>) => Promise<void>;

export const openDetailTexts = async (queries: Queries, runId: number): Promise<DetailTexts> => {
  const rows = await queries
    .selectFrom('details')
    .select('id')
    .where('id', '>=', resultId(runId, 0))
    .where('id', '<', resultId(runId + 1, 0))
    .orderBy('id')
    .execute();
  const chunks = rows.map(({ id }, position) => ({
    id,
    first: splitResultId(id).index,
    end: position + 1 < rows.length ? splitResultId(rows[position + 1]!.id).index : Infinity,
  }));
  return async (from, to, texts) => {
    for (const { id } of chunks.filter(({ first, end }) => first < to && end > from)) {
      const chunk = await queries.selectFrom('details').select('data').where('id', '=', id).executeTakeFirst();
      for (const { caseIndex, json } of chunk ? decodeDetailBytes(chunk.data) : []) texts.set(caseIndex, json);
    }
  };
};
