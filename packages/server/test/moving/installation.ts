import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Submission, SubmittedCase } from '@assay/contract';
import { expect, vi } from 'vitest';
import type { S3Location } from '../../src/blobs/s3-location.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { readReference } from '../../src/db/moved-values.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { minute, richCase, runStart, submission, testCase } from '../conformance/build.ts';
import { readAnswers } from '../copy/answers.ts';
import { file, json, runFields, text, uniqueBytes, upload } from '../files/form.ts';
import { type TestServer, countWaitingJobs, startTestServer } from '../server.ts';

/** Where an installation is. */
export interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly s3: S3Location | null;
}

/** Looks for old runs all the time. */
export const MOVING: Partial<Config> = { moveAfterDays: 1, retentionCheckMs: 250 };

/** Outlines, which are made some time later, would count as stored. */
export const start = (place: Place, settings: Partial<Config> = {}): Promise<TestServer> =>
  startTestServer({ outlineQuietMs: 3_600_000, ...place, ...settings });

/** As it is stored: where a value has moved, its reference. */
export const openRaw = ({ dataDir, databaseUrl }: Place, access: 'read' | 'write' = 'read'): Promise<Database> =>
  openDatabase(databaseUrl === null ? { file: join(dataDir, 'assay.db') } : { url: databaseUrl }, { access });

/** A text that compresses badly, so that a run is worth an object. */
const noise = (of: string): string =>
  Array.from({ length: 60 }, (_, nth) => createHash('sha256').update(`${of} ${nth}`).digest('base64')).join('\n');

/** Two that failed, and one that passed. */
export const largeCases = (prefix: string, time = 0): SubmittedCase[] => [
  ...[1, 2].map((nth) =>
    richCase({ title: `${prefix} ${nth}`, error: `Error: ${prefix}\n${noise(`${prefix} ${nth} ${time}`)}` }),
  ),
  testCase({ title: `${prefix} passes`, duration: 100 + time }),
];

export const shardOf = (index: number, overrides: Partial<Submission> = {}): Submission =>
  submission({
    projectName: 'sharded',
    runKey: 'ci 1',
    shard: { index, total: 2 },
    startTime: minute(5),
    testCases: largeCases(`shard ${index}`),
    ...overrides,
  });

/** Runs of many kinds: a long history, files, shards, one that was streamed, small ones. */
export const fill = async (server: TestServer): Promise<void> => {
  const { client } = server;
  // As many as a summary is made of, and one more.
  for (let at = 0; at < 17; at++) {
    const more = testCase({ title: 'now and then', status: at % 3 === 0 ? 'failed' : 'passed', retries: at % 2 });
    const testCases = [...largeCases('pays', at), more];
    const branch = at % 4 === 1 ? 'fix' : 'main';
    await client.submitRun({ body: submission({ projectName: 'shop', startTime: minute(at), branch, testCases }) });
  }
  for (const index of [1, 2]) await client.submitRun({ body: shardOf(index) });
  const { testRunId: id, part } = await client.startRun({ body: runStart({ projectName: 'live' }) });
  for (const batch of [0, 1, 2]) {
    const testCases = largeCases(`batch ${batch}`);
    await client.addResults({ params: { id }, body: { part, batch, testCases } });
  }
  await client.finishRun({ params: { id }, body: { part, status: 'failed' } });
  await client.submitRun({ body: submission({ projectName: 'small', startTime: minute(1) }) });
  await upload(server, [
    text('projectName', 'traced'),
    json('testRun', runFields()),
    json('testCases', [testCase({ title: 'traced' }), ...largeCases('beside')]),
    file('trace_0', uniqueBytes()),
  ]);
  // Finalized by a job.
  await vi.waitUntil(async () => (await countWaitingJobs(server)) === 0, 20_000);
};

/** What people read, of all projects or of one, without the times at which this test does something. */
export const answersOf = async (server: TestServer, projectName?: string): Promise<Map<string, string>> => {
  const today = new RegExp(`"${new Date().toISOString().slice(0, 10)}T[^"]+"`, 'g');
  const answers = await readAnswers(server, projectName);
  for (const path of ['/api/admin/storage', '/api/admin/cleanup?olderThanDays=1']) {
    answers.set(path, await (await fetch(`${server.url}${path}`)).text());
  }
  return new Map(
    [...answers].map(([path, answer]) => [
      path,
      answer.replaceAll(today, '"now"').replace(/"startedBefore":"[^"]+"/, ''),
    ]),
  );
};

/** With a message that a person can read. */
export const expectSame = (found: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): void => {
  expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
  const [path] = [...found].find(([name, answer]) => answer !== expected.get(name)) ?? [];
  if (path !== undefined) expect(`${path}: ${found.get(path)}`).toBe(`${path}: ${expected.get(path)}`);
};

export interface StoredValues {
  readonly moved: number;
  readonly kept: number;
  /** The runs that have an object. */
  readonly runs: readonly number[];
  /** Hashes of their objects. */
  readonly objects: readonly string[];
  /** Runs that are to be looked at. */
  readonly waiting: number;
}

export const storedValues = async (place: Place): Promise<StoredValues> => {
  const database = await openRaw(place);
  const { queries } = database;
  try {
    const blocks = await queries.selectFrom('segments').select(['results', 'requests']).execute();
    const chunks = await queries.selectFrom('details').select('data').execute();
    const values = [
      ...blocks.flatMap(({ results, requests }) => [results, requests]),
      ...chunks.map(({ data }) => data),
    ];
    const references = values.flatMap((value) => readReference(value) ?? []);
    const runs = await queries
      .selectFrom('moved_runs')
      .innerJoin('blobs', 'blobs.id', 'moved_runs.blob_id')
      .select(['run_id', 'hash'])
      .orderBy('run_id')
      .execute();
    const objects = runs.map(({ hash }) => Buffer.from(hash).toString('hex'));
    expect(new Set(references.map(({ hash }) => hash))).toEqual(new Set(objects));
    return {
      moved: references.length,
      kept: values.filter((value) => value !== null).length - references.length,
      runs: runs.map(({ run_id }) => run_id),
      objects,
      waiting: await countWaiting(database),
    };
  } finally {
    await database.close();
  }
};

const countWaiting = async ({ queries }: Database): Promise<number> => {
  const { waiting } = await queries
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .whereRef('moved_version', '!=', 'version')
    .executeTakeFirstOrThrow();
  return waiting;
};

/** Waits until all old runs have moved. */
export const untilMoved = async (place: Place): Promise<StoredValues> => {
  const database = await openRaw(place);
  try {
    await vi.waitUntil(async () => (await countWaiting(database)) === 0, { timeout: 40_000, interval: 50 });
  } finally {
    await database.close();
  }
  return storedValues(place);
};
