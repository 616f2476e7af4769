import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ApiError, type Run, resultId } from '@assay/contract';
import { expect, it } from 'vitest';
import { minute, newName, richCase, submission, testCase } from '../conformance/build.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { newFolder, until } from './service-process.ts';

const RUNS = 20;

/** A service that keeps nothing in memory, and what it logs. */
const startOn = async (dataDir: string) => {
  const lines: string[] = [];
  const config = { dataDir, databaseUrl: null, logLevel: 'info', segmentCacheBytes: 0, answerCacheBytes: 0 } as const;
  const server = await startTestServer(config, { write: (line) => lines.push(line) });
  return { ...server, lines };
};

/** Turns one byte in the middle of a stored value. */
const damage = (dataDir: string, table: string, column: string, where: string): void => {
  const database = new DatabaseSync(join(dataDir, 'assay.db'), { timeout: 5_000 });
  const row = database.prepare(`SELECT ${column} AS data FROM ${table} WHERE ${where}`).get()!;
  const bytes = Uint8Array.from(row['data'] as Uint8Array);
  bytes[bytes.length >> 1]! ^= 0xff;
  database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(bytes);
  database.close();
};

const codeOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof ApiError ? `${error.status} ${error.body?.code}` : error),
  );

const readProject = async ({ client }: TestServer, id: number) => ({
  tests: await client.listTests({ params: { id }, query: { history: 30 } }),
  slow: await client.listSlowTests({ params: { id }, query: { runs: 100 } }),
  flaky: await client.listFlakyTests({ params: { id } }),
  performance: await client.getPerformance({ params: { id } }),
});

it('damaged runs are marked and told, everything else goes on, and they can be deleted', async () => {
  using folder = newFolder();
  const projectName = newName();
  const ids: number[] = [];
  let project = 0;
  let before;
  {
    await using service = await startOn(folder.path);
    for (let nth = 0; nth < RUNS; nth++) {
      const testCases = [richCase(), testCase({ title: 'plain' }), testCase({ title: `only in ${nth}` })];
      const body = submission({ projectName, startTime: minute(nth), testCases });
      const reply = await service.client.submitRun({ body });
      ids.push(reply.testRunId);
      project = reply.projectId;
    }
    before = await readProject(service, project);
  }
  const [ofResults, ofRequests, ofDetails] = [ids[RUNS - 1]!, ids[RUNS - 2]!, ids[RUNS - 3]!];
  damage(folder.path, 'summaries', 'data', `project_id = ${project}`);
  damage(folder.path, 'segments', 'results', `run_id = ${ofResults}`);
  damage(folder.path, 'segments', 'requests', `run_id = ${ofRequests}`);
  damage(folder.path, 'details', 'data', `id = ${resultId(ofDetails, 0)}`);

  await using service = await startOn(folder.path);
  const { client } = service;
  const after = await readProject(service, project);
  const inSummary = before.tests.filter(({ title }) => /^only in (?:\d|1[0-5])$/.test(title));
  expect(inSummary).toHaveLength(16);
  expect(after.tests.map(({ id, totalRuns }) => [id, totalRuns])).toEqual(
    expect.arrayContaining(inSummary.map(({ id, totalRuns }) => [id, totalRuns])),
  );
  expect(after.tests.find(({ title }) => title === 'plain')!.totalRuns).toBe(RUNS - 1);
  expect(service.lines.join('')).toContain(`of project ${project} is damaged and made again`);
  expect(after.tests.map(({ title }) => title)).not.toContain(`only in ${RUNS - 1}`);
  expect(after.tests.map(({ title }) => title)).toContain(`only in ${RUNS - 2}`);
  const refused = [
    client.getRun({ params: { id: ofResults } }),
    client.getTestCase({ params: { id: resultId(ofResults, 0) } }),
    client.compareRun({ params: { id: ofResults } }),
    client.listRunRequests({ params: { id: ofResults } }),
    client.listRunRequests({ params: { id: ofRequests } }),
  ];
  expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => '410 run_damaged'));
  const withoutDetails = await client.getRun({ params: { id: ofDetails } });
  expect(withoutDetails.testCases.map(({ title, steps }) => [title, steps])).toContainEqual(['pays with a card', []]);
  expect(await codeOf(client.getTestCase({ params: { id: resultId(ofDetails, 0) } }))).toBe('answered');
  expect(await codeOf(client.getRun({ params: { id: ofRequests } }))).toBe('answered');
  expect(await codeOf(client.searchEverything({ query: { q: 'plain' } }))).toBe('answered');
  expect(await codeOf(client.listProjects())).toBe('answered');

  const damagedRuns = async (): Promise<number[]> =>
    (await client.getProject({ params: { id: project } })).testRuns.flatMap((run: Run) => (run.damaged ? run.id : []));
  await until('all three are marked', async () => (await damagedRuns()).length === 3);
  expect((await damagedRuns()).toSorted((a, b) => a - b)).toEqual([ofDetails, ofRequests, ofResults]);
  for (const id of [ofResults, ofRequests, ofDetails]) {
    expect(
      service.lines.filter((line) => line.includes(`Test run ${id} of project ${project} is damaged`)),
    ).toHaveLength(1);
  }

  await client.deleteRun({ params: { id: ofResults } });
  const tests = await client.listTests({ params: { id: project } });
  expect(tests).toHaveLength((await client.listProjects())[0]!.totalTestCases);
  const { deletedRuns } = await client.cleanUp({ body: { olderThanDays: 1 } });
  expect(deletedRuns).toBe(RUNS - 1);
  expect(await client.getStats()).toMatchObject({ totalRuns: 0, totalTestCases: 0, totalRunsCases: 0 });
});

