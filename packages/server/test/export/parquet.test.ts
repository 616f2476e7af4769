import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type RunDetails, isFlaky } from '@assay/contract';
import { createStory } from '@assay/testkit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createBudget } from '../../src/blobs/budget.ts';
import { openS3Bucket } from '../../src/blobs/s3-bucket.ts';
import { connectToS3 } from '../../src/blobs/s3-client.ts';
import { manageExport } from '../../src/cli/export.ts';
import { minute, newName, richCase, runStart, submission, testCase } from '../conformance/build.ts';
import { createMigrated } from '../migrated-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import { startTestS3 } from '../s3/s3-server.ts';
import { type TestServer, countWaitingJobs, startTestServer } from '../server.ts';
import { queryDuckDb } from './duckdb.ts';

const DAY_MS = 86_400_000;

type Environment = Readonly<Record<string, string>>;

const runExport = async (environment: Environment, to: string, progress = (_text: string) => {}): Promise<string> => {
  let printed = '';
  const args = ['--format', 'parquet', '--to', to];
  await manageExport({ args, environment, print: (text) => (printed += text), progress });
  return printed;
};

const openPlaces = async (database: 'sqlite' | 'postgres' = 'sqlite') => {
  const own = database === 'postgres' ? await createMigrated() : null;
  const server = await startTestServer({ databaseUrl: own?.url ?? null });
  const environment: Environment = {
    SERVICE_DATA_DIR: server.dataDir,
    ...(own && { SERVICE_DATABASE_URL: own.url }),
  };
  const close = async (): Promise<void> => {
    await server.stop();
    await own?.[Symbol.asyncDispose]();
  };
  return { server, environment, close };
};

/** Where a test exports to. */
const newTarget = (): string => {
  const folder = newFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return join(folder.path, 'exported');
};

const startPlaces = async (database: 'sqlite' | 'postgres' = 'sqlite') => {
  const places = await openPlaces(database);
  onTestFinished(places.close);
  return { ...places, to: newTarget() };
};

/** For tests that leave it as it is. */
let filled: Awaited<ReturnType<typeof openPlaces>>;
beforeAll(async () => {
  filled = await openPlaces();
  await fill(filled.server);
});
afterAll(() => filled.close());

const ODD_TEXTS = ['nul \0 here', 'owl 🦉', 'wide ～', 'last \u{10FFFF}', '\'quoted" \\ \n', '2026-03-01 10:00:00'];

/** Several projects and months, and what is seldom. */
const fill = async ({ client }: TestServer): Promise<void> => {
  for (const [seed, temperament] of [
    ['shop', 'flaky'],
    ['bank', 'usual'],
  ] as const) {
    const story = createStory({
      seed,
      projectName: seed,
      tests: 12,
      details: 'full',
      temperament,
      firstRunAt: Date.UTC(2026, 0, 29),
      intervalMs: DAY_MS,
    });
    for (let at = 0; at < 6; at++) await client.submitRun({ body: story.run(at) });
  }
  const projectName = 'odd name 🦉';
  await client.submitRun({
    body: submission({
      projectName,
      startTime: minute(1),
      duration: null,
      metadata: { environment: 'staging', scm: { author: 'Ann', pullRequest: { number: 7 } }, filtered: true },
      branch: 'fix/ö',
      commit: 'abc',
      testCases: [
        ...ODD_TEXTS.map((title) => richCase({ title, error: `Error: ${title}`, tags: [title], browser: title })),
        testCase({ title: 'no duration', duration: null }),
        testCase({ title: 'flaky', retries: 1, attempts: [{ status: 'failed', duration: 7, error: 'Error: first' }] }),
        testCase({ title: 'skipped', status: 'skipped', duration: 0 }),
        testCase({ title: 'other', status: 'constructor', startTime: minute(2), lane: 3 }),
        testCase({ title: 'unset', status: 'skipped', notRun: { reason: 'serial', title: 'flaky' } }),
      ],
    }),
  });
  const runKey = newName('key');
  for (const index of [2, 1]) {
    const shard = { index, total: 3 };
    const testCases = [richCase({ title: `in shard ${index}` })];
    await client.submitRun({ body: submission({ projectName, runKey, shard, testCases, startTime: minute(9) }) });
  }
};

