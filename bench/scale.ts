import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, megabytes, printTable, thousands } from './figures.ts';
import { bodyRequest, openConnection, submitRequest } from './http-client.ts';
import { largeRunRows } from './large-run.ts';
import { largeSubmissionRows } from './large-submission.ts';
import { manyFilesRows } from './many-files.ts';
import {
  type TimedRead,
  firstReadRow,
  rssRow,
  sendPatiently,
  settledRss,
  timeRead,
  timed,
  waitRow,
  watchRss,
  whileProbing,
  withClients,
} from './measuring.ts';
import { plainRunBody } from './plain-runs.ts';
import { startBenchPostgres } from './postgres-server.ts';
import { printManyResults } from './scale-fifty-million.ts';
import { postgresReadRows } from './scale-postgres-reads.ts';
import { storingRows } from './scale-postgres.ts';
import { queryRows } from './scale-query.ts';
import { idleReplicaRows, s3Rows } from './scale-s3.ts';
import type { BenchService } from './service.ts';
import { startupRows } from './startup.ts';

const CLIENTS = 3;
const MANY_CLIENTS = 300;
const CASES_OF_A_CLIENT = 7_000;
/** Cheap to answer, whatever else there is: what it waits for are others. */
const SMALL_READ = '/api/projects/1?limit=1';

export interface ScaleOptions {
  readonly built: string;
  readonly workDir: string;
  /** Of all amounts; 1 is what the limits are for. */
  readonly factor: number;
  readonly progress: (text: string) => void;
  withService<T>(work: (service: BenchService) => Promise<T>, dataDir?: string): Promise<T>;
}

/** What grows: clients, runs, results of a run, projects and files, each beside its limit. */
export const benchScale = async (only: string | undefined, options: ScaleOptions): Promise<void> => {
  const { built, workDir, factor, progress, withService } = options;
  const amount = (full: number): number => Math.max(1, Math.round(full * factor));
  const parts: Record<string, () => Promise<void>> = {
    startup: async () => printTable('Startup', await startupRows(built, workDir)),
    clients: async () =>
      printTable('Many clients', await withService((service) => manyClients(service, amount(MANY_CLIENTS)))),
    'large-submission': async () =>
      printTable('A large submission', await withService((service) => largeSubmissionRows(service, amount(300_000)))),
    'large-run': async () =>
      printTable('A large run', await withService((service) => largeRunRows(service, amount(500_000), SMALL_READ))),
    files: async () =>
      printTable('Many files', await withService((service) => manyFilesRows(service, amount(100_000)))),
    async runs() {
      const dataDir = join(workDir, 'scale');
      rmSync(dataDir, { recursive: true, force: true });
      const inFolder = <T>(work: (service: BenchService) => Promise<T>): Promise<T> => withService(work, dataDir);
      printTable('Many runs, tests and projects', await inFolder((service) => manyRuns(service, amount, progress)));
      printTable('First reads after a restart', await inFolder(firstReads));
      printTable('Cleanup', await inFolder(cleanup));
    },
    async postgres() {
      using postgres = await startBenchPostgres(workDir);
      const options = { postgres, built, workDir, progress };
      printTable(`Storing in PostgreSQL ${postgres.version}`, [
        ...(await storingRows(options, 1, amount)),
        ...(await storingRows(options, 3, amount)),
      ]);
    },
    async 'fifty-million'() {
      using postgres = await startBenchPostgres(workDir);
      await printManyResults({ postgres, built, workDir, progress }, amount(50_000_000));
    },
    async replica() {
      using postgres = await startBenchPostgres(workDir);
      printTable('A replica', await idleReplicaRows({ postgres, built, workDir, progress }));
    },
    s3: async () => printTable('Uploads to S3', await s3Rows({ built, workDir }, amount)),
    query: async () =>
      printTable('Queries', await withService((service) => queryRows(service, amount(5_000), progress))),
    async 'postgres-reads'() {
      using postgres = await startBenchPostgres(workDir);
      const results = amount(5_000_000);
      printTable(
        `Reads at ${thousands(results)} results, SQLite → PostgreSQL ${postgres.version}, answer cache off`,
        await postgresReadRows({ postgres, built, workDir, progress }, results),
      );
    },
  };
  const chosen = only === undefined ? Object.entries(parts) : [[only, parts[only]] as const];
  for (const [name, measure] of chosen) {
    if (measure === undefined) throw new Error(`No part ${name}: see npm run bench -- --help`);
    progress(name);
    await measure();
  }
};