it('runs that can be read again are as if they had never been damaged', async () => {
  using folder = newFolder();
  const projectName = newName();
  const ids: number[] = [];
  let project = 0;
  const read = async (service: TestServer) => ({
    ...(await readProject(service, project)),
    clusters: await service.client.listClusters({ params: { id: project } }),
    runs: await Promise.all(ids.map((id) => service.client.getRun({ params: { id } }))),
  });
  let before;
  {
    await using service = await startOn(folder.path);
    for (let nth = 0; nth < RUNS; nth++) {
      const failed = testCase({ title: 'fails', status: 'failed', error: `Error ${nth % 3}` });
      const testCases = [richCase(), failed, testCase({ title: `only in ${nth}` })];
      const body = submission({ projectName, startTime: minute(nth), testCases });
      const reply = await service.client.submitRun({ body });
      ids.push(reply.testRunId);
      project = reply.projectId;
    }
    before = await read(service);
  }
  // One that a summary holds, one that none does, and one of which only the details are damaged.
  const places = [
    ['segments', 'results', `run_id = ${ids[3]}`],
    ['segments', 'results', `run_id = ${ids[RUNS - 1]}`],
    ['details', 'data', `id = ${resultId(ids[5]!, 0)}`],
  ] as const;
  const damageAll = (): void => places.forEach(([table, column, where]) => damage(folder.path, table, column, where));
  damageAll();
  damage(folder.path, 'summaries', 'data', `project_id = ${project}`);
  const database = new DatabaseSync(join(folder.path, 'assay.db'));
  database.exec('UPDATE runs SET clustered_version = -1');
  database.close();
  {
    await using service = await startOn(folder.path);
    const { client } = service;
    await client.listClusters({ params: { id: project } });
    await readProject(service, project);
    await Promise.all(ids.map((id) => codeOf(client.getRun({ params: { id } }))));
    await until('all are marked', async () => {
      const { testRuns } = await client.getProject({ params: { id: project } });
      return testRuns.filter((run: Run) => run.damaged).length === places.length;
    });
    // The summary was made again without the damaged run, and clusters were read without it.
    const { tests } = await readProject(service, project);
    expect(tests.map(({ title }) => title)).not.toContain('only in 3');
  }
  // To turn the same bytes once more puts them back.
  damageAll();
  await using service = await startOn(folder.path);
  await until('the marks are off', async () => {
    const { testRuns } = await service.client.getProject({ params: { id: project } });
    return testRuns.every((run: Run) => !run.damaged);
  });
  expect(await read(service)).toStrictEqual(before);
});