const readRuns = async ({ client }: TestServer): Promise<RunDetails[]> => {
  const projects = await client.listProjects({});
  const runs = await Promise.all(projects.map(({ id }) => client.getProject({ params: { id } })));
  const ids = runs.flatMap(({ testRuns }) => testRuns.map(({ id }) => id)).sort((a, b) => a - b);
  return Promise.all(ids.map((id) => client.getRun({ params: { id } })));
};

const time = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));

const expectedRun = (run: RunDetails) => ({
  project_id: run.projectId,
  project_name: run.project.name,
  project_label: run.project.label,
  run_id: run.id,
  status: run.status,
  start_time: time(run.startTime),
  created_at: time(run.createdAt),
  duration_ms: run.duration,
  total_tests: run.totalTests,
  passed_tests: run.passedTests,
  failed_tests: run.failedTests,
  skipped_tests: run.skippedTests,
  flaky_tests: run.flakyTests,
  expected_tests: run.expectedTests,
  missing_tests: run.missingTests ?? null,
  avg_test_duration_ms: run.avgTestDuration,
  p90_test_duration_ms: run.p90TestDuration,
  branch: run.branch,
  commit: run.commit,
  commit_message: run.commitMessage,
  author: run.author,
  environment: run.environment,
  pull_request: run.pullRequest,
  base_commit: run.baseCommit,
  filtered: run.filtered,
  shard_total: run.shards?.total ?? null,
  missing_shards: run.shards?.missing ?? [],
  pinned: run.pinned ?? false,
  files_removed_at: time(run.filesRemovedAt),
  damaged: run.damaged ?? false,
  metadata: run.metadata,
  project: run.projectId,
  month: run.startTime.slice(0, 7),
});

const expectedResults = (run: RunDetails) =>
  run.testCases.map((one) => ({
    project_id: run.projectId,
    run_id: run.id,
    run_start_time: time(run.startTime),
    result_id: one.id,
    test_id: one.testId,
    file: one.filePath,
    line: one.line,
    column: one.column,
    title: one.title,
    browser: one.browser,
    status: one.status,
    flaky: isFlaky(one.status, one.retries),
    retries: one.retries,
    duration_ms: one.duration,
    failed_ms: one.failedMs ?? null,
    start_time: time(one.startTime),
    shard: one.shard ?? null,
    lane: one.lane ?? null,
    tags: one.tags,
    error: one.error,
    cause: one.cause ?? null,
    not_run_reason: one.notRun?.reason ?? null,
    project: run.projectId,
    month: run.startTime.slice(0, 7),
  }));

const byId = <T extends { readonly result_id: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => a.result_id - b.result_id);

interface RouteFigures {
  readonly run_id: number;
  readonly method: string;
  readonly route: string;
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly errors: number;
  readonly results: number[];
}

/** That an export has exactly what the API answers. */
const compare = async (server: TestServer, to: string): Promise<RunDetails[]> => {
  const runs = await readRuns(server);
  const found = await queryDuckDb<{ metadata: string | null }>(`FROM '${to}/runs/*/*/*.parquet' ORDER BY run_id`);
  const read = found.map((run) => ({ ...run, metadata: run.metadata && (JSON.parse(run.metadata) as unknown) }));
  expect(read).toEqual(runs.map(expectedRun));
  const results = await queryDuckDb(`FROM '${to}/results/*/*/*.parquet' ORDER BY result_id`);
  expect(results).toEqual(byId(runs.flatMap(expectedResults)));
  await compareRequests(server, to, runs);
  return runs;
};