const manyClients = async (service: BenchService, clients: number): Promise<Row[]> => {
  const bodies = Array.from({ length: clients }, (_, run) =>
    plainRunBody({ projectName: `client-${run % 50}`, run, cases: CASES_OF_A_CLIENT, newTests: 70 }),
  );
  const connections = await Promise.all(bodies.map(() => openConnection(service.url)));
  const peak = watchRss(service);
  const seconds = await timed(() =>
    Promise.all(
      connections.map(async (connection, index) => {
        const { status } = await sendPatiently(connection, submitRequest(bodies[index]!));
        if (status !== 200) throw new Error(`A submission was answered ${status}`);
        connection.close();
      }),
    ),
  );
  return [
    {
      what: `${clients} clients submit ${megabytes(bodies[0]!.length)} each at once`,
      measured: `${seconds.toFixed(1)} s`,
    },
    rssRow('Peak RSS', peak.stop()),
    rssRow('RSS afterwards', await settledRss(service)),
  ];
};

const manyRuns = async (
  service: BenchService,
  amount: (full: number) => number,
  progress: (text: string) => void,
): Promise<Row[]> => {
  const perSecond = async (
    [from, to]: readonly [number, number],
    cases: number,
    projectOf: (run: number) => string,
  ): Promise<number> => {
    let seconds = 0;
    const atOnce = Math.max(CLIENTS, Math.round(120_000 / cases));
    for (let first = from; first < to; first += atOnce) {
      const count = Math.min(atOnce, to - first);
      const bodies = Array.from({ length: count }, (_, index) =>
        plainRunBody({
          projectName: projectOf(first + index),
          run: first + index,
          cases,
          newTests: Math.round(cases / 100),
        }),
      );
      seconds += await timed(() => submitAll(service.url, bodies));
      progress(`runs of ${cases}: ${first + count} of ${to}`);
    }
    return ((to - from) * cases) / seconds;
  };
  const peak = watchRss(service);
  const ofThousand = await perSecond([0, amount(3_000)], 1_000, () => 'many-runs');
  const large = Math.max(CLIENTS, amount(12));
  const ofNewTests = await perSecond([0, 1], amount(100_000), () => 'large-runs');
  const ofHundredThousand = await perSecond([1, large], amount(100_000), () => 'large-runs');
  const small = await perSecond([0, amount(2_000) * 3], 20, (run) => `project-${run % amount(2_000)}`);
  const ratio = ofHundredThousand / ofThousand;
  return [
    {
      what: `Results per second: ${amount(3_000)} runs of 1,000 with 1 % new tests each`,
      measured: thousands(ofThousand),
    },
    {
      what: `Results per second: a first run of ${amount(100_000)}, all of its tests new`,
      measured: thousands(ofNewTests),
    },
    {
      what: `Results per second: ${large - 1} runs of ${amount(100_000)} with 1 % new tests each`,
      measured: `${thousands(ofHundredThousand)} = ${ratio.toFixed(2)} ×`,
      limit: 'at least 0.8 ×',
      ok: ratio >= 0.8,
    },
    { what: `Runs per second: 3 of each of ${amount(2_000)} projects`, measured: (small / 20).toFixed(0) },
    rssRow('Peak RSS', peak.stop()),
    rssRow('RSS afterwards', await settledRss(service)),
  ];
};

