import { type CaseDetails, resultId } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { BlockError } from '../../segments/block.ts';
import { type CaseBytes, decodeDetailBytes } from '../../segments/details.ts';
import type { DamageReports } from '../runs/damage.ts';
import { NO_DETAILS } from './present-case.ts';

/** What reading details takes. A damaged chunk is reported, and its cases have no details. */
export interface DetailsReader {
  readonly queries: Queries;
  readonly damage: DamageReports;
}

export const readDetails = async (
  { queries, damage }: DetailsReader,
  runId: number,
  caseIndex: number,
): Promise<CaseDetails> => {
  const chunk = await findChunk(queries, runId, caseIndex);
  const text = chunk && readChunk(damage, runId, chunk.data).find((entry) => entry.caseIndex === caseIndex);
  return text ? (JSON.parse(text.json.toString()) as CaseDetails) : NO_DETAILS;
};

/** The chunk that has the details of a case, if it has any. */
export const findChunk = (
  queries: Queries,
  runId: number,
  caseIndex: number,
): Promise<{ readonly data: Uint8Array } | undefined> =>
  queries
    .selectFrom('details')
    .select('data')
    .where('id', '<=', resultId(runId, caseIndex))
    .where('id', '>=', resultId(runId, 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/**
 * Reads the details of neighbouring cases as JSON; they are put where those of others may be. Chunks are looked for each
 * time: they are cut anew when a run is finalized, and it may be while an answer is being written.
 */
export const readDetailTexts = async (
  { queries, damage }: DetailsReader,
  runId: number,
  { from, to }: { readonly from: number; readonly to: number },
  texts: Map<number, Uint8Array>,
): Promise<void> => {
  const first = resultId(runId, from);
  const chunks = await queries
    .selectFrom('details')
    .select('data')
    .where('id', '>=', ({ selectFrom, fn, val }) =>
      fn.coalesce(
        selectFrom('details as before')
          .select((before) => before.fn.max('before.id').as('id'))
          .where('before.id', '<=', first)
          .where('before.id', '>=', resultId(runId, 0)),
        val(first),
      ),
    )
    .where('id', '<', resultId(runId, to))
    .orderBy('id')
    .execute();
  for (const { data } of chunks) {
    for (const { caseIndex, json } of readChunk(damage, runId, data)) texts.set(caseIndex, json);
  }
};

const readChunk = (damage: DamageReports, runId: number, data: Uint8Array): CaseBytes[] => {
  try {
    return decodeDetailBytes(data);
  } catch (error) {
    if (!(error instanceof BlockError)) throw error;
    damage.report(runId, error);
    return [];
  }
};
