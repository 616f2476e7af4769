import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OwnDatabase, createDatabase } from '@assay/testkit/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { copyInstallation } from '../../src/backup/copy-installation.ts';
import { verifyInstallation } from '../../src/backup/verify-installation.ts';
import { createBudget } from '../../src/blobs/budget.ts';
import { openDiskBlobs } from '../../src/blobs/disk.ts';
import { openS3Bucket } from '../../src/blobs/s3-bucket.ts';
import { connectToS3 } from '../../src/blobs/s3-client.ts';
import { openS3Blobs } from '../../src/blobs/s3.ts';
import type { BlobStore } from '../../src/blobs/store.ts';
import { sweepBlobs } from '../../src/blobs/sweep.ts';
import { manageCopy } from '../../src/cli/copy.ts';
import { manageExport } from '../../src/cli/export.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { movingCommands } from '../../src/features/moving/commands.ts';
import { traceCommands } from '../../src/features/traces/commands.ts';
import { createMeans } from '../../src/writer/means.ts';
import { minute, submission } from '../conformance/build.ts';
import { executeCommand } from '../robustness/failing-database.ts';
import { type Folder, newFolder } from '../robustness/service-process.ts';
import { type S3Proxy, startS3Proxy } from '../s3/s3-proxy.ts';
import { type TestS3, keysIn, startTestS3 } from '../s3/s3-server.ts';
import type { TestServer } from '../server.ts';
import {
  MOVING,
  type Place,
  type StoredValues,
  answersOf,
  expectSame,
  fill,
  largeCases,
  openRaw,
  shardOf,
  start,
  storedValues,
  untilMoved,
} from './installation.ts';

let s3: TestS3;
let proxy: S3Proxy;
/** An installation in which nothing has moved, and what it answers; tests copy it. */
let filled: Folder;
let before: Map<string, string>;
/** A copy of it, of which tests read the database. */
let filledOnServers: Place;
/** The same when all old runs have moved; tests copy what is on disk, and only read what is on servers. */
let movedOnDisk: Place;
let movedOnServers: Place;
/** Of the test at hand. */
let folder: Folder;
const ends = new AsyncDisposableStack();
beforeAll(async () => {
  s3 = await startTestS3();
  ends.defer(() => s3.stop());
  proxy = await startS3Proxy(s3.newLocation().endpoint!);
  ends.defer(() => proxy.stop());
  filled = ends.use(newFolder());
  {
    await using server = await start({ dataDir: filled.path, databaseUrl: null, s3: null });
    await fill(server);
    before = await answersOf(server);
  }
  const { path } = ends.use(newFolder());
  movedOnDisk = onDisk(join(path, 'moved'));
  filledOnServers = await copyToServers(join(path, 'replica'));
  movedOnServers = { ...filledOnServers, databaseUrl: ends.use(await copyOfDatabase(filledOnServers)).url };
  for (const place of [movedOnDisk, movedOnServers]) await move(place);
});
afterAll(() => ends.disposeAsync());
beforeEach(() => {
  folder = newFolder();
  onTestFinished(() => folder[Symbol.dispose]());
});

const onDisk = (dataDir = join(folder.path, 'data'), like = filled.path): Place => {
  cpSync(like, dataDir, { recursive: true });
  return { dataDir, databaseUrl: null, s3: null };
};

const copy = (place: Place, args: readonly string[]): Promise<void> =>
  manageCopy({ args, print: () => undefined, progress: () => undefined, readFilesUrl: () => place.s3! });

const copyToServers = async (dataDir: string): Promise<Place> => {
  const database = ends.use(await createDatabase());
  mkdirSync(dataDir);
  const place = { dataDir, databaseUrl: database.url, s3: s3.newLocation() };
  await copy(place, ['--from', filled.path, '--to', database.url, '--files-to', 's3://of-tests']);
  return place;
};

const copyOfDatabase = ({ databaseUrl }: Place): Promise<OwnDatabase> =>
  createDatabase({ template: new URL(databaseUrl!).pathname.slice(1) });

const copyOfServers = async (): Promise<Place> => {
  const { s3: from } = movedOnServers;
  const database = await copyOfDatabase(movedOnServers);
  onTestFinished(() => database[Symbol.asyncDispose]());
  const location = s3.newLocation();
  const bucket = openS3Bucket(connectToS3({ ...location, prefix: '' }), createBudget(0));
  for await (const objects of bucket.list(from!.prefix)) {
    for (const { key, bytes } of objects)
      await bucket.copy(key, location.prefix + key.slice(from!.prefix.length), bytes);
  }
  const dataDir = join(folder.path, 'other replica');
  mkdirSync(dataDir);
  return { dataDir, databaseUrl: database.url, s3: location };
};

