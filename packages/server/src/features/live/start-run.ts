import type { StartReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';
import type { RunIdentity } from '../ingest/run-identity.ts';
import { compareTries } from '../parts/decide.ts';
import { openRun } from '../parts/open-run.ts';
import type { PartDurations } from '../parts/part-durations.ts';
import { emptyPart, findPart, getRun, insertPart, isOpen, convertToPart } from '../parts/part-rows.ts';
import { nextIndexOf, refreshRun } from '../parts/refresh-run.ts';
import { deleteUnusedTests, removePart } from '../parts/remove-part.ts';
import { findKeys, keysOf, nameByKeys, requestKeyAmong } from '../parts/run-keys.ts';
import { reopenRun } from '../parts/run-numbering.ts';
import { listParts } from '../runs/shards.ts';
import { recordHeartbeat, heartbeatColumns } from './open-part.ts';

export interface RunToStart extends RunIdentity {
  readonly expectedTests: number | null;
}

export interface StartOptions {
  readonly durations: PartDurations;
  readonly idempotencyKey: string | null;
  readonly now: number;
}

export interface StartedRun extends StartReply {
  readonly outcome: 'made' | 'changed' | 'repeated';
  /** Contents of what it took the place of. */
  readonly orphans: readonly string[];
}

/** Opens a part of a run for results to come, or answers the one that is open already. */
export const startRun = async (transaction: Queries, start: RunToStart, options: StartOptions): Promise<StartedRun> => {
  const keys = keysOf(start.runKey, options.idempotencyKey);
  const known = keys.length > 0 ? await findKeys(transaction, start.projectName, keys) : [];
  const opening = { keys, options };
  const [anyKey] = known;
  if (!anyKey) {
    return openPart(transaction, start, await openRun(transaction, start, options.now), null, opening, 'made');
  }
  const byRequest = requestKeyAmong(known);
  const run = await getRun(transaction, (byRequest ?? anyKey).run_id);
  if (byRequest) return again(transaction, run, await partNamed(transaction, run, byRequest.part_id, options), options);

  const shard = start.shard?.index ?? 0;
  const present = (await partsOf(transaction, run, options)).find((part) => part.shard === shard) ?? null;
  if (present === null) return openPart(transaction, start, run, null, opening, 'changed');
  const order = compareTries({ attempt: start.attempt, start_time: start.startTime }, present);
  if (order < 0) return overtaken(transaction, start, run, options);
  if (order > 0 && (isOpen(present) || shard > 0)) {
    return openPart(transaction, start, run, present, opening, 'changed');
  }
  return again(transaction, run, present, options);
};

interface Opening {
  readonly keys: readonly string[];
  readonly options: StartOptions;
}

const partsOf = async (transaction: Queries, run: RunRow, { now }: StartOptions): Promise<readonly PartRow[]> => {
  const parts = await listParts(transaction, [run.id]);
  return parts.length > 0 ? parts : [await convertToPart(transaction, run, now)];
};

const partNamed = async (
  transaction: Queries,
  run: RunRow,
  partId: number | null,
  { now }: StartOptions,
): Promise<PartRow> =>
  (partId === null ? undefined : await findPart(transaction, partId)) ?? convertToPart(transaction, run, now);

const openPart = async (
  transaction: Queries,
  start: RunToStart,
  run: RunRow,
  replaced: PartRow | null,
  { keys, options: { durations, now } }: Opening,
  outcome: 'made' | 'changed',
): Promise<StartedRun> => {
  await reopenRun(transaction, run);
  const removed = replaced && (await removePart(transaction, replaced));
  const part = await insertPart(transaction, run.id, {
    ...emptyPart(start, now),
    expected_tests: start.expectedTests,
    ...heartbeatColumns(now),
  });
  await nameByKeys(transaction, keys, { project_id: run.project_id, run_id: run.id, part_id: part.id });
  await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  if (removed) await deleteUnusedTests(transaction, run.id, removed.tests);
  return present(run, part, outcome, removed?.orphans);
};

/** A part that a later try has overtaken is known, so that its sender is told, and takes nothing. */
const overtaken = async (
  transaction: Queries,
  start: RunToStart,
  run: RunRow,
  { idempotencyKey, now }: StartOptions,
): Promise<StartedRun> => {
  const part = await insertPart(transaction, run.id, {
    ...emptyPart(start, now),
    state: 'replaced',
    status: 'interrupted',
  });
  const ownKeys = keysOf(null, idempotencyKey);
  await nameByKeys(transaction, ownKeys, { project_id: run.project_id, run_id: run.id, part_id: part.id });
  return present(run, part, 'repeated');
};

const again = async (transaction: Queries, run: RunRow, part: PartRow, options: StartOptions): Promise<StartedRun> => {
  if (!isOpen(part)) return present(run, part, 'repeated');
  const reopened = await recordHeartbeat(transaction, { run, part }, options);
  return present(run, part, reopened ? 'changed' : 'repeated');
};

const present = (
  run: RunRow,
  part: PartRow,
  outcome: StartedRun['outcome'],
  orphans: readonly string[] = [],
): StartedRun => ({
  success: true,
  testRunId: run.id,
  projectId: run.project_id,
  part: part.id,
  nextBatch: part.next_batch,
  outcome,
  orphans,
});
