import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import type { ReadMoved } from '../../src/db/moved-values.ts';
import { openSqlite } from '../../src/db/sqlite.ts';
import { accountCommands } from '../../src/features/accounts/commands.ts';
import { adminCommands } from '../../src/features/admin/commands.ts';
import { auditCommands } from '../../src/features/audit/commands.ts';
import { causeCommands } from '../../src/features/causes/commands.ts';
import { clusterCommands } from '../../src/features/clusters/commands.ts';
import { commitCommands } from '../../src/features/commits/commands.ts';
import { fileCommands } from '../../src/features/files/commands.ts';
import { importCommands } from '../../src/features/import/commands.ts';
import { ingestCommands } from '../../src/features/ingest/commands.ts';
import { liveCommands } from '../../src/features/live/commands.ts';
import { movingCommands } from '../../src/features/moving/commands.ts';
import { valuesOf } from '../../src/features/moving/run-values.ts';
import { outlineCommands } from '../../src/features/outlines/commands.ts';
import { partCommands } from '../../src/features/parts/commands.ts';
import { projectCommands } from '../../src/features/projects/commands.ts';
import { retentionCommands } from '../../src/features/retention/commands.ts';
import { runCommands } from '../../src/features/runs/commands.ts';
import { traceCommands } from '../../src/features/traces/commands.ts';
import { viewCommands } from '../../src/features/views/commands.ts';
import { jobCommands } from '../../src/jobs/commands.ts';
import { changeOf } from '../../src/scm.ts';
import { storageCommands } from '../../src/storage/commands.ts';
import { type Command, type WriterMeans, finishParsing } from '../../src/writer/command.ts';
import { createMeans } from '../../src/writer/means.ts';
import type { AnyCommand } from '../../src/writer/run-thread.ts';
import { richCase, submission, testCase } from '../conformance/build.ts';
import {
  type ContentReader,
  type FailingDatabase,
  PlantedFailure,
  createFailingDatabase,
  executeCommand,
  openReader,
} from './failing-database.ts';

/*
 * Two writers execute the same commands at the same times. The statements of one fail: each in turn, for every command.
 * What it stores and answers must be what the other one, which never fails, stores and answers.
 */

const NOW = Date.parse('2026-03-02T10:00:00Z');
const MINUTE_MS = 60_000;
const QUIET_MS = 5 * MINUTE_MS;
const MOST_STATEMENTS = 500;

interface OpenWriter {
  readonly file: string;
  readonly database: FailingDatabase;
  readonly means: WriterMeans;
  /** Opened when it is first needed, and by then the database has its tables. */
  reader(): ContentReader;
  close(): Promise<void>;
}

let folder: string;
let steady: OpenWriter;
let failing: OpenWriter;
/** What the steady writer held after each commit of the command at hand. */
let commits: string[][] = [];