const compareRequests = async ({ client }: TestServer, to: string, runs: readonly RunDetails[]): Promise<void> => {
  const routes = await queryDuckDb<RouteFigures>(
    `SELECT run_id, method, route, count(*) AS count, min(duration_ms) AS min, max(duration_ms) AS max,
       count(*) FILTER (status >= 400 OR status = 0) AS errors, list_sort(list(DISTINCT result_id)) AS results
     FROM '${to}/requests/*/*/*.parquet' GROUP BY ALL`,
  );
  const key = (route: Pick<RouteFigures, 'run_id' | 'method' | 'route'>): string =>
    `${route.run_id} ${route.method} ${route.route}`;
  const found = Object.fromEntries(
    routes.map(({ count, min, max, errors, results, ...route }) => {
      const errorRate = Math.round((errors / count) * 100);
      return [key(route), { count, min, max, errorRate, results }];
    }),
  );
  const expected = await Promise.all(
    runs.map(async ({ id }) =>
      (await client.listRunRequests({ params: { id } })).map((group) => [
        key({ run_id: id, ...group }),
        {
          count: group.count,
          min: group.minDuration,
          max: group.maxDuration,
          errorRate: group.errorRate,
          results: group.testCaseIds.toSorted((a, b) => a - b),
        },
      ]),
    ),
  );
  expect(found).toEqual(Object.fromEntries(expected.flat()));
  expect(routes.length).toBeGreaterThan(0);
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

const listedIn = (folder: string): string[] => {
  const { parts } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    parts: { files: { path: string }[] }[];
  };
  return parts.flatMap(({ files }) => files.map(({ path }) => path)).sort();
};

