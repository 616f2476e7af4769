import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { openSqlite } from '../db/sqlite.ts';
import type { JobKind, JobRow } from '../db/tables.ts';
import { AppError } from '../errors.ts';
import type { StepCommand } from '../writer/command.ts';
import { createMeans } from '../writer/means.ts';
import type { Writer } from '../writer/writer.ts';
import {
  type JobFilter,
  beginJob,
  countJobs,
  failJob,
  findDueJob,
  findNextDueTime,
  releaseJob,
  renewJob,
} from './queue.ts';
import { type JobHandler, type JobRunner, createJobRunner } from './runner.ts';

let folder: string;
let database: Database;
let runner: JobRunner | null = null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-jobs-'));
  database = openSqlite({ file: join(folder, 'assay.db'), access: 'write' });
  await migrate(database);
  const { queries } = database;
  await queries
    .insertInto('projects')
    .values({
      name: 'shop',
      label: null,
      description: null,
      created_at: 0,
      updated_at: 0,
      active_at: 0,
      revision: 1,
      next_sequence: 1,
      total_runs: 1,
      total_tests: 0,
      total_results: 0,
      tests_epoch: 0,
    })
    .execute();
  await queries
    .insertInto('runs')
    .values(
      [0, 1].map((sequence) => ({
        project_id: 1,
        sequence,
        status: 'passed',
        start_time: 0,
        duration: null,
        total_tests: 0,
        passed_tests: 0,
        failed_tests: 0,
        skipped_tests: 0,
        flaky_tests: 0,
        avg_test_duration: null,
        p90_test_duration: null,
        result_count: 0,
        branch: null,
        commit_hash: null,
        metadata: null,
        created_at: 0,
      })),
    )
    .execute();
});
afterEach(async () => {
  await runner?.close();
  runner = null;
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const addJob = (dueAt: number, { kind = 'read-traces', runId = 1 }: { kind?: JobKind; runId?: number } = {}) =>
  database.queries
    .insertInto('jobs')
    .values({ project_id: 1, kind, run_id: runId, state: 'waiting', attempts: 0, due_at: dueAt, problem: null })
    .execute();

/** What the writing thread does with the commands of a runner. */
const writer = {
  async execute<Input, Reply>(command: StepCommand<Input, Reply>, input: Input): Promise<Reply> {
    const step = await command.execute(createMeans(database, { runQuietMs: 0 }), input).next();
    return step.value as Reply;
  },
} as unknown as Writer;

const startRunner = (work: (job: JobRow, signal: AbortSignal) => Promise<unknown>): JobRunner => {
  const handler: JobHandler = async (job, signal) => ((await work(job, signal)) === 'more' ? 'more' : 'done');
  runner = createJobRunner({ queries: database.queries, writer, isShared: false, onFault: () => undefined });
  runner.start({ 'read-traces': handler, 'finalize-run': handler });
  return runner;
};

const ALL: JobFilter = { kinds: ['read-traces', 'finalize-run'], exceptRuns: [] };
const areAllDone = () =>
  vi.waitFor(async () => expect(await countJobs(database.queries)).toEqual({ waiting: 0, failed: 0 }));

it('takes the job that has been due longest, and none before its time', async () => {
  await addJob(200);
  await addJob(100);
  expect(await findDueJob(database.queries, 99, ALL)).toBeUndefined();
  expect(await findNextDueTime(database.queries, 0, ALL)).toBe(100);
  expect(await findDueJob(database.queries, 300, ALL)).toMatchObject({ due_at: 100 });
});

it('leaves a job that another replica does, and those of the same run, until its lease has ended', async () => {
  const jobId = 1;
  const LEASE = { jobId, leaseMs: 60_000 };
  await addJob(0, { runId: 1 });
  await addJob(0, { runId: 1, kind: 'finalize-run' });
  await addJob(5, { runId: 2 });
  expect(await beginJob(database.queries, LEASE, 10)).toBe(true);
  expect(await beginJob(database.queries, LEASE, 10)).toBe(false);
  expect(await findDueJob(database.queries, 10, ALL)).toMatchObject({ run_id: 2 });
  await renewJob(database.queries, jobId, 70_000);
  expect(await findNextDueTime(database.queries, 69_999, ALL)).toBe(5);
  expect(await beginJob(database.queries, LEASE, 69_999)).toBe(false);
  expect(await beginJob(database.queries, LEASE, 70_000)).toBe(true);
  await releaseJob(database.queries, jobId, 70_001);
  expect(await findDueJob(database.queries, 70_001, { ...ALL, exceptRuns: [2] })).toMatchObject({ run_id: 1 });
});

it('waits longer after each failure, and gives up in the end with the reason', async () => {
  await addJob(0);
  const delays: number[] = [];
  for (let now = 0; ;) {
    const job = await findDueJob(database.queries, now, ALL);
    if (!job) break;
    expect(await beginJob(database.queries, { jobId: job.id, leaseMs: 0 }, now)).toBe(true);
    await failJob(database.queries, job.id, `attempt at ${now}`, now);
    const next = await findNextDueTime(database.queries, now, ALL);
    if (next === null) break;
    delays.push(next - now);
    now = next;
  }
  expect(delays).toEqual([5_000, 20_000, 80_000, 320_000, 1_280_000]);
  expect(await countJobs(database.queries)).toEqual({ waiting: 0, failed: 1 });
  const [failed] = await database.queries.selectFrom('jobs').selectAll().execute();
  expect(failed).toMatchObject({ state: 'failed', attempts: 6, problem: 'attempt at 1705000' });
});

it('counts an attempt that nobody came back from, and gives up on those too', async () => {
  await addJob(0);
  const delays: number[] = [];
  for (let now = 0, next: number | null = 0; next !== null;) {
    const job = await findDueJob(database.queries, now, ALL);
    if (!(await beginJob(database.queries, { jobId: job!.id, leaseMs: 0 }, now))) break;
    next = await findNextDueTime(database.queries, now, ALL);
    delays.push(next! - now);
    now = next!;
  }
  expect(delays).toEqual([5_000, 20_000, 80_000, 320_000, 1_280_000, 5_120_000]);
  expect(await countJobs(database.queries)).toEqual({ waiting: 0, failed: 1 });
  const [failed] = await database.queries.selectFrom('jobs').selectAll().execute();
  expect(failed?.problem).toContain('ran out of memory');
});

it('puts a job off without counting an attempt while what it needs is away', async () => {
  await addJob(0);
  const before = Date.now();
  startRunner(async () => {
    throw new AppError('unavailable', 'away');
  });
  await vi.waitFor(async () => {
    const [job] = await database.queries.selectFrom('jobs').selectAll().execute();
    expect(job).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(job!.due_at).toBeGreaterThanOrEqual(before + 30_000);
  });
});

it('does not try a job again at once when the one who stores is gone after it', async () => {
  let attempts = 0;
  let gone = false;
  await addJob(0);
  runner = createJobRunner({
    queries: database.queries,
    isShared: false,
    writer: {
      execute: (command: never, input: never) =>
        gone ? Promise.reject(new Error('gone')) : writer.execute(command, input),
    } as unknown as Writer,
    onFault: () => undefined,
  });
  const work = async (): Promise<never> => {
    attempts++;
    gone = true;
    throw new Error('out of memory');
  };
  runner.start({ 'read-traces': work, 'finalize-run': work });
  await vi.waitFor(() => expect(attempts).toBe(1));
  await new Promise((resolve) => setImmediate(resolve));
  gone = false;
  expect(await findDueJob(database.queries, Date.now(), ALL)).toBeUndefined();
  expect(await countJobs(database.queries)).toEqual({ waiting: 1, failed: 0 });
});

it('does all jobs that wait, one at a time, and those that come while it works', async () => {
  const done: number[] = [];
  let running = 0;
  await addJob(0);
  await addJob(0);
  const worker = startRunner(async ({ id }) => {
    expect(++running).toBe(1);
    if (id === 1) {
      await addJob(0);
      worker.wake();
    }
    await new Promise((resolve) => setImmediate(resolve));
    done.push(id);
    running--;
  });
  await areAllDone();
  expect(done).toEqual([1, 2, 3]);
});

it('does no job before its time, not even when it is woken', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    await addJob(Date.now() + 1);
    const done: number[] = [];
    const worker = startRunner(async ({ id }) => void done.push(id));
    worker.wake();
    await worker.close();
    expect(done).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it('does a job when its time has come, without being woken', async () => {
  await addJob(Date.now() + 30);
  let doneAt = 0;
  startRunner(async () => {
    doneAt = Date.now();
  });
  await areAllDone();
  expect(doneAt).toBeGreaterThan(0);
});

it('tries a job that failed again', async () => {
  let attempts = 0;
  await addJob(0);
  const worker = startRunner(async () => {
    if (++attempts < 3) throw new Error('not yet');
  });
  for (const failures of [1, 2]) {
    await vi.waitFor(async () =>
      expect(await database.queries.selectFrom('jobs').selectAll().execute()).toMatchObject([
        { attempts: failures, problem: 'not yet' },
      ]),
    );
    await database.queries.updateTable('jobs').set({ due_at: 0 }).execute();
    worker.wake();
  }
  await areAllDone();
  expect(attempts).toBe(3);
});

it('tells of a queue that it cannot read', async () => {
  using raw = new DatabaseSync(join(folder, 'assay.db'), { timeout: 10_000 });
  raw.exec('DROP TABLE jobs');
  const faults: [string, JobRow | null][] = [];
  const onFault = ({ message }: Error, job: JobRow | null) => faults.push([message, job]);
  runner = createJobRunner({ queries: database.queries, writer, isShared: false, onFault });
  const work = async (): Promise<'done'> => 'done';
  runner.start({ 'read-traces': work, 'finalize-run': work });
  await vi.waitFor(() => expect(faults).toEqual([1, 2].map(() => ['no such table: jobs', null])));
});

it('leaves a job that it was stopped in for the next start', async () => {
  await addJob(0);
  const worker = startRunner(
    (_job, signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  await new Promise((resolve) => setImmediate(resolve));
  await worker.close();
  expect(await findDueJob(database.queries, Date.now(), ALL)).toMatchObject({ attempts: 0 });
});

it('does a short job while a long one of another run is being done, and none of the same run', async () => {
  await addJob(0, { runId: 1 });
  const started: string[] = [];
  const gate = Promise.withResolvers<void>();
  const worker = startRunner(async ({ kind, run_id }) => {
    started.push(`${kind} ${run_id}`);
    if (kind === 'read-traces') await gate.promise;
  });
  await vi.waitFor(() => expect(started).toEqual(['read-traces 1']));
  await addJob(0, { kind: 'finalize-run', runId: 1 });
  await addJob(1, { kind: 'finalize-run', runId: 2 });
  worker.wake();
  await vi.waitFor(() => expect(started).toEqual(['read-traces 1', 'finalize-run 2']));
  gate.resolve();
  await areAllDone();
  expect(started).toEqual(['read-traces 1', 'finalize-run 2', 'finalize-run 1']);
});

it('lets other runs have their turn when a run has more to do than one turn takes', async () => {
  await addJob(0, { runId: 1 });
  await addJob(1, { runId: 2 });
  const turns: number[] = [];
  startRunner(async ({ run_id }) => {
    turns.push(run_id);
    // Turns of one millisecond are in no order.
    await delay(2);
    return turns.filter((id) => id === run_id).length < 10 ? 'more' : 'done';
  });
  await areAllDone();
  expect(turns.slice(0, 8)).toEqual([1, 2, 1, 2, 1, 2, 1, 2]);
  expect(turns).toHaveLength(20);
});
