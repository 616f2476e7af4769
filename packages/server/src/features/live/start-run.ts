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
import { noteDefaultBranch } from '../projects/default-branch.ts';
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
  /** What changed in the database. */
  readonly change: 'made' | 'changed' | 'none';
  /** Contents of what it took the place of. */
  readonly orphans: readonly string[];
}

/** Opens a part of a run for results to come, or answers the one that is open already. */
export const startRun = async (transaction: Queries, start: RunToStart, options: StartOptions): Promise<StartedRun> => {
  const started = await startPart(transaction, start, options);
  await noteDefaultBranch(transaction, started.projectId, start.defaultBranch);
  return started;
};

const startPart = async (transaction: Queries, start: RunToStart, options: StartOptions): Promise<StartedRun> => {
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
  if (order === 0 && options.idempotencyKey === null) return again(transaction, run, present, options);
  if (order <= 0 || (present.state === 'finished' && shard === 0)) {
    return supersede(transaction, start, run, present, options);
  }
  return openPart(transaction, start, run, present, opening, 'changed');
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
  change: 'made' | 'changed',
): Promise<StartedRun> => {
  await reopenRun(transaction, run);
  const removed = replaced && (await removePart(transaction, replaced));
  const part = await insertPart(transaction, run, {
    ...emptyPart(start, now),
    expected_tests: start.expectedTests,
    ...heartbeatColumns(now),
  });
  await nameByKeys(transaction, keys, { project_id: run.project_id, run_id: run.id, part_id: part.id });
  await refreshRun(transaction, run, { durations, nextIndex: nextIndexOf(run), now });
  if (removed) await deleteUnusedTests(transaction, run.id, removed.tests);
  return presentPart(run, part, { change, outcome: removed ? 'replaced' : 'stored', orphans: removed?.orphans ?? [] });
};

/** Records a part that takes nothing, as another sender has its place, so that each try of its sender is told the same. */
const supersede = async (
  transaction: Queries,
  start: RunToStart,
  run: RunRow,
  present: PartRow,
  { idempotencyKey, now }: StartOptions,
): Promise<StartedRun> => {
  const superseded = { change: 'none', outcome: 'superseded', orphans: [] } as const;
  if (idempotencyKey === null && !isOpen(present)) return presentPart(run, present, superseded);
  const part = await insertPart(transaction, run, {
    ...emptyPart(start, now),
    state: 'replaced',
    status: 'interrupted',
  });
  const ownKeys = keysOf(null, idempotencyKey);
  await nameByKeys(transaction, ownKeys, { project_id: run.project_id, run_id: run.id, part_id: part.id });
  return presentPart(run, part, superseded);
};

const again = async (transaction: Queries, run: RunRow, part: PartRow, options: StartOptions): Promise<StartedRun> => {
  const outcome = part.state === 'replaced' ? 'superseded' : 'stored';
  if (!isOpen(part)) return presentPart(run, part, { change: 'none', outcome, orphans: [] });
  const reopened = await recordHeartbeat(transaction, { run, part }, options);
  return presentPart(run, part, { change: reopened ? 'changed' : 'none', outcome: 'stored', orphans: [] });
};

const presentPart = (
  run: RunRow,
  part: PartRow,
  what: Pick<StartedRun, 'change' | 'outcome' | 'orphans'>,
): StartedRun => ({
  success: true,
  testRunId: run.id,
  projectId: run.project_id,
  part: part.id,
  nextBatch: part.next_batch,
  ...what,
});
