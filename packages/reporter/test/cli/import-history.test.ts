import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RunDetails } from '@assay/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestServer, startTestServer } from '../../../server/test/server.ts';
import { type Workplace, createWorkplace } from './run-assay.ts';

let server: TestServer;
let place: Workplace;
beforeAll(async () => {
  server = await startTestServer({ host: '127.0.0.1' });
  place = createWorkplace({ ASSAY_URL: server.url });
});
afterAll(async () => {
  place.remove();
  await server[Symbol.asyncDispose]();
});

const write = (path: string, text: string, modified = '2024-03-01T12:00:00Z'): void => {
  const file = join(place.folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, new Date(modified), new Date(modified));
};

const junit = (time: string, ...results: readonly string[]): string =>
  `<testsuite name="shop" timestamp="${time}" tests="${results.length}">${results
    .map((result) => {
      const [name, failure] = result.split(' ');
      return `<testcase classname="shop.Cart" name="${name}" time="1">${failure ? '<failure message="no"/>' : ''}</testcase>`;
    })
    .join('')}</testsuite>`;

/** Of a project, the oldest first. */
const runsOf = async (name: string): Promise<RunDetails[]> => {
  const project = (await server.client.listProjects()).find((one) => one.name === name)!;
  const { testRuns } = await server.client.getProject({ params: { id: project.id } });
  const runs = await Promise.all(testRuns.map(({ id }) => server.client.getRun({ params: { id } })));
  return runs.reverse();
};

it('a folder of old reports is imported by date, once, and goes on where it was stopped', async () => {
  write('old/2024-01-31.xml', junit('2024-01-31T09:00:00Z', 'pays', 'refunds no'));
  write('old/first.tap', '1..1\nok 1 - pays\n', '2023-12-24T18:00:00Z');
  write('old/builds/7/unit/cart.xml', junit('2024-02-01T09:00:00Z', 'pays'));
  write('old/builds/7/unit/bank.xml', junit('2024-02-01T09:00:05Z', 'refunds'));
  write('old/builds/8/all.xml', junit('2024-02-02T09:00:00Z', 'pays', 'refunds'), '2024-03-02T12:00:00Z');
  write('old/readme.json', '{}');
  const args = ['import-history', 'old', '--project', 'past', '--branch', 'main'];
  const gone = await place.assayHere(args, { ASSAY_URL: 'http://127.0.0.1:9', ASSAY_TIMEOUT_MS: '300' });
  expect(gone).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/stopped after 0 of 5 runs: .* refused .* again to go on/),
  });

  const dry = await place.assayHere([...args, '--dry-run']);
  expect(dry.stdout).toMatch(/^first\.tap: past, 2023-12-24T18:00:00\.000Z, passed, 1 tests, 1 passed, 0 failed\n/);
  const told = await place.assayHere(args);
  expect(told).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/left out readme\.json: .*imported 4 of 5 runs http/s),
  });
  const runs = await runsOf('past');
  expect(runs.map(({ startTime, status, totalTests, branch }) => [startTime, status, totalTests, branch])).toEqual([
    ['2023-12-24T18:00:00.000Z', 'passed', 1, 'main'],
    ['2024-01-31T09:00:00.000Z', 'failed', 2, 'main'],
    ['2024-02-01T09:00:00.000Z', 'passed', 2, 'main'],
    ['2024-02-02T09:00:00.000Z', 'passed', 2, 'main'],
  ]);

  write('old/builds/9/all.xml', junit('2024-02-03T09:00:00Z', 'pays'), '2024-03-03T12:00:00Z');
  rmSync(join(place.folder, 'old/readme.json'));
  expect(await place.assayHere(args)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('imported 1 of 5 runs, 4 were imported before'),
  });
  // What is not remembered here is known to the service.
  const spool = join(place.folder, 'spool');
  for (const name of readdirSync(spool)) if (name.startsWith('history-')) rmSync(join(spool, name));
  expect(await place.assayHere(args)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('imported 5 of 5 runs http'),
  });
  expect(await runsOf('past')).toHaveLength(5);
});

it('the history that a report of Allure has of its tests becomes runs', async () => {
  const at = (day: number, status: string) => ({
    status,
    time: { start: Date.UTC(2024, 0, day), stop: 0, duration: 10 },
  });
  const of = (historyId: string, name: string) =>
    write(
      `allure/data/test-cases/${historyId}.json`,
      JSON.stringify({ historyId, name, labels: [{ name: 'suite', value: 'Cart' }] }),
    );
  of('a', 'pays');
  of('b', 'refunds');
  const items = {
    a: { items: [at(3, 'passed'), at(2, 'broken'), at(1, 'passed')] },
    b: { items: [at(3, 'failed'), at(1, 'skipped')] },
    c: { items: [at(3, 'passed')] },
  };
  write('allure/history/history.json', JSON.stringify(items));
  const { code, stderr } = await place.assayHere(['import-history', 'allure', '--project', 'allure']);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/1 tests of the past are left out.*imported 3 of 3/s),
  });
  const runs = await runsOf('allure');
  expect(
    runs.map((run) => [run.startTime, ...run.testCases.map(({ title, status }) => `${title}: ${status}`)]),
  ).toEqual([
    ['2024-01-01T00:00:00.000Z', 'Cart › pays: passed', 'Cart › refunds: skipped'],
    ['2024-01-02T00:00:00.000Z', 'Cart › pays: failed'],
    ['2024-01-03T00:00:00.000Z', 'Cart › pays: passed', 'Cart › refunds: failed'],
  ]);
});

