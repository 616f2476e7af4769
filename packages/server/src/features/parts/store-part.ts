import type { SubmissionOutcome } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { PartRow, RunRow } from '../../db/tables.ts';
import type { ParsedSubmission } from '../ingest/parse-submission.ts';
import type { TestPlaces } from '../ingest/test-places.ts';
import { listParts } from '../runs/shards.ts';
import { type Rank, compareTries, decide } from './decide.ts';
import { openRun } from './open-run.ts';
import type { PartDurations } from './part-durations.ts';
import { emptyPart, findPart, getRun, insertPart, isOpen, convertToPart } from './part-rows.ts';
import { nextIndexOf, refreshRun } from './refresh-run.ts';
import { deleteUnusedTests, removePart } from './remove-part.ts';
import { type KnownKey, nameByKeys, requestKeyAmong } from './run-keys.ts';
import { reopenRun } from './run-numbering.ts';
import { scheduleFinalizing } from './schedule-finalizing.ts';
import { requireRoom, storeBlock } from './store-block.ts';

export interface PartOptions {
  readonly testPlaces: TestPlaces;
  readonly durations: PartDurations;
  readonly quietMs: number;
  readonly now: number;
}

export interface StoreOptions extends PartOptions {
  readonly idempotencyKey: string | null;
}

export interface StoredPart {
  readonly runId: number;
  readonly projectId: number;
  /** What changed in the database. */
  readonly change: 'made' | 'changed' | 'none';
  readonly outcome: SubmissionOutcome;
  /** What it was stored as, or what was there already; null when that is the whole run. */
  readonly partId: number | null;
  /** Of its first result. */
  readonly firstIndex: number;
  /** Hashes of the blobs that the replaced part leaves unreferenced. */
  readonly orphans: readonly string[];
}

/** Stores a submission that is a part of a run, or that a key says was there before. */
export const storeAsPart = async (
  transaction: Queries,
  submission: ParsedSubmission,
  { keys, known }: { readonly keys: readonly string[]; readonly known: readonly KnownKey[] },
  options: StoreOptions,
): Promise<StoredPart> => {
  const [anyKey] = known;
  if (!anyKey) {
    const run = await openRun(transaction, submission, options.now);
    return storeIn(transaction, submission, { run, replaced: null, keys, change: 'made', outcome: 'stored' }, options);
  }
  const byRequest = requestKeyAmong(known);
  const run = await getRun(transaction, (byRequest ?? anyKey).run_id);
  const present = byRequest
    ? await findNamed(transaction, byRequest)
    : await findShard(transaction, run, submission.shard?.index ?? 0);
  const given = { attempt: submission.attempt, start_time: submission.startTime };
  const keep = (rank: Rank): StoredPart => ({
    runId: run.id,
    projectId: run.project_id,
    change: 'none',
    outcome: isSameSender(rank) ? 'stored' : 'superseded',
    partId: present === 'whole run' ? null : (present?.id ?? null),
    firstIndex: 0,
    orphans: [],
  });
  // Without a key of the request, a sender that began at the same moment is taken for the same one.
  const isSameSender = (rank: Rank): boolean =>
    byRequest
      ? present === 'whole run' || present?.state === 'finished'
      : options.idempotencyKey === null && compareTries(given, rank) === 0;
  const into = { run, keys, change: 'changed' as const };
  if (present === 'whole run') {
    if (byRequest || submission.shard === null) return keep({ attempt: 1, start_time: run.start_time });
    requireRoom(run, submission.results.rows);
    await convertToPart(transaction, run, options.now);
    return storeIn(transaction, submission, { ...into, replaced: null, outcome: 'stored' }, options);
  }
  const decision = byRequest ? (present && isOpen(present) ? 'replace' : 'keep') : decide(present, given);
  if (decision === 'keep') return keep(present ?? given);
  requireRoom(run, submission.results.rows);
  const outcome = present && !byRequest ? 'replaced' : 'stored';
  return storeIn(transaction, submission, { ...into, replaced: present ?? null, outcome }, options);
};

const findNamed = async (transaction: Queries, { part_id }: KnownKey): Promise<PartRow | undefined | 'whole run'> =>
  part_id === null ? 'whole run' : findPart(transaction, part_id);

const findShard = async (
  transaction: Queries,
  run: RunRow,
  shard: number,
): Promise<PartRow | undefined | 'whole run'> => {
  const parts = await listParts(transaction, [run.id]);
  return parts.length === 0 ? 'whole run' : parts.find((part) => part.shard === shard);
};

interface Into {
  readonly run: RunRow;
  readonly replaced: PartRow | null;
  readonly keys: readonly string[];
  readonly change: 'made' | 'changed';
  readonly outcome: 'stored' | 'replaced';
}

const storeIn = async (
  transaction: Queries,
  submission: ParsedSubmission,
  { run, replaced, keys, change, outcome }: Into,
  { testPlaces, durations, quietMs, now }: PartOptions,
): Promise<StoredPart> => {
  await reopenRun(transaction, run);
  const removed = replaced && (await removePart(transaction, replaced));
  const part = await insertPart(transaction, run, {
    ...emptyPart(submission, now),
    // One that is named by its request takes the place that it was started for.
    ...(replaced ? { shard: replaced.shard, shard_total: submission.shard?.total ?? replaced.shard_total } : {}),
    state: 'finished',
    status: submission.status,
    duration: submission.durationMs,
    total_tests: submission.totalTests,
    passed_tests: submission.passedTests,
    failed_tests: submission.failedTests,
    skipped_tests: submission.skippedTests,
    flaky_tests: submission.figures.flakyTests,
    result_count: submission.results.rows,
  });
  const firstIndex = nextIndexOf(run);
  const place = { projectId: run.project_id, runId: run.id, partId: part.id, firstIndex };
  await storeBlock(transaction, place, submission, testPlaces);
  const nextIndex = firstIndex + submission.results.rows;
  const parts = await refreshRun(transaction, run, { durations, nextIndex, now });
  if (removed) await deleteUnusedTests(transaction, run.id, removed.tests);
  await nameByKeys(transaction, keys, { project_id: run.project_id, run_id: run.id, part_id: part.id });
  await scheduleFinalizing(transaction, run, parts, { quietMs, now });
  return {
    runId: run.id,
    projectId: run.project_id,
    change,
    outcome,
    partId: part.id,
    firstIndex,
    orphans: removed?.orphans ?? [],
  };
};
