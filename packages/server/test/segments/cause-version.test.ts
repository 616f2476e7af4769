import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { CAUSE_VERSION } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/db/sqlite.ts';
import { causeCommands } from '../../src/features/causes/commands.ts';
import { findMissingCauses } from '../../src/features/causes/missing-causes.ts';
import { encodeBlock } from '../../src/segments/block.ts';
import { RESULT_COLUMNS } from '../../src/segments/columns.ts';
import { RESULT_NAMES, decodeResults } from '../../src/segments/results.ts';
import { createMeans } from '../../src/writer/means.ts';
import { minute, newName, runStart, submission, testCase } from '../conformance/build.ts';
import { executeCommand } from '../robustness/failing-database.ts';
import { newFolder, startServiceProcess, until } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';

/** More than are read at a time. */
const RUNS = 105;
const failed = (nth: number) => testCase({ title: 'fails', status: 'failed', error: `Error: price is ${nth}` });
const CASES = [
  testCase({ title: 'passes' }),
  testCase({
    title: 'flaky',
    retries: 1,
    attempts: [{ status: 'failed', error: 'Error: no answer in 7 ms' }, { status: 'passed' }],
  }),
  testCase({ title: 'silent', status: 'failed' }),
];

/** Runs that are sent whole and one that is streamed, with attempts of its own. */
const fill = async ({ client }: TestServer): Promise<number[]> => {
  const projectName = newName();
  const { testRunId: live, part } = await client.startRun({ body: runStart({ projectName }) });
  const attempt = (retry: number, more: object) => testCase({ title: 'pays', retries: undefined, retry, ...more });
  const batches = [attempt(0, { status: 'failed', error: 'Error: no bank 1' }), attempt(1, {}), failed(3)];
  for (const [batch, one] of batches.entries()) {
    await client.addResults({ params: { id: live }, body: { part, batch, testCases: [one] } });
  }
  await client.finishRun({ params: { id: live }, body: { part, status: 'failed' } });
  const ids = [live];
  for (let nth = 0; nth < RUNS; nth++) {
    const body = submission({ projectName, startTime: minute(nth), testCases: [...CASES, failed(nth)] });
    ids.push((await client.submitRun({ body })).testRunId);
  }
  return ids;
};

const causesOf = async ({ client }: TestServer, ids: readonly number[]): Promise<string[]> => {
  const causes: string[] = [];
  for (const id of ids) {
    const { testCases } = await client.getRun({ params: { id } });
    causes.push(testCases.map(({ title, cause }) => `${title}: ${cause ?? ''}`).join(', '));
  }
  return causes;
};

const listOf = async ({ client }: TestServer, runId: number) => {
  const { projectId } = await client.getRun({ params: { id: runId } });
  return client.listCauses({ params: { id: projectId }, query: { runs: 200 } });
};

/** Makes of the blocks what the version before wrote: its causes were another column. */
const goBack = (file: string): void => {
  using database = new DatabaseSync(file);
  const table = { ...RESULT_COLUMNS, cause: { ...RESULT_COLUMNS.cause, number: RESULT_COLUMNS.cause.number - 1 } };
  for (const { run_id, first_index, results } of database.prepare('SELECT * FROM segments').all()) {
    const decoded = decodeResults(results as Uint8Array);
    const columns = Object.fromEntries(RESULT_NAMES.map((name) => [name, decoded[name].values])) as Parameters<
      typeof encodeBlock<typeof table>
    >[3];
    const strings = Array.from({ length: decoded.strings.count }, (_, at) => decoded.strings.at(at));
    const before = encodeBlock('results', table, decoded.rows, columns, strings);
    database
      .prepare('UPDATE segments SET results = ? WHERE run_id = ? AND first_index = ?')
      .run(before, run_id!, first_index!);
  }
  database.prepare('UPDATE installation SET cause_version = ?, cause_run_id = NULL').run(CAUSE_VERSION - 1);
};

const progressOf = (dataDir: string) => {
  using database = new DatabaseSync(join(dataDir, 'assay.db'), { readOnly: true });
  return { ...database.prepare('SELECT cause_version, cause_run_id FROM installation').get() };
};
const DONE = { cause_version: CAUSE_VERSION, cause_run_id: null };
const isDone = (dataDir: string): boolean => isDeepStrictEqual(progressOf(dataDir), DONE);