/** As the migrations of Piwi make them: of its first release, and of one with all that is read here. */
const PIWI = {
  first: { run: '', test: '', result: '' },
  later: {
    run: ', branch text',
    test: `, suite_path text NOT NULL DEFAULT ''`,
    result:
      ', attempts text, steps text, browser text, browser_name text, test_annotations text, tags text, started_at integer',
  },
};

it.each(Object.entries(PIWI))('a database of the %s Piwi is imported with all its projects', async (release, more) => {
  const file = join(place.folder, `piwi-${release}.db`);
  const isLater = release === 'later';
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE projects (id integer PRIMARY KEY, name text NOT NULL, label text, created_at integer, updated_at integer);
    CREATE TABLE test_runs (id integer PRIMARY KEY, project_id integer, status text, start_time integer, duration integer,
      total_tests integer, metadata text, created_at integer ${more.run});
    CREATE TABLE test_cases (id integer PRIMARY KEY, project_id integer, file_path text, title text ${more.test});
    CREATE TABLE test_runs_cases (id integer PRIMARY KEY, test_run_id integer, test_case_id integer, status text, duration integer,
      error text, retries integer, line integer, "column" integer, created_at integer ${more.result});
    INSERT INTO projects VALUES (1, 'piwi ${release}', NULL, 0, 0), (2, 'other ${release}', NULL, 0, 0);
    INSERT INTO test_cases (id, project_id, file_path, title) VALUES (1, 1, 'cart.spec.ts', 'pays'), (2, 1, 'cart.spec.ts', 'refunds');
    INSERT INTO test_runs (id, project_id, status, start_time, duration, metadata) VALUES
      (7, 1, 'failed', 1706691600, 5300, '{"scm": {"branch": "main", "commit": "abc"}}'),
      (8, 1, 'running', 1706778000, NULL, NULL), (9, 2, 'passed', 1706778001, 1, NULL);
    INSERT INTO test_runs_cases (test_run_id, test_case_id, status, duration, error, retries, line, "column") VALUES
      (7, 1, 'failed', 900, 'late', 0, 12, 5), (7, 1, 'passed', 300, NULL, 1, 12, 5), (7, 2, 'timedout', 4100, 'no', 0, 40, 5),
      (8, 1, 'passed', 1, NULL, 0, 12, 5), (9, 2, 'passed', 1, NULL, 0, 1, 1);`);
  if (isLater) {
    database.exec(`UPDATE test_cases SET suite_path = 'Cart' || char(31) || 'by card';
      UPDATE test_runs_cases SET browser_name = 'chromium', tags = '["smoke"]', steps = '"broken"', started_at = 1706691601000`);
  }
  database.close();
  const { code, stderr } = await place.assayHere(['import-history', file]);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('imported 3 of 3 runs') });
  expect(await runsOf(`other ${release}`)).toHaveLength(1);
  const title = isLater ? 'Cart › by card › ' : '';
  expect(await runsOf(`piwi ${release}`)).toMatchObject([
    {
      status: 'failed',
      startTime: '2024-01-31T09:00:00.000Z',
      duration: 5300,
      branch: 'main',
      commit: 'abc',
      flakyTests: 1,
      failedTests: 1,
      testCases: [
        {
          title: `${title}pays`,
          status: 'passed',
          retries: 1,
          location: 'cart.spec.ts:12:5',
          browser: isLater ? 'chromium' : null,
          tags: isLater ? ['smoke'] : [],
          attempts: [{ status: 'failed', error: 'late' }, { status: 'passed' }],
        },
        { title: `${title}refunds`, status: 'timedOut', error: 'no' },
      ],
    },
    { status: 'interrupted', totalTests: 1 },
  ]);
});

it('what is neither a folder nor such a database is told', async () => {
  write('notes.txt', 'nothing');
  mkdirSync(join(place.folder, 'empty'));
  for (const [path, why] of [
    ['notes.txt', 'is neither a folder nor a database of Piwi'],
    ['empty', 'there is no run in'],
    ['missing', 'does not exist'],
  ]) {
    const ended = await place.assayHere(['import-history', path!, '--project', 'past']);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(why!) });
  }
});