const openOn = (file: string, onCommit?: () => void): OpenWriter => {
  const database = createFailingDatabase(openSqlite({ file, access: 'write', readMoved }), onCommit);
  let reader: ContentReader | null = null;
  return {
    file,
    database,
    means: createMeans(database, { runQuietMs: QUIET_MS }),
    reader: () => (reader ??= openReader(file)),
    async close() {
      reader?.[Symbol.dispose]();
      await database.close();
    },
  };
};

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  folder = mkdtempSync(join(tmpdir(), 'assay-failing-'));
  steady = openOn(join(folder, 'steady.db'));
  await migrate(steady.database);
  // The same installation twice.
  await steady.close();
  copyFileSync(steady.file, join(folder, 'failing.db'));
  steady = openOn(steady.file, () => commits.push(readAlike(steady)));
  failing = openOn(join(folder, 'failing.db'));
});
afterAll(async () => {
  vi.useRealTimers();
  for (const writer of [steady, failing]) await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Step {
  readonly name: string;
  readonly command: AnyCommand;
  input(): unknown;
  /** What fails before it, all of it: the same, unless something else can. */
  decoy(): unknown;
  /** What both writers have done before it. */
  before?(means: WriterMeans): Promise<void>;
}

const step = <Input, Reply>(
  name: string,
  command: Command<Input, Reply>,
  input: () => Input,
  decoy: () => Input = input,
): Step => ({ name, command, input, decoy });

const actor = { userId: 1, username: 'ann', address: '10.0.0.1', sessionId: null };
const session = (token: number) => ({ tokenHash: Buffer.from([token]), address: '10.0.0.1', userAgent: 'test' });
const viewer = { userId: 1, isAdministrator: true, maySave: true };

const body = (value: unknown) => ({ bytes: new TextEncoder().encode(JSON.stringify(value)) });
const started = (minute: number): string => new Date(NOW - 3_600_000 + minute * MINUTE_MS).toISOString();
const cases = (...titles: string[]) =>
  titles.map((title, nth) => testCase({ title, duration: 10 * (nth + 1), location: `tests/${title}.spec.ts:1:1` }));
const submitted = (minute: number, fields: object, ...titles: string[]) =>
  body(submission({ projectName: 'shop', startTime: started(minute), testCases: cases(...titles), ...fields }));
const blob = (nth: number) => ({
  hash: nth.toString(16).padStart(64, '0'),
  encoding: 'identity' as const,
  sizeBytes: 100 + nth,
  storedBytes: 100 + nth,
});
const pack = { span: 7, format: 1, runs: 2, id_sum: 3, version_sum: 2, data: new Uint8Array(9) };

const attachment = (caseIndex: number, content: number) => ({
  caseIndex,
  attempt: null,
  name: 'shot.png',
  contentType: 'image/png',
  width: 800,
  height: 600,
  blob: blob(content),
});

const report = (nth: number) => ({
  type: 'html',
  label: 'Report',
  entry: 'index.html',
  files: [
    { path: 'index.html', blob: blob(nth) },
    { path: 'data.json', blob: blob(nth + 1) },
  ],
});
const start = (minute: number, fields: object = {}) => ({
  projectName: 'shop',
  startTime: Date.parse(started(minute)),
  runKey: null,
  shard: null,
  attempt: 1,
  branch: null,
  defaultBranch: 'trunk',
  commit: null,
  metadataJson: null,
  change: changeOf(null),
  expectedTests: null,
  ...fields,
});
const request = { method: 'GET', url: 'https://shop.test/api/basket', status: 200, duration: 10, resourceType: 'xhr' };

const MOVED = 2;
/** The file store of runs that have moved. */
const objects = new Map<string, Buffer>();
const readMoved: ReadMoved = async ({ hash }, { start: first, end }) => objects.get(hash)!.subarray(first, end + 1);
const packObject = async ({ database }: WriterMeans): Promise<void> => {
  const values: Uint8Array[] = [];
  for await (const { bytes } of valuesOf(database.queries, MOVED)) values.push(bytes);
  const object = Buffer.concat(values);
  objects.set(createHash('sha256').update(object).digest('hex'), object);
};
const moved = (isAgain: boolean) => {
  const [hash, { length }] = [...objects].at(-1)!;
  const content = { hash, encoding: 'identity' as const, sizeBytes: length, storedBytes: length };
  return { runId: MOVED, projectName: 'shop', version: isAgain ? 1 : 0, blob: content, isAgain };
};

const UPLOADED = 4;
const LIVE = 5;
const LIVE_PART = 4;

const STEPS: readonly Step[] = [
  step('a look whether anything can be stored', storageCommands.checkStorage, () => null),
  step('the first Administrator', accountCommands.setUp, () => ({
    user: { username: 'ann', name: 'Ann', role: 'administrator' as const, password: 'hash 1' },
    session: session(1),
    actor: { ...actor, userId: null, username: null },
  })),
  step('another user', accountCommands.createUser, () => ({
    user: { username: 'bob', name: null, role: 'user' as const, password: 'hash 2' },
    actor,
  })),
  step('an attempt to sign in', accountCommands.chargeAttempt, () => ({
    attempt: { act: 'sign in' as const, usernameKey: 'bob', address: '10.0.0.2' },
  })),
  step('an attempt that was none', accountCommands.refundAttempt, () => ({
    charges: [{ key: 'nobody', leakMs: 10_000 }],
  })),
  step('a session', accountCommands.openSession, () => ({
    userId: 2,
    charges: [],
    session: session(2),
    verified: 'hash 2',
    password: 'better hash 2',
    actor,
  })),
  step('sessions from when the clock was ahead', accountCommands.capSessions, () => ({})),
  step('another role and password', accountCommands.updateUser, () => ({
    userId: 2,
    edit: { name: 'Bob', role: 'administrator' as const, password: 'hash 3' },
    session: session(3),
    actor,
  })),
  step('an API key', accountCommands.createApiKey, () => ({
    userId: 2,
    hash: Buffer.from('key'),
    prefix: 'as_1',
    name: 'CI',
    expiresAt: null,
    actor,
  })),
  step('the use of an API key', accountCommands.touchApiKey, () => ({ keyId: 1 })),
  step('the end of an API key', accountCommands.revokeApiKey, () => ({ userId: 2, keyId: 1, actor })),
  step('the end of a session', accountCommands.endSession, () => ({ sessionId: 3, userId: 2, actor })),
  step('the end of a user', accountCommands.deleteUser, () => ({ userId: 2, actor })),

  step(
    'a run of a new project',
    ingestCommands.submitRun,
    () => ({
      body: submitted(0, {}, 'a', 'b'),
      idempotencyKey: null,
    }),
    () => ({ body: submitted(0, {}, 'b', 'w', 'x', 'a'), idempotencyKey: null }),
  ),
  step('a run with tests that are known and new ones', ingestCommands.submitRun, () => ({
    body: submitted(1, { testCases: [...cases('a', 'b', 'c'), richCase({ title: 'rich' })] }),
    idempotencyKey: 'key of run 2',
  })),
  step(
    'a shard',
    ingestCommands.submitRun,
    () => ({
      body: submitted(2, { runKey: 'ci 1', shard: { index: 1, total: 2 } }, 'a', 'd'),
      idempotencyKey: null,
    }),
    () => ({
      body: submitted(2, { runKey: 'ci 1', shard: { index: 1, total: 2 } }, 'w', 'x', 'y', 'z', 'a'),
      idempotencyKey: null,
    }),
  ),
  step(
    'another shard, with tests of its own',
    ingestCommands.submitRun,
    () => ({
      body: submitted(3, { runKey: 'ci 1', shard: { index: 2, total: 2 } }, 'b', 'e'),
      idempotencyKey: null,
    }),
    () => ({
      body: submitted(3, { runKey: 'ci 2', shard: { index: 2, total: 3 } }, 'w', 'x', 'y', 'z', 'e'),
      idempotencyKey: null,
    }),
  ),
  step('a shard in the place of an earlier try', ingestCommands.submitRun, () => ({
    body: submitted(4, { runKey: 'ci 1', shard: { index: 1, total: 2 }, attempt: 2 }, 'a', 'f'),
    idempotencyKey: null,
  })),
  step('an upload with a report, a trace and attachments', ingestCommands.uploadRun, () => ({
    projectName: 'shop',
    testRun: body({ ...submission({ startTime: started(5) }), projectName: undefined, testCases: undefined }),
    testCases: body([richCase({ title: 'traced', networkRequests: [] }), ...cases('a', 'g')]),
    reports: [report(1)],
    traces: [{ caseIndex: 0, blob: blob(9) }],
    attachments: [attachment(0, 8), attachment(1, 9)],
    idempotencyKey: 'upload',
  })),
  step('a job that begins', jobCommands.beginJob, () => ({ jobId: 2, leaseMs: 60_000 })),
  step('a job that takes long', jobCommands.renewJob, () => ({ jobId: 2, leaseMs: 60_000 })),
  step('a job that is stopped', jobCommands.releaseJob, () => ({ jobId: 2 })),
  step('a job that fails', jobCommands.failJob, () => ({ jobId: 2, problem: 'out of luck' })),
  step('what a trace says', traceCommands.fillFromTraces, () => ({
    runId: UPLOADED,
    caseIndex: 0,
    contents: { requests: [request], steps: [], console: [] },
    traces: [{ id: 1, state: 'read' as const, problem: null }],
  })),
  step('a job that is done', jobCommands.finishJob, () => ({ jobId: 2 })),
  step('a report in the place of another', fileCommands.addReport, () => ({ runId: UPLOADED, report: report(20) })),

  step('a live run', liveCommands.startRun, () => ({ start: start(6), idempotencyKey: 'live' })),
  step(
    'a batch',
    liveCommands.addResults,
    () => ({
      runId: LIVE,
      body: body({ part: LIVE_PART, batch: 0, testCases: cases('a', 'h') }),
    }),
    () => ({
      runId: LIVE,
      body: body({ part: LIVE_PART, batch: 0, testCases: cases('w', 'x', 'y', 'z', 'h') }),
    }),
  ),
  step('a batch after a batch', liveCommands.addResults, () => ({
    runId: LIVE,
    body: body({ part: LIVE_PART, batch: 1, testCases: [richCase({ title: 'i', duration: 900 }), ...cases('j')] }),
  })),
  step('a heartbeat', liveCommands.touchPart, () => ({ runId: LIVE, partId: LIVE_PART })),
  step('files of a live run', liveCommands.addFiles, () => ({
    runId: LIVE,
    partId: LIVE_PART,
    reports: [report(30)],
    traces: [{ caseIndex: 2, blob: blob(40) }],
    attachments: [attachment(2, 42)],
  })),
  step('a batch after files', liveCommands.addResults, () => ({
    runId: LIVE,
    body: body({
      part: LIVE_PART,
      batch: 2,
      testCases: [...cases('k'), richCase({ title: 'again', retry: 0 }), testCase({ title: 'alone', retry: 0 })],
    }),
  })),
  step('attempts in batches of their own', liveCommands.addResults, () => ({
    runId: LIVE,
    body: body({ part: LIVE_PART, batch: 3, testCases: [testCase({ title: 'alone', retry: 1 })] }),
  })),
  step('more attempts', liveCommands.addResults, () => ({
    runId: LIVE,
    body: body({ part: LIVE_PART, batch: 4, testCases: [richCase({ title: 'again', retry: 1 })] }),
  })),
  step('a trace of an attempt', liveCommands.addFiles, () => ({
    runId: LIVE,
    partId: LIVE_PART,
    reports: [],
    traces: [{ caseIndex: 5, blob: blob(41) }],
    attachments: [attachment(5, 43)],
  })),
  step('the end of a live run', liveCommands.finishRun, () => ({
    runId: LIVE,
    finish: { part: LIVE_PART, status: 'passed', duration: 5 },
  })),
  step('a live run of many blocks that is finalized', partCommands.finalizeRun, () => ({ runId: LIVE })),
  step('a run in shards that is finalized', partCommands.finalizeRun, () => ({ runId: 3 })),
  step('causes by the rules of a new version', causeCommands.storeCauses, () => {
    using database = new DatabaseSync(steady.file, { readOnly: true });
    const before = database.prepare('SELECT results FROM segments WHERE run_id = 3').get()!['results'] as Uint8Array;
    const block = { runId: 3, firstIndex: 0, before, results: before };
    return { blocks: [block, { ...block, firstIndex: 1_000 }], nextRunId: 7 };
  }),
  step('outlines', outlineCommands.storeOutlines, () => ({
    packs: [1, 404].map((project_id) => ({ ...pack, project_id })),
    empty: [],
  })),
  step('outlines of other runs, and none', outlineCommands.storeOutlines, () => ({
    packs: [{ ...pack, project_id: 1, version_sum: 4 }],
    empty: [{ project_id: 1, span: 7 }],
  })),
  step('a run whose sender vanishes', liveCommands.startRun, () => ({ start: start(7), idempotencyKey: null })),
  step('another run whose sender vanishes', liveCommands.startRun, () => ({
    start: start(8, { projectName: 'bank' }),
    idempotencyKey: null,
  })),
  step('parts without a heartbeat', liveCommands.timeOutParts, () => ({ lastSeenBefore: Date.now() + MINUTE_MS })),
  step('a late shard for a run that is finalized', ingestCommands.submitRun, () => ({
    body: submitted(9, { runKey: 'ci 1', shard: { index: 2, total: 2 }, attempt: 3 }, 'b', 'l'),
    idempotencyKey: null,
  })),
  step('a project with another label', projectCommands.updateProject, () => ({
    projectId: 1,
    change: { label: 'The shop', tags: ['web'], archived: true },
    actor,
  })),
  step('commits and owners', commitCommands.storeCommits, () => ({
    projectName: 'shop',
    branch: 'trunk',
    commits: ['a', 'b'].map((letter) => ({
      hash: letter.repeat(40),
      parents: [],
      time: started(0),
      author: 'Ada',
      subject: letter,
      files: [],
    })),
    owners: { hash: 'c'.repeat(64), text: '* @all', files: [{ file: 'a', path: 'tests/a' }] },
  })),
  step('a project without a run', projectCommands.createProject, () => ({ project: { name: 'new' }, actor })),
  step('a run that is damaged', runCommands.markDamaged, () => ({ runId: 2, reason: 'a block is cut short' })),
  step('a damaged run that can be read again', runCommands.unmarkDamaged, () => ({ runId: 2 })),
  step('a summary that is made again', runCommands.rewriteSummary, () => ({
    projectId: 1,
    span: { level: 1, index: 0 },
  })),
  step('a summary of a branch that nobody needed before', runCommands.rewriteSummary, () => ({
    projectId: 1,
    span: { level: 1, index: 0 },
    branch: 'main',
  })),
  step('the clusters of a run', clusterCommands.storeClusters, () => ({
    projectId: 1,
    runs: [
      {
        runId: 1,
        version: 0,
        failures: new Map([
          ['Error: one', 2],
          ['Error: two', 1],
        ]),
      },
    ],
  })),
  step('the clusters of a run that is read again', clusterCommands.storeClusters, () => ({
    projectId: 1,
    runs: [{ runId: 1, version: 0, failures: new Map([['Error: one', 1]]) }],
  })),
  step('a cluster with a note', clusterCommands.updateCluster, () => ({
    clusterId: 1,
    change: { note: 'known' },
    actor,
  })),
  step('a view', viewCommands.createView, () => ({
    projectId: 1,
    view: { name: 'Failures', query: { over: 'results' as const, filter: 'status:failed' } },
    actor: { ...actor, userId: null },
  })),
  step('a view with another name', viewCommands.updateView, () => ({
    viewId: 1,
    change: { name: 'Red', shared: false, pinned: true, query: { over: 'runs' as const } },
    viewer,
    actor,
  })),
  step('no view', viewCommands.deleteView, () => ({ viewId: 1, viewer, actor })),
  step('a run that is pinned', runCommands.pinRun, () => ({ runId: 1, pinned: true, actor })),
  step('an old run with files', ingestCommands.uploadRun, () => ({
    projectName: 'shop',
    testRun: body({
      ...submission({ startTime: started(-60 * 24 * 40) }),
      projectName: undefined,
      testCases: undefined,
    }),
    testCases: body(cases('a', 'old')),
    reports: [report(50)],
    traces: [{ caseIndex: 0, blob: blob(52) }],
    attachments: [attachment(1, 53)],
    idempotencyKey: null,
  })),
  step('work that one process does for all', jobCommands.claimChore, () => ({
    name: 'move-runs' as const,
    intervalMs: MINUTE_MS,
  })),
  step('a run that is not worth an object', movingCommands.moveBlocks, () => ({
    runId: 1,
    projectName: 'shop',
    version: 0,
    blob: null,
    isAgain: false,
  })),
  { ...step('a run whose results move', movingCommands.moveBlocks, () => moved(false)), before: packObject },
  {
    ...step('a run that has changed since', movingCommands.moveBlocks, () => moved(true)),
    async before(means) {
      const { queries } = means.database;
      await queries.updateTable('segments').set({ requests: null }).where('run_id', '=', MOVED).execute();
      await queries.updateTable('runs').set({ version: 1 }).where('id', '=', MOVED).execute();
      await packObject(means);
    },
  },
  step('the room of what has moved', movingCommands.finishMoving, () => null),
  step('limits of retention', retentionCommands.setRetention, () => ({
    projectId: 1,
    settings: { days: null, runs: 5, bytes: null, fileDays: 1, keepBranches: ['release/*'] },
    actor,
  })),
  step('limits of all other projects', retentionCommands.setRetention, () => ({
    projectId: null,
    settings: { days: null, runs: 4, bytes: null, fileDays: 1, keepBranches: [] },
    actor,
  })),
  step('retention that begins', retentionCommands.claimRetention, () => ({ intervalMs: MINUTE_MS })),
  step('files that retention deletes', retentionCommands.retainSome, () => ({
    projectId: 1,
    place: { phase: 'files' as const, after: null, isAhead: false },
    told: null,
    actor,
  })),
  step('runs that it deletes, told in the same entry', retentionCommands.retainSome, () => ({
    projectId: 1,
    place: null,
    told: {
      entryId: 1,
      figures: { runs: 0, results: 0, strippedRuns: 1, reports: 1, traces: 1, attachments: 1, bytes: 500 },
    },
    actor,
  })),
  step('the end of retention', retentionCommands.finishRetention, () => null),
  step('what is stored today', retentionCommands.recordStorage, () => ({ diskBytes: 1_000_000 })),
  step('a run that is deleted', runCommands.deleteRun, () => ({ runId: UPLOADED, actor })),
  step('a run after a deletion', ingestCommands.submitRun, () => ({
    body: submitted(10, {}, 'a', 'g', 'm'),
    idempotencyKey: null,
  })),
  step('a clean-up of two projects', adminCommands.cleanUp, () => ({
    startedBefore: Date.parse(started(9)),
    actor,
  })),
  step('shards of a run that are imported together', importCommands.importRun, () => ({
    projectName: 'shop',
    idempotencyKey: 'import',
    parts: [1, 2].map((index) => {
      const testCases = { bytes: new TextEncoder().encode(JSON.stringify(cases('a', `imported ${index}`))) };
      const run = { status: 'passed', startTime: started(10), runKey: 'ci 9', shard: { index, total: 2 } };
      return {
        testRun: JSON.stringify(run),
        testCases,
        reports: [report(30)],
        traces: [{ caseIndex: 0, blob: blob(9) }],
        attachments: [attachment(1, 9)],
      };
    }),
  })),
  step('a run after a clean-up', ingestCommands.submitRun, () => ({
    body: submitted(11, {}, 'a', 'b', 'n'),
    idempotencyKey: null,
  })),
  step('a project that is deleted', projectCommands.deleteProject, () => ({ projectId: 1, actor })),
  {
    ...step('tests of a submission that was cut off', ingestCommands.discardStagedTests, () => null),
    async before(means) {
      const input = { body: submitted(90, {}, 'staged', 'staged too'), idempotencyKey: null };
      const parsed = finishParsing(ingestCommands.submitRun.parse(input, () => input.body.bytes));
      for await (const _ of ingestCommands.submitRun.stage!({ ...means, now: Date.now() }, parsed, input));
    },
  },
  step('entries of the audit log that are old', auditCommands.trimAudit, () => ({ before: NOW + 3 * MINUTE_MS })),
];

/** Revisions are drawn by chance, so that none is used twice. */
const readAlike = (writer: OpenWriter): string[] =>
  writer
    .reader()
    .read()
    .map((row) => row.replace(/"revision":\d+/, '"revision":0'));

/** What was committed before a failure was told, and what is done again is told again. */
const withoutAudit = (content: readonly string[]): string[] =>
  content.filter((row) => !/^(audit |sqlite_sequence \{"name":"audit")/.test(row));

/** How much space came back depends on where the pages lie. */
const withoutFreedBytes = (reply: unknown): unknown =>
  typeof reply === 'object' && reply !== null && 'freedBytes' in reply ? { ...reply, freedBytes: 0 } : reply;

const executeIn = async (
  { means }: OpenWriter,
  { command, input }: Pick<Step, 'command' | 'input'>,
): Promise<unknown> => withoutFreedBytes(await executeCommand(means, command, input()));

type Attempt = { readonly failed: true } | { readonly failed: false; readonly reply: unknown };

/** Executes a command whose nth statement fails, if it has so many. */
const failAt = async (
  writer: OpenWriter,
  each: Pick<Step, 'command' | 'input'>,
  nth: number | 'commit',
): Promise<Attempt> => {
  writer.database.failAt(nth);
  try {
    return { failed: false, reply: await executeIn(writer, each) };
  } catch (error) {
    if (error instanceof PlantedFailure) return { failed: true };
    throw error;
  } finally {
    writer.database.failAt(Infinity);
  }
};

describe.each(STEPS.map((each, nth) => ({ ...each, nth })))('$name ($command.kind)', (each) => {
  it('is stored as a whole or not at all whichever statement fails, and as if none had failed after that', async () => {
    vi.setSystemTime(NOW + each.nth * MINUTE_MS);
    for (const { means } of [steady, failing]) await each.before?.(means);
    expect(readAlike(failing)).toEqual(readAlike(steady));
    const before = failing.reader().read();
    commits = [readAlike(steady)];
    const expected = await executeIn(steady, each);
    const after = readAlike(steady);

    const inOneCommit = commits.length <= 2;
    // What the writer has learnt from it goes with it, even where ids are given again.
    expect(await failAt(failing, { command: each.command, input: each.decoy }, 'commit')).toEqual({ failed: true });
    expect(failing.reader().read()).toEqual(before);
    using watcher = new DatabaseSync(failing.file, { readOnly: true, timeout: 10_000 });
    // Changes with each commit of another connection, and is read in no time.
    const commitsSeen = () => watcher.prepare('PRAGMA data_version').get()!['data_version'];
    const commitsBefore = commitsSeen();
    for (let nth = 1; ; nth++) {
      expect(nth).toBeLessThan(MOST_STATEMENTS);
      // A command of many transactions starts over each time; any other finds the writer as it was before.
      const writer = inOneCommit ? failing : copyOf(failing, nth);
      const attempt = await failAt(writer, each, nth);
      if (!attempt.failed) expect(attempt.reply).toEqual(expected);
      else if (inOneCommit) expect(commitsSeen(), `commits after statement ${nth}`).toBe(commitsBefore);
      else expect(commits, `after statement ${nth}`).toContainEqual(readAlike(writer));
      if (!inOneCommit) {
        if (attempt.failed) await executeIn(writer, each);
        expect(withoutAudit(readAlike(writer)), `again after statement ${nth}`).toEqual(withoutAudit(after));
        await writer.close();
      }
      if (attempt.failed) continue;
      expect(nth).toBeGreaterThan(3);
      break;
    }
    if (!inOneCommit) expect(await executeIn(failing, each)).toEqual(expected);
    expect(readAlike(failing)).toEqual(after);
  });
});

const copyOf = ({ file }: OpenWriter, nth: number): OpenWriter => {
  const copy = join(folder, `copy-${nth}.db`);
  for (const end of ['', '-wal']) {
    rmSync(`${copy}${end}`, { force: true });
    copyFileSync(`${file}${end}`, `${copy}${end}`);
  }
  return openOn(copy);
};

it('every command of the writer is among them', async () => {
  const kinds: string[] = [];
  for (const path of globSync('src/**/commands.ts', { cwd: join(import.meta.dirname, '../..') })) {
    const exported = (await import(join(import.meta.dirname, '../..', path))) as Record<string, object>;
    for (const commands of Object.values(exported)) {
      for (const { kind } of Object.values(commands) as AnyCommand[]) kinds.push(kind);
    }
  }
  expect([...new Set(STEPS.map(({ command }) => command.kind))].sort()).toEqual(kinds.sort());
});