describe('causes of results that an earlier version stored', () => {
  const stored = newFolder();
  let ids: number[];
  let expected: string[];
  let list: Awaited<ReturnType<typeof listOf>>;
  beforeAll(async () => {
    {
      await using server = await startTestServer({ dataDir: stored.path, databaseUrl: null });
      await until('a new installation has no causes to find', () => isDone(stored.path));
      ids = await fill(server);
      expected = await causesOf(server, ids);
      list = await listOf(server, ids[0]!);
    }
    goBack(join(stored.path, 'assay.db'));
  });
  afterAll(() => stored[Symbol.dispose]());

  const copyStored = (): ReturnType<typeof newFolder> => {
    const folder = newFolder();
    cpSync(stored.path, folder.path, { recursive: true });
    return folder;
  };

  it('are found again, from where the last process was ended', async () => {
    expect(expected.slice(0, 2)).toEqual([
      'pays: Error: no bank <*>, fails: Error: price is <*>',
      'passes: , flaky: Error: no answer in <*>, silent: , fails: Error: price is <*>',
    ]);
    using folder = copyStored();
    const file = join(folder.path, 'assay.db');
    const database = openSqlite({ file, access: 'write' });
    const found = await findMissingCauses(database.queries, 0);
    expect(found.blocks.length).toBeGreaterThan(0);
    expect(found.nextRunId).not.toBeNull();
    const means = createMeans(database, { runQuietMs: 60_000 });
    expect(await executeCommand(means, causeCommands.storeCauses, found)).toBe(found.nextRunId);
    const more = await findMissingCauses(database.queries, found.nextRunId!);
    // As they are when they were compacted, joined or deleted between reading and storing.
    const changed = { ...more, blocks: more.blocks.map((block) => ({ ...block, before: block.results })) };
    expect(await executeCommand(means, causeCommands.storeCauses, changed)).toBe(found.nextRunId);
    await database.close();
    expect(progressOf(folder.path)).toEqual({ cause_version: CAUSE_VERSION, cause_run_id: found.nextRunId });

    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    expect(await listOf(server, ids[0]!)).toEqual(list);
    await expect.poll(() => progressOf(folder.path)).toEqual(DONE);
    expect(await listOf(server, ids[0]!)).toEqual(list);
    expect(await causesOf(server, ids)).toEqual(expected);
    const again = openSqlite({ file, access: 'read' });
    expect(await findMissingCauses(again.queries, 0)).toMatchObject({ blocks: [] });
    await again.close();
  });

  it('are all found by a service that is killed again and again meanwhile', async () => {
    using folder = copyStored();
    for (let before = JSON.stringify(progressOf(folder.path)), kills = 0; before !== JSON.stringify(DONE); kills++) {
      expect(kills).toBeLessThan(RUNS);
      await using service = await startServiceProcess(folder.path);
      await expect.poll(() => JSON.stringify(progressOf(folder.path)), { interval: 1 }).not.toBe(before);
      service.signal('SIGKILL');
      await service.exited;
      before = JSON.stringify(progressOf(folder.path));
    }
    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    expect(await causesOf(server, ids)).toEqual(expected);
  });
});

it('a new installation does not log that it found causes; a later one does and gives no answer from before again', async () => {
  using folder = newFolder();
  let id = 0;
  const logOfAStart = async (work: (server: TestServer) => Promise<unknown>): Promise<string> => {
    const lines: string[] = [];
    const server = await startTestServer(
      { dataDir: folder.path, databaseUrl: null, logLevel: 'info' },
      { write: (line) => lines.push(line) },
    );
    await work(server);
    await expect.poll(() => progressOf(folder.path)).toEqual(DONE);
    await server.stop();
    return lines.join('');
  };
  const newInstallation = await logOfAStart(async ({ client }) => {
    await expect.poll(() => progressOf(folder.path)).toEqual(DONE);
    ({ testRunId: id } = await client.submitRun({ body: submission({ testCases: [failed(1)] }) }));
  });
  expect(newInstallation).not.toContain('found the causes');
  goBack(join(folder.path, 'assay.db'));
  const later = await logOfAStart(async ({ client }) => {
    const firstCase = async () => (await client.getRun({ params: { id } })).testCases[0];
    await expect.poll(firstCase).toMatchObject({ cause: 'Error: price is <*>' });
  });
  expect(later).toContain('found the causes');
});
