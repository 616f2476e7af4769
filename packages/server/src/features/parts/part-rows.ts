import type { Insertable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { PartRow, PartsTable, RunRow } from '../../db/tables.ts';
import { type StoredRanges, readRanges, writeRanges } from '../../segments/row-indices.ts';
import type { RunIdentity } from '../ingest/run-identity.ts';

export const findPart = (queries: Queries, id: number): Promise<PartRow | undefined> =>
  queries.selectFrom('parts').selectAll().where('id', '=', id).executeTakeFirst();

export const getRun = (queries: Queries, id: number): Promise<RunRow> =>
  queries.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Whether its sender has not said yet that it is complete. */
export const isOpen = ({ state }: Pick<PartRow, 'state'>): boolean => state === 'running' || state === 'quiet';

export type NewPart = Omit<Insertable<PartsTable>, 'id' | 'project_id' | 'run_id'>;

export const insertPart = async (
  transaction: Queries,
  run: Pick<RunRow, 'id' | 'project_id'>,
  part: NewPart,
): Promise<PartRow> =>
  transaction
    .insertInto('parts')
    .values({ ...part, project_id: run.project_id, run_id: run.id })
    .returningAll()
    .executeTakeFirstOrThrow();

/** A part of which nothing has come but what it is. */
export const emptyPart = (which: RunIdentity, now: number) => ({
  shard: which.shard?.index ?? 0,
  shard_total: which.shard?.total ?? null,
  attempt: which.attempt,
  start_time: which.startTime,
  duration: null,
  total_tests: 0,
  passed_tests: 0,
  failed_tests: 0,
  skipped_tests: 0,
  flaky_tests: 0,
  result_count: 0,
  branch: which.branch,
  commit_hash: which.commit,
  metadata: which.metadataJson,
  expected_tests: null,
  next_batch: 0,
  heartbeat_at: now,
});

/** The indices of the results of a part, in the order in which they were sent. */
export const rangesOf = async (
  queries: Queries,
  { id, run_id }: Pick<PartRow, 'id' | 'run_id'>,
): Promise<StoredRanges> => {
  const blocks = await queries
    .selectFrom('segments')
    .select('ranges')
    .where('run_id', '=', run_id)
    .where('part_id', '=', id)
    .orderBy('first_index')
    .execute();
  return blocks.flatMap(({ ranges }) => readRanges(ranges!));
};

/** Makes a run that was submitted whole one of a single part, so that others can join it. */
export const convertToPart = async (transaction: Queries, run: RunRow, now: number): Promise<PartRow> => {
  const part = await insertPart(transaction, run, {
    shard: 0,
    shard_total: null,
    attempt: 1,
    start_time: run.start_time,
    state: 'finished',
    status: run.status,
    duration: run.duration,
    total_tests: run.total_tests,
    passed_tests: run.passed_tests,
    failed_tests: run.failed_tests,
    skipped_tests: run.skipped_tests,
    flaky_tests: run.flaky_tests,
    result_count: run.result_count,
    branch: run.branch,
    commit_hash: run.commit_hash,
    metadata: run.metadata,
    expected_tests: null,
    next_batch: 0,
    heartbeat_at: now,
  });
  // A block of no results would hold the index that the next part begins with.
  if (run.result_count === 0) await transaction.deleteFrom('segments').where('run_id', '=', run.id).execute();
  const ofPart = { part_id: part.id };
  const ranges = writeRanges([[0, run.result_count]]);
  await transaction
    .updateTable('segments')
    .set({ ...ofPart, ranges })
    .where('run_id', '=', run.id)
    .execute();
  await transaction.updateTable('reports').set(ofPart).where('run_id', '=', run.id).execute();
  await transaction.updateTable('traces').set(ofPart).where('run_id', '=', run.id).execute();
  await transaction.updateTable('attachments').set(ofPart).where('run_id', '=', run.id).execute();
  await transaction.updateTable('run_keys').set(ofPart).where('run_id', '=', run.id).execute();
  return part;
};