const PLACES = [
  {
    name: 'SQLite and a folder',
    open: async () => onDisk(),
    moved: () => movedOnDisk,
    copyOfMoved: async () => onDisk(undefined, movedOnDisk.dataDir),
  },
  {
    name: 'PostgreSQL and S3',
    open: async () => filledOnServers,
    moved: () => movedOnServers,
    copyOfMoved: copyOfServers,
  },
];

const storeOf = ({ dataDir, s3: location }: Place) =>
  location
    ? openS3Blobs(location, dataDir, { unsettledMs: -60_000 })
    : openDiskBlobs(join(dataDir, 'blobs'), join(dataDir, 'staging'));

const listOf = async (blobs: BlobStore): Promise<string[]> => {
  const hashes: string[] = [];
  for await (const some of blobs.list()) hashes.push(...some);
  return hashes;
};

const move = async (place: Place) => {
  await using _ = await start(place, MOVING);
  return await untilMoved(place);
};

const idsOf = async ({ client }: TestServer, projectName: string): Promise<number[]> => {
  const { id } = (await client.listProjects({})).find(({ name }) => name === projectName)!;
  return (await client.getProject({ params: { id } })).testRuns.map((run) => run.id);
};

describe.each(PLACES)('old runs on $name', ({ open, moved, copyOfMoved }) => {
  it('give every answer as before when their blocks and details are in the file store', async () => {
    const place = moved();
    const values = await storedValues(place);
    expect(values.runs).toHaveLength(20);
    expect(new Set(values.objects).size).toBe(20);
    // Of the small run, and values that are as short as a reference.
    expect(values.kept).toBeLessThan(5);
    expect(values.moved).toBeGreaterThan(50);
    await using server = await start(place);
    expectSame(await answersOf(server), before);
  });

  it('take what is found in a trace later, and a clean-up tells once what they free', async () => {
    const place = await copyOfMoved();
    let traceId;
    {
      const raw = await openRaw(place, 'write');
      ({ id: traceId } = await raw.queries
        .updateTable('traces')
        .set({ state: 'waiting' })
        .returning('id')
        .executeTakeFirstOrThrow());
      await raw.close();
    }
    await using server = await start(place);
    const [runId] = await idsOf(server, 'traced');
    {
      const files = place.s3 ? { s3: place.s3 } : { folder: join(place.dataDir, 'blobs') };
      const at = place.databaseUrl === null ? { file: join(place.dataDir, 'assay.db') } : { url: place.databaseUrl };
      const database = await openDatabase({ ...at, files }, { access: 'write' });
      const url = 'https://shop.test/late';
      await executeCommand(createMeans(database, { runQuietMs: 1_000 }), traceCommands.fillFromTraces, {
        runId,
        caseIndex: 0,
        contents: {
          requests: [{ method: 'GET', url, status: 200, duration: 1, resourceType: 'xhr' }],
          steps: [],
          console: [],
        },
        traces: [{ id: traceId, state: 'read', problem: null }],
      });
      await database.close();
    }
    const told = await (await fetch(`${server.url}/api/test-runs/${runId}/network-requests`)).text();
    expect(told).toContain('"/late"');
    expect(told).toContain('"/api/basket"');
    const { testCases } = await server.client.getRun({ params: { id: runId! } });
    expect(testCases.find(({ title }) => title === 'beside 2')!.error).toContain('Error: beside');

    const { projects } = await server.client.getStorage({});
    const stored = projects.reduce((sum, { databaseBytes, fileBytes }) => sum + databaseBytes + fileBytes, 0);
    const { deletedRuns, freedBytes } = await server.client.cleanUp({ body: { olderThanDays: 1 } });
    expect(deletedRuns).toBeGreaterThan(19);
    expect(freedBytes).toBeGreaterThan(stored / 2);
    // References are deleted besides what they stand for, and what has changed since it moved.
    expect(freedBytes).toBeLessThan(stored * 1.3);
  });

  it('keep their objects from the sweep', async () => {
    const place = moved();
    const { objects } = await storedValues(place);
    const { queries, close } = await openRaw(place);
    const blobs = await storeOf(place);
    expect(await sweepBlobs(blobs, queries, Date.now())).toMatchObject({ quarantined: 0, removed: { count: 0 } });
    await close();
    const left = await listOf(blobs);
    expect(left).toEqual(expect.arrayContaining([...objects]));
  });

  it('that have changed since their object was made stay as they are', async () => {
    const place = await open();
    const at = place.databaseUrl === null ? { file: join(place.dataDir, 'assay.db') } : { url: place.databaseUrl };
    const database = await openDatabase(at, { access: 'write' });
    onTestFinished(() => database.close());
    const stored = await storedValues(place);
    expect(stored).toMatchObject({ moved: 0, runs: [] });
    const { id: runId, version } = await database.queries
      .selectFrom('runs')
      .select(['id', 'version'])
      .orderBy('id')
      .executeTakeFirstOrThrow();
    const blob = { hash: 'ab'.repeat(32), encoding: 'identity' as const, sizeBytes: 10, storedBytes: 10 };
    const input = { runId, version, projectName: 'shop', isAgain: false, blob };
    const means = createMeans(database, { runQuietMs: 1_000 });
    expect(await executeCommand(means, movingCommands.moveBlocks, input)).toBe('changed');
    const older = { ...input, version: version + 1, blob: null };
    expect(await executeCommand(means, movingCommands.moveBlocks, older)).toBe('changed');
    expect(await storedValues(place)).toEqual(stored);
  });
});