const submitAll = (url: string, bodies: readonly Buffer[]): Promise<void> =>
  withClients(url, CLIENTS, bodies, async (connection, body) => {
    const { status, body: answer } = await sendPatiently(connection, submitRequest(body));
    if (status !== 200) throw new Error(`A submission was answered ${status}: ${answer.toString()}`);
  });

const firstReads = async (service: BenchService): Promise<Row[]> => {
  const connection = await openConnection(service.url);
  const get = (path: string): Promise<TimedRead> => timeRead(service, connection, path);
  const peak = watchRss(service);
  // The first request of a process loads code; here it is about data.
  await get('/api/service');
  const first = await get('/api/projects');
  const projects = JSON.parse(first.body.toString()) as { id: number; name: string }[];
  const idOf = (name: string): number => projects.find((project) => project.name === name)!.id;
  const rows: Row[] = [firstReadRow('GET /api/projects', first)];
  for (const name of ['many-runs', 'large-runs']) {
    const base = `/api/projects/${idOf(name)}`;
    for (const path of [...LISTS, ...(await windowsOf(base, get))]) {
      rows.push(firstReadRow(`GET …${path}, ${name}`, await get(`${base}${path}`)));
    }
  }
  for (const path of ['/api/admin/stats', '/api/admin/storage', '/api/search?q=scenario', '/api/admin/audit']) {
    rows.push(firstReadRow(`GET ${path}`, await get(path)));
  }
  connection.close();
  return [...rows, rssRow('Peak RSS', peak.stop()), rssRow('RSS afterwards', await settledRss(service))];
};

const LISTS = [
  '?limit=50',
  '',
  '/performance',
  '/slow-tests',
  '/slow-tests?runs=100',
  '/flaky-tests',
  '/test-cases?limit=1000',
];

/** Reads of a branch and of the latest 30 days; those of all history of a branch come first, when nothing of it is cached. */
const windowsOf = async (
  base: string,
  get: (path: string) => Promise<{ readonly body: Buffer }>,
): Promise<string[]> => {
  const { testRuns } = JSON.parse((await get(`${base}?limit=1`)).body.toString()) as {
    testRuns: { startTime: string }[];
  };
  const days = `since=${new Date(Date.parse(testRuns[0]!.startTime) - 30 * 86_400_000).toISOString()}`;
  return [
    '/test-cases?limit=1000&branch=main',
    '/test-cases?limit=1000&branch=change-0',
    `?limit=50&branch=main&${days}`,
    `/window?branch=main&${days}`,
    `/performance?branch=main&${days}`,
    `/slow-tests?branch=main&${days}`,
    `/flaky-tests?branch=main&${days}`,
    `/causes?branch=main&${days}`,
    `/test-cases?limit=1000&branch=main&${days}`,
    '/branches',
    '/branches?compare=true',
  ];
};

const cleanup = async (service: BenchService): Promise<Row[]> => {
  const connection = await openConnection(service.url);
  const before = service.diskBytes();
  const peak = watchRss(service);
  const waits = await whileProbing(service, SMALL_READ, async () => {
    const start = performance.now();
    const request = bodyRequest('DELETE', '/api/admin/cleanup', Buffer.from(JSON.stringify({ olderThanDays: 1_000 })));
    const { status, body } = await connection.send(request);
    if (status !== 200) throw new Error(`The cleanup was answered ${status}: ${body.toString()}`);
    const { deletedRuns } = JSON.parse(body.toString()) as { deletedRuns: number };
    return { seconds: (performance.now() - start) / 1000, deletedRuns };
  });
  connection.close();
  const { value } = waits;
  return [
    { what: `Deleting ${value.deletedRuns} runs`, measured: `${value.seconds.toFixed(1)} s` },
    { what: 'Data folder before and after', measured: `${megabytes(before)} and ${megabytes(service.diskBytes())}` },
    waitRow('Longest wait of another client meanwhile', waits),
    rssRow('Peak RSS', peak.stop()),
    rssRow('RSS afterwards', await settledRss(service)),
  ];
};
