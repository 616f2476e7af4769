import { type CaseDetails, isStaticResource, resultId, splitResultId } from '@assay/contract';
import { sql } from 'kysely';
import { CHUNK_BYTES, type CaseBytes, decodeDetailBytes, encodeChunk } from '../../segments/details.ts';
import { decodeRequests, encodeRequests, requestAt } from '../../segments/requests.ts';
import { lastUpTo, readRanges } from '../../segments/row-indices.ts';
import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/**
 * Every chunk of details names its block of results. Chunks were joined across blocks before, and a trace could then
 * start a chunk that hid part of another: such chunks are cut where their blocks begin, and what they hid is merged.
 */
export const detailsOfBlocks: Migration = {
  name: 'details-of-blocks',
  async up(queries: Queries) {
    await queries.schema
      .alterTable('details')
      .addColumn('block_index', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    // The one block of a run without parts begins at 0, which is the default.
    const inParts = sql<{ run_id: number }>`SELECT DISTINCT run_id FROM segments WHERE part_id IS NOT NULL`;
    for (const { run_id } of (await inParts.execute(queries)).rows) await assignChunks(queries, run_id);
  },
};

/** Neighbouring indices of one block. */
interface Place {
  readonly blockIndex: number;
  readonly first: number;
  readonly end: number;
}

interface PendingText extends CaseBytes {
  /** Rows of requests that a trace added although the case had requests of its own. */
  readonly surplusRequests: number;
}

/** Holds one chunk and what may overlap with it: what no later chunk can touch is written before the next is read. */
const assignChunks = async (queries: Queries, runId: number): Promise<void> => {
  const places = await listPlaces(queries, runId);
  const pending = new Map<number, PendingText>();
  let repaired = false;
  for (let from = resultId(runId, 0); ;) {
    const chunk = await chunksFrom(queries, from, resultId(runId + 1, 0))
      .select(['id', 'data'])
      .executeTakeFirst();
    if (!chunk) break;
    from = chunk.id + 1;
    const { index } = splitResultId(chunk.id);
    await writePending(queries, runId, places, pending, index);
    const texts = readTexts(chunk.data);
    const place = findPlace(places, index);
    const end = resultId(runId, texts.reduce((last, { caseIndex }) => Math.max(last, caseIndex), index) + 1);
    const isHidden = (await chunksFrom(queries, from, end).select('id').executeTakeFirst()) !== undefined;
    if (texts.length === 0 || (place && pending.size === 0 && !isHidden && isWithin(place, texts))) {
      const block_index = place?.blockIndex ?? 0;
      if (block_index > 0)
        await queries.updateTable('details').set({ block_index }).where('id', '=', chunk.id).execute();
      continue;
    }
    repaired ||= isHidden;
    await queries.deleteFrom('details').where('id', '=', chunk.id).execute();
    for (const text of texts) pending.set(text.caseIndex, mergeTexts(pending.get(text.caseIndex), text));
  }
  await writePending(queries, runId, places, pending, Infinity);
  if (!repaired) return;
  await sql`UPDATE projects SET revision = revision + 1 WHERE id = (SELECT project_id FROM runs WHERE id = ${runId})`.execute(
    queries,
  );
};

/** In the order of their indices. */
const listPlaces = async (queries: Queries, runId: number): Promise<Place[]> => {
  const blocks = await queries
    .selectFrom('segments')
    .select(['first_index', 'ranges'])
    .where('run_id', '=', runId)
    .execute();
  return blocks
    .flatMap(({ first_index, ranges }) =>
      readRanges(ranges ?? '[]').map(([first, count]) => ({ blockIndex: first_index, first, end: first + count })),
    )
    .sort((a, b) => a.first - b.first);
};

const findPlace = (places: readonly Place[], index: number): Place | null => {
  const place = places[lastUpTo(places.length, index, (at) => places[at]!.first)];
  return place && index < place.end ? place : null;
};

const chunksFrom = (queries: Queries, from: number, end: number) =>
  queries.selectFrom('details').where('id', '>=', from).where('id', '<', end).orderBy('id').limit(1);

/** A damaged chunk stays as it is. */
const readTexts = (data: Uint8Array): CaseBytes[] => {
  try {
    return decodeDetailBytes(data);
  } catch {
    return [];
  }
};

const isWithin = ({ first, end }: Place, texts: readonly CaseBytes[]): boolean =>
  texts.every(
    ({ caseIndex }, nth) => caseIndex >= (nth === 0 ? first : texts[nth - 1]!.caseIndex + 1) && caseIndex < end,
  );

/** What the sender said stays; what a trace said fills the gaps. */
const mergeTexts = (sent: PendingText | undefined, traced: CaseBytes): PendingText => {
  if (!sent) return { ...traced, surplusRequests: 0 };
  const [details, more] = [sent, traced].map(({ json }) => JSON.parse(json.toString()) as CaseDetails);
  const merged = Object.entries(details!).map(([name, value]) => [
    name,
    isEmpty(value) ? more![name as keyof CaseDetails] : value,
  ]);
  const surplus = details!.networkRequests.length > 0 ? more!.networkRequests : [];
  return {
    caseIndex: sent.caseIndex,
    json: Buffer.from(JSON.stringify(Object.fromEntries(merged))),
    surplusRequests:
      sent.surplusRequests + surplus.filter(({ resourceType, url }) => !isStaticResource(resourceType, url)).length,
  };
};

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

const writePending = async (
  queries: Queries,
  runId: number,
  places: readonly Place[],
  pending: Map<number, PendingText>,
  before: number,
): Promise<void> => {
  const texts = [...pending.values()].filter(({ caseIndex }) => caseIndex < before);
  let place: Place | null = null;
  let chunk: CaseBytes[] = [];
  let bytes = 0;
  const writeChunk = async (): Promise<void> => {
    if (place && chunk.length > 0) {
      const id = resultId(runId, chunk[0]!.caseIndex);
      await sql`INSERT INTO details (id, block_index, data) VALUES (${id}, ${place.blockIndex}, ${encodeChunk(chunk)})`.execute(
        queries,
      );
    }
    chunk = [];
    bytes = 0;
  };
  for (const text of texts.sort((a, b) => a.caseIndex - b.caseIndex)) {
    pending.delete(text.caseIndex);
    if (!place || text.caseIndex >= place.end || bytes >= CHUNK_BYTES) {
      await writeChunk();
      place = findPlace(places, text.caseIndex);
    }
    // No result has the details of an index that is in no block.
    if (!place) continue;
    chunk.push(text);
    bytes += text.json.length;
    if (text.surplusRequests > 0) await removeSurplus(queries, runId, place.blockIndex, text);
  }
  await writeChunk();
};

/** They were added behind all others of their case. */
const removeSurplus = async (
  queries: Queries,
  runId: number,
  firstIndex: number,
  { caseIndex, surplusRequests }: PendingText,
): Promise<void> => {
  const block = queries.selectFrom('segments').select('requests');
  const found = await block.where('run_id', '=', runId).where('first_index', '=', firstIndex).executeTakeFirst();
  if (!found?.requests) return;
  const requests = decodeRequests(found.requests);
  const rows = Array.from({ length: requests.rows }, (_, row) => requestAt(requests, row));
  const own = rows.filter((row) => row.caseIndex === caseIndex);
  const surplus = new Set(own.slice(Math.max(0, own.length - surplusRequests)));
  await queries
    .updateTable('segments')
    .set({ requests: encodeRequests(rows.filter((row) => !surplus.has(row))) })
    .where('run_id', '=', runId)
    .where('first_index', '=', firstIndex)
    .execute();
};