it('old runs can change and go like any others, and move again', async () => {
  await using servers = new AsyncDisposableStack();
  const still = servers.use(await start(onDisk(join(folder.path, 'twin'))));
  const moving: { readonly place: Place; readonly server: TestServer; readonly first: StoredValues }[] = [];
  for (const { copyOfMoved } of PLACES) {
    const place = await copyOfMoved();
    moving.push({ place, server: servers.use(await start(place, MOVING)), first: await storedValues(place) });
  }
  const allDo = async (projectName: string, work: (server: TestServer) => Promise<unknown>): Promise<void> => {
    for (const server of [still, ...moving.map((one) => one.server)]) await work(server);
    const answers = await answersOf(still, projectName);
    for (const { place, server } of moving) {
      await untilMoved(place);
      expectSame(await answersOf(server, projectName), answers);
    }
  };
  const late = shardOf(1, { attempt: 2, testCases: largeCases('shard 1', 5) });
  await allDo('sharded', ({ client }) => client.submitRun({ body: late }));
  const again: StoredValues[] = [];
  for (const { place, first } of moving) {
    const stored = await storedValues(place);
    expect(stored.runs).toEqual(first.runs);
    expect(stored.objects.filter((hash) => !first.objects.includes(hash))).toHaveLength(1);
    again.push(stored);
  }
  await allDo('sharded', ({ client }) => client.submitRun({ body: shardOf(3, { shard: { index: 3, total: 3 } }) }));
  await allDo('shop', async (server) => {
    for (const id of (await idsOf(server, 'shop')).slice(3, 8)) await server.client.deleteRun({ params: { id } });
  });
  for (const { place } of moving) expect(await storedValues(place)).toMatchObject({ runs: { length: 15 } });
  await allDo('shop', async ({ client }) => {
    for (const { id } of await client.listProjects({})) await client.deleteProject({ params: { id } });
  });
  for (const [at, { place, first }] of moving.entries()) {
    expect(await storedValues(place)).toEqual({ moved: 0, kept: 0, runs: [], objects: [], waiting: 0 });
    const left = await listOf(await storeOf(place));
    // What was replaced waits for the sweep.
    expect(left.every((hash) => first.objects.includes(hash) || again[at]!.objects.includes(hash))).toBe(true);
    expect(left.length).toBeLessThan(4);
  }
});