describe('an export to Parquet', () => {
  it.each(['sqlite', 'postgres'] as const)('of %s has in DuckDB what the API answers', async (database) => {
    const { server, environment } = database === 'sqlite' ? filled : await startPlaces(database);
    if (server !== filled.server) await fill(server);
    const to = newTarget();
    expect(await runExport(environment, to)).toMatch(
      / has 14 runs with [\d,]+ results in 15 files: wrote 14 runs\.\n$/,
    );
    const runs = await compare(server, to);
    expect(filesIn(to)).toEqual(listedIn(to));
    expect(readdirSync(to).sort()).toEqual(['lock', 'manifest.json', 'requests', 'results', 'runs']);

    const statuses = await queryDuckDb(
      `SELECT status, count(*) AS count, sum(duration_ms) AS ms FROM '${to}/results/*/*/*.parquet' GROUP BY ALL`,
    );
    const cases = runs.flatMap(({ testCases }) => testCases);
    const expected = [...Map.groupBy(cases, ({ status }) => status)].map(([status, some]) => ({
      status,
      count: some.length,
      ms: some.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
    }));
    expect(new Set(statuses)).toEqual(new Set(expected));
    // By the bounds of its columns a reader skips what it does not look for.
    for (const title of ODD_TEXTS) {
      const code = [...title].map((letter) => `chr(${letter.codePointAt(0)})`).join(' || ');
      const [found] = await queryDuckDb(
        `SELECT count(*) AS count FROM '${to}/results/*/*/*.parquet' WHERE title = ${code} AND title >= ${code}`,
      );
      expect(found, title).toEqual({ count: 1 });
    }
  });

  it('answers the queries of its document', async () => {
    const { server, environment } = filled;
    const to = newTarget();
    await runExport(environment, to);
    const document = readFileSync(new URL('../../../../docs/export.md', import.meta.url), 'utf8');
    const queries = [...document.matchAll(/```sql\n(.*?);\n```/gs)].map(([, query]) =>
      query!.replaceAll("'exported/", `'${to}/`),
    );
    expect(queries).toHaveLength(3);
    const [rates, lost, routes] = await Promise.all(queries.map((query) => queryDuckDb(query)));
    const runs = await readRuns(server);
    const months = Map.groupBy(runs, (run) => `${run.project.name} ${run.startTime.slice(0, 7)}`);
    expect(
      Object.fromEntries(rates!.map((row) => [`${String(row['project_name'])} ${String(row['month'])}`, row])),
    ).toEqual(
      Object.fromEntries(
        [...months].map(([name, some]) => {
          const sum = (key: 'passedTests' | 'totalTests') => some.reduce((total, run) => total + run[key], 0);
          const passed = expect.closeTo((100 * sum('passedTests')) / sum('totalTests'), 0) as unknown;
          return [name, expect.objectContaining({ runs: some.length, passed_percent: passed })];
        }),
      ),
    );
    const retried = runs.flatMap((run) =>
      run.testCases.filter(({ retries }) => retries > 0).map((one) => ({ projectId: run.projectId, ...one })),
    );
    expect(lost!.length).toBe(Math.min(20, new Set(retried.map(({ testId }) => testId)).size));
    for (const row of lost!) {
      const some = retried.filter((one) =>
        [one.projectId === row['project_id'], one.filePath === row['file'], one.title === row['title']].every(Boolean),
      );
      const same = some.filter(({ browser }) => browser === row['browser']);
      expect(row).toMatchObject({
        flaky: same.filter(({ flaky }) => flaky).length,
        lost_seconds: same.some(({ failedMs }) => failedMs !== undefined)
          ? expect.closeTo(same.reduce((sum, { failedMs }) => sum + (failedMs ?? 0), 0) / 1000, 6)
          : null,
      });
    }
    expect(routes!.length).toBeGreaterThan(0);
    expect(document.match(/`[a-z_0-9]+`/g)).toEqual(expect.arrayContaining(await columnsIn(to)));
  });

  it('writes what is new or changed, deletes what is gone, and leaves the rest', async () => {
    const { server, environment, to } = await startPlaces();
    const { client } = server;
    await fill(server);
    const waitingJobs = await countWaitingJobs(server);
    await runExport(environment, to);
    const first = filesIn(to);
    expect(await runExport(environment, to)).toContain('wrote 0 runs.');
    expect(filesIn(to)).toEqual(first);

    const projectName = 'shop';
    const { testRunId: id, part } = await client.startRun({
      body: runStart({ projectName, startTime: '2026-02-09T10:00:00Z' }),
    });
    await client.addResults({ params: { id }, body: { part, batch: 0, testCases: [richCase()] } });
    expect(await runExport(environment, to)).toContain('wrote 1 run.');
    await compare(server, to);
    expect(filesIn(to)).toEqual(expect.arrayContaining(first));
    expect(filesIn(to)).toHaveLength(first.length + 3);

    await client.addResults({
      params: { id },
      body: { part, batch: 1, testCases: [testCase(), testCase({ title: 'b' })] },
    });
    await client.finishRun({ params: { id }, body: { part, status: 'failed' } });
    // Finalizing it would make it a changed run once more.
    await expect.poll(() => countWaitingJobs(server)).toBe(waitingJobs);
    await client.submitRun({
      body: submission({ projectName, testCases: [richCase()], startTime: '2026-04-01T00:00:00Z' }),
    });
    expect(await runExport(environment, to)).toContain('wrote 2 runs, deleted 3 files.');
    await compare(server, to);
    expect(filesIn(to)).toEqual(expect.arrayContaining(first));

    const runs = await readRuns(server);
    const inJanuary = runs.filter((run) => run.project.name === 'shop' && run.startTime < '2026-02');
    await client.deleteRun({ params: { id: inJanuary[0]!.id } });
    await client.deleteProject({ params: { id: runs.find((run) => run.project.name === 'bank')!.projectId } });
    const shop = inJanuary[0]!.projectId;
    expect(await runExport(environment, to)).toContain(`wrote ${inJanuary.length - 1} runs`);
    await compare(server, to);
    expect(readdirSync(join(to, 'runs'))).toHaveLength(2);
    const untouched = first.filter((file) => new RegExp(`project=${shop}/month=2026-02`).test(file));
    expect(untouched).toHaveLength(3);
    expect(filesIn(to)).toEqual(expect.arrayContaining(untouched));

    await client.updateProject({ params: { id: shop }, body: { label: 'The shop' } });
    await client.updateRun({ params: { id: runs.at(-1)!.id }, body: { pinned: true } });
    await runExport(environment, to);
    await compare(server, to);
    expect(filesIn(to)).toEqual(listedIn(to));
  });

  it('joins small parts of a month', async () => {
    const { server, environment, to } = await startPlaces();
    const projectName = newName();
    const most: number[] = [];
    for (let at = 0; at < 13; at++) {
      await server.client.submitRun({
        body: submission({ projectName, testCases: [richCase()], startTime: minute(at) }),
      });
      await runExport(environment, to);
      most.push(filesIn(join(to, 'results')).length);
    }
    expect(Math.max(...most)).toBe(11);
    expect(most.at(-1)).toBeLessThan(5);
    await compare(server, to);
  });

  it('that was broken off goes on, and no reader finds half a file', async () => {
    const { server, environment } = filled;
    const to = newTarget();
    const stop = new Error('pulled the plug');
    let parts = 0;
    const broken = runExport(environment, to, () => {
      if (++parts === 3) throw stop;
    });
    await expect(broken).rejects.toBe(stop);
    const before = listedIn(to);
    expect(before).toHaveLength(6);
    // Of the part that was not listed yet.
    expect(filesIn(to).length).toBeGreaterThan(before.length);
    await queryDuckDb(`FROM '${to}/*/*/*/*.parquet' LIMIT 0`);
    await mkdir(join(to, 'new'), { recursive: true });
    writeFileSync(join(to, 'new', 'half'), 'PAR1');
    await runExport(environment, to);
    expect(filesIn(to)).toEqual(expect.arrayContaining(before));
    expect(filesIn(to)).toEqual(listedIn(to));
    expect(existsSync(join(to, 'new'))).toBe(false);
    await compare(server, to);
  });

  it('goes to S3 as it goes to a folder', async () => {
    const { server, environment } = filled;
    const to = newTarget();
    const s3 = await startTestS3();
    onTestFinished(() => s3.stop());
    const location = s3.newLocation();
    const bucket = openS3Bucket(connectToS3(location), createBudget(2 ** 20));
    const withKeys: Environment = {
      ...environment,
      AWS_ACCESS_KEY_ID: location.credentials?.accessKeyId ?? '',
      AWS_SECRET_ACCESS_KEY: location.credentials?.secretAccessKey ?? '',
    };
    const url = `s3://${location.bucket}/${encodeURI(location.prefix)}?endpoint=${location.endpoint}&region=${location.region}`;
    const download = async (folder: string): Promise<string> => {
      for await (const objects of bucket.list('')) {
        for (const { key, bytes } of objects) {
          await mkdir(dirname(join(folder, key)), { recursive: true });
          await pipeline(await bucket.open(key, bytes), createWriteStream(join(folder, key)));
        }
      }
      return folder;
    };
    const body = submission({ projectName: newName(), testCases: [richCase()] });
    const { projectId, testRunId } = await server.client.submitRun({ body });
    onTestFinished(async () => void (await server.client.deleteProject({ params: { id: projectId } })));
    await server.client.submitRun({ body });
    expect(await runExport(withKeys, url)).toContain('wrote 16 runs.');
    await compare(server, await download(join(to, 'first')));
    await server.client.deleteRun({ params: { id: testRunId } });
    expect(await runExport(withKeys, url)).toMatch(/wrote 1 run, deleted 3 files/);
    const second = await download(join(to, 'second'));
    await compare(server, second);
    expect(filesIn(second)).toEqual(listedIn(second));
    await bucket.delete('manifest.json');
    await expect(runExport(withKeys, url)).rejects.toThrow(/has other files, such as /);
  });

  it('is refused where it would mix or lose something', async () => {
    const { server, environment } = filled;
    const to = newTarget();
    await runExport(environment, to);
    const { environment: other } = await startPlaces();
    await expect(runExport(other, to)).rejects.toThrow(/another installation/);
    await expect(runExport(environment, server.dataDir)).rejects.toThrow(/has other files/);
    await expect(runExport({ SERVICE_DATA_DIR: to }, to)).rejects.toThrow(/no data of Assay/);
    await expect(runExport(environment, 's3://')).rejects.toThrow(/must be s3:/);
    await expect(runExport(environment, 'https://example.org')).rejects.toThrow(/must be a folder or s3:/);
    const run = (...args: string[]) =>
      manageExport({ args, environment, print: () => undefined, progress: () => undefined });
    await expect(run('--format', 'orc', '--to', to)).rejects.toThrow('There is no format "orc"; there is "parquet"');
    await expect(run('--to', to)).rejects.toThrow(/^assay-server export --format parquet/);
    const manifest = join(to, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version":1', '"version":99'));
    await expect(runExport(environment, to)).rejects.toThrow(/later version/);
    writeFileSync(manifest, '{');
    await expect(runExport(environment, to)).rejects.toThrow(/cannot be read/);
  });
});

const columnsIn = async (to: string): Promise<string[]> => {
  const tables = await Promise.all(
    ['runs', 'results', 'requests'].map((table) =>
      queryDuckDb<{ column_name: string }>(`SELECT column_name FROM (DESCRIBE FROM '${to}/${table}/*/*/*.parquet')`),
    ),
  );
  return [...new Set(tables.flat().map(({ column_name }) => `\`${column_name}\``))];
};
