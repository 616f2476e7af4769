import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createStory } from '@assay/testkit';
import { createDatabase } from '@assay/testkit/postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { S3Location } from '../../src/blobs/s3-location.ts';
import { manageCopy } from '../../src/cli/copy.ts';
import { COPIED_TABLES } from '../../src/copy/copied-tables.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { minute, newName, richCase, runStart, submission } from '../conformance/build.ts';
import { textFields, upload } from '../files/form.ts';
import { type Folder, newFolder } from '../robustness/service-process.ts';
import { type TestS3, startTestS3 } from '../s3/s3-server.ts';
import { startTestServer } from '../server.ts';
import { readAnswers } from './answers.ts';

let s3: TestS3;
let bucket: S3Location;
let filled: Folder;
/** What it answered; each test copies it. */
let before: Map<string, string>;
beforeAll(async () => {
  s3 = await startTestS3();
  bucket = s3.newLocation();
  filled = newFolder();
  before = await fill(filled.path);
});
afterAll(async () => {
  filled[Symbol.dispose]();
  await s3.stop();
});

const BUCKET = 's3://of-tests';
const readFilesUrl = (): S3Location => bucket;
const copy = async (...args: string[]): Promise<string> => {
  let printed = '';
  await manageCopy({ args, print: (text) => (printed += text), progress: () => undefined, readFilesUrl });
  return printed;
};

const newPlaces = async ({ empty = false } = {}) => {
  const folder = newFolder();
  const database = await createDatabase();
  onTestFinished(async () => {
    folder[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });
  const [data, files, back] = ['data', 'files', 'back'].map((name) => join(folder.path, name));
  if (!empty) cpSync(filled.path, data!, { recursive: true });
  return { data: data!, files: files!, back: back!, url: database.url };
};

/** Runs of many kinds, files, a run that goes on, and some that were deleted. */
const fill = async (dataDir: string): Promise<Map<string, string>> => {
  await using server = await startTestServer({ dataDir, databaseUrl: null });
  const story = createStory({
    seed: 'copy',
    projectName: 'shop',
    tests: 5,
    details: 'full',
    firstRunAt: Date.UTC(2026, 0, 1),
    intervalMs: 3_600_000,
  });
  for (let at = 0; at < 17; at++) await server.client.submitRun({ body: story.run(at) });
  const projectName = 'odd name 🦉';
  await server.client.submitRun({
    body: submission({
      projectName,
      testCases: [richCase({ title: 'pays \0 \u{10FFFF} twice' })],
      startTime: minute(1),
    }),
  });
  const attachment = { name: 'attachment_0', content: 'seen', filename: 'notes.txt', type: 'text/plain' };
  await upload(server, [attachment, ...textFields(projectName)]);
  const { testRunId: id, part } = await server.client.startRun({ body: runStart({ projectName }) });
  await server.client.addResults({ params: { id }, body: { part, batch: 0, testCases: [richCase()] } });
  await server.client.finishRun({ params: { id }, body: { part, status: 'failed' } });
  const last = await server.client.submitRun({ body: submission({ projectName: newName() }) });
  await server.client.deleteRun({ params: { id: last.testRunId } });
  return await readAnswers(server);
};

/** Makes of some blocks what a version that did not store their project would have left. */
const forgetProjects = (dataDir: string): void => {
  const database = new DatabaseSync(join(dataDir, 'assay.db'));
  const segments = database.prepare('UPDATE segments SET project_id = NULL WHERE run_id % 2 = 0').run();
  const details = database.prepare('UPDATE details SET project_id = NULL WHERE rowid % 3 <> 0').run();
  database.close();
  expect(Math.min(Number(segments.changes), Number(details.changes))).toBeGreaterThan(0);
};

describe('a copy of an installation', () => {
  it('to PostgreSQL and S3 and back gives every answer and file as before', async () => {
    const { data, files, back, url } = await newPlaces();
    forgetProjects(data);
    await (await startTestServer({ dataDir: files, databaseUrl: url, s3: bucket })).stop();
    expect(await copy('--from', data, '--to', url, '--files-to', BUCKET)).toMatch(/^Copied [\d,]+ rows and 1 files/);
    let deletedId;
    {
      await using server = await startTestServer({ dataDir: files, databaseUrl: url, s3: bucket });
      expect(await readAnswers(server)).toEqual(before);
      // The id of the run that was deleted before is not given again.
      const { testRunId } = await server.client.submitRun({ body: submission({ projectName: 'extra' }) });
      deletedId = testRunId;
      expect(deletedId).toBeGreaterThan(Math.max(...runIds(before)) + 1);
      const { id } = (await server.client.listProjects({})).find(({ name }) => name === 'extra')!;
      await server.client.deleteProject({ params: { id } });
    }
    await copy('--from', url, '--files-from', BUCKET, '--to', back);
    await using server = await startTestServer({ dataDir: back, databaseUrl: null });
    expect(await readAnswers(server)).toEqual(before);
    const { testRunId } = await server.client.submitRun({ body: submission() });
    expect(testRunId).toBeGreaterThan(deletedId);
  });

  it('that was broken off is no installation, and goes on where it ended', async () => {
    const { data, files, url } = await newPlaces();
    const stop = new Error('pulled the plug');
    const broken = manageCopy({
      args: ['--from', data, '--to', url, '--files-to', files],
      print: () => undefined,
      readFilesUrl,
      progress(text) {
        if (/copied [3-9]\d %/.test(text)) throw stop;
      },
    });
    await expect(broken).rejects.toBe(stop);
    await expect(startTestServer({ dataDir: files, databaseUrl: url })).rejects.toThrow(/unfinished copy/);
    await expect(copy('--from', url, '--files-from', files, '--to', join(files, 'other'))).rejects.toThrow(
      /unfinished/,
    );
    await copy('--from', data, '--to', url, '--files-to', files);
    await using server = await startTestServer({ dataDir: files, databaseUrl: url });
    expect(await readAnswers(server)).toEqual(before);
  });

  it('is refused where it would mix or lose something', async () => {
    const { data, files, url } = await newPlaces();
    await expect(copy('--from', data, '--to', url)).rejects.toThrow(/--files-to/);
    await copy('--from', data, '--to', url, '--files-to', files);
    await expect(copy('--from', data, '--to', url, '--files-to', files)).rejects.toThrow(/not empty/);
    await expect(copy('--from', files, '--to', url)).rejects.toThrow(/no data of Assay/);
    rmSync(join(data, 'blobs'), { recursive: true });
    const other = join(files, 'other');
    await expect(copy('--from', data, '--to', other)).rejects.toThrow(/1 files are missing or damaged/);
    await expect(copy('--from', data)).rejects.toThrow(/assay-server copy --from/);
    await expect(copy('--from', data, '--to', 'postgres://127.0.0.1:1/assay')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('has all tables', async () => {
    const { data } = await newPlaces({ empty: true });
    await (await startTestServer({ dataDir: data, databaseUrl: null })).stop();
    const database = await openDatabase({ file: join(data, 'assay.db') }, { access: 'read' });
    onTestFinished(() => database.close());
    const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`.execute(
      database.queries,
    );
    const others = ['chores', 'installation', 'migrations', 'sqlite_sequence', 'staged_tests', 'storage_figures'];
    expect(rows.map(({ name }) => name).sort()).toEqual([...COPIED_TABLES.map(({ name }) => name), ...others].sort());
  });
});

const runIds = (answers: ReadonlyMap<string, string>): number[] =>
  [...answers.keys()].flatMap((path) => /^\/api\/test-runs\/(\d+)$/.exec(path)?.[1] ?? []).map(Number);