describe('an object of an old run', () => {
  it('is read by one request, only what is asked for of it, and is not damaged while the store is away', async () => {
    await using server = await start({ ...movedOnServers, s3: proxy.through(movedOnServers.s3!) });
    const [runId] = await idsOf(server, 'live');
    proxy.fate = () => 'cut';
    const response = await fetch(`${server.url}/api/test-runs/${runId}`);
    expect(response.status).toBe(503);
    proxy.fate = () => 'pass';
    proxy.seen.length = 0;
    await server.client.getRun({ params: { id: runId! } });
    const read = proxy.seen.filter(({ path, headers }) => path.includes('/blobs/') && headers.range);
    expect(read.map(({ method }) => method)).toEqual(read.map(() => 'GET'));
    // The results, and the details of all cases.
    expect(read).toHaveLength(2);
  });

  const pathOf = ({ dataDir }: Place, hash: string): string => join(dataDir, 'blobs', hash.slice(0, 2), hash);
  const markedRuns = async (place: Place): Promise<number[]> => {
    const { queries, close } = await openRaw(place);
    const damaged = queries.selectFrom('runs').select('id').where('damage', 'is not', null);
    const rows = await damaged.orderBy('id').execute();
    await close();
    return rows.map(({ id }) => id);
  };
  const flip = (path: string): void => {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    bytes[100]! ^= 1;
    writeFileSync(path, bytes);
  };
  it('that is missing, cut short or has other bytes makes its run a damaged one, and no other', async () => {
    const place = onDisk(undefined, movedOnDisk.dataDir);
    const { runs, objects } = await storedValues(place);
    await using server = await start(place);
    const marked: number[] = [];
    for (const { projectName, harm } of [
      { projectName: 'live', harm: (path: string) => rmSync(path) },
      { projectName: 'sharded', harm: (path: string) => truncateSync(path, 50) },
      { projectName: 'traced', harm: flip },
    ]) {
      const [runId] = await idsOf(server, projectName);
      harm(pathOf(place, objects[runs.indexOf(runId!)]!));
      const response = await fetch(`${server.url}/api/test-runs/${runId}`);
      expect(await response.text()).toContain('run_damaged');
      marked.push(runId!);
      await expect.poll(() => markedRuns(place)).toEqual(marked.toSorted((a, b) => a - b));
      for (const path of ['/api/projects/1', `/api/projects/3`, '/api/projects/1/test-cases', '/api/test-runs/1']) {
        expect((await fetch(server.url + path)).status).toBe(200);
      }
    }
    for (const id of marked) await server.client.deleteRun({ params: { id } });
    const left = await storedValues(place);
    expect(left.runs).toEqual(runs.filter((id) => !marked.includes(id)));
  });

  it('that was put back is read again after a start', async () => {
    const place = onDisk(undefined, movedOnDisk.dataDir);
    const { runs, objects } = await storedValues(place);
    const server = await start(place);
    const [runId] = await idsOf(server, 'live');
    const address = (url: string): string => `${url}/api/test-runs/${runId}`;
    const whole = await (await fetch(address(server.url))).text();
    await server.stop();
    const path = pathOf(place, objects[runs.indexOf(runId!)]!);
    renameSync(path, `${path}.away`);
    {
      await using without = await start(place);
      expect((await fetch(address(without.url))).status).toBe(410);
      await expect.poll(() => markedRuns(place)).toEqual([runId]);
    }
    renameSync(`${path}.away`, path);
    await using again = await start(place);
    await expect.poll(() => markedRuns(place)).toEqual([]);
    expect(await (await fetch(address(again.url))).text()).toBe(whole);
  });
});

describe('an installation with old runs in the file store', () => {
  it('is copied, backed up and verified with them', async () => {
    const place = movedOnServers;
    const { objects } = await storedValues(place);
    const [back, backup] = [join(folder.path, 'back'), join(folder.path, 'backup')];
    await copy(place, ['--from', place.databaseUrl!, '--files-from', 's3://of-tests', '--to', back]);
    expect(await copyInstallation(back, backup)).toMatchObject({ missing: [], files: 21 });
    const { results } = await verifyInstallation(filled.path);
    expect(await verifyInstallation(backup)).toMatchObject({ runs: 21, results, files: 21, problems: [] });
    await using server = await start({ dataDir: backup, databaseUrl: null, s3: null });
    expectSame(await answersOf(server), before);
    rmSync(join(backup, 'blobs', objects[0]!.slice(0, 2), objects[0]!));
    const { problems } = await verifyInstallation(backup);
    expect(problems.join('\n')).toMatch(/run \d+ of shop: results from 0 on/);
    expect(problems.join('\n')).toContain(`file ${objects[0]}: is missing`);
    expect(await keysIn(place.s3!)).toHaveLength(21);
  });

  it('stores runs that come with an old time like any others, and is exported with them, not once more when they move', async () => {
    const place = onDisk();
    const to = join(folder.path, 'exported');
    const runExport = async (): Promise<string> => {
      let printed = '';
      const environment = { SERVICE_DATA_DIR: place.dataDir };
      await manageExport({
        args: ['--format', 'parquet', '--to', to],
        environment,
        print: (text) => (printed += text),
        progress: () => undefined,
      });
      return printed;
    };
    expect(await runExport()).toContain('wrote 21 runs');
    await using server = await start(place, MOVING);
    await untilMoved(place);
    const [first] = (await idsOf(server, 'shop')).toSorted((a, b) => a - b);
    const sent = submission({ projectName: 'shop', startTime: minute(-500_000), testCases: largeCases('old') });
    const { testRunId } = await server.client.submitRun({ body: sent });
    expect((await untilMoved(place)).runs).toContain(testRunId);
    const { testCases } = await server.client.getRun({ params: { id: testRunId } });
    expect(testCases.map(({ title }) => title)).toEqual(largeCases('old').map(({ title }) => title));
    const startTime = new Date().toISOString();
    await server.client.submitRun({ body: submission({ projectName: 'shop', startTime }) });
    expect(await runExport()).toContain('wrote 2 runs');
    rmSync(to, { recursive: true });
    expect(await runExport()).toContain('wrote 23 runs');
    expect(first).toBe(1);
  });
});
