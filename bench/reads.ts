import { createRandom } from '@assay/testkit';
import { percentile } from './figures.ts';
import { type Connection, getRequest, openConnection } from './http-client.ts';

export type ReadFigures = Map<string, { p50: number; p95: number; p99: number; cpuMs: number }>;

/** Processor time that was used until now by all who serve reads, where that is of interest. */
type CpuMs = () => Promise<number>;

const RESULT_ID_BASE = 2 ** 20;
const DAY_MS = 86_400_000;

interface Target {
  /** When the latest run started. */
  readonly latestAt: number;
  readonly projects: number[];
  readonly runs: { readonly id: number; readonly totalTests: number }[];
}

type PathOf = (target: Target, random: ReturnType<typeof createRandom>) => string;

/** Of the latest two days of main: as many runs however many there are before. */
function ofMainAndDays(path: string, more?: string): Record<string, PathOf> {
  const name = `GET …${path}?branch=main&since=…${more ? `&${more}` : ''}`;
  return {
    [name]: ({ projects, latestAt }, random) => {
      const since = new Date(latestAt - 2 * DAY_MS - random.integer(0, 60_000)).toISOString();
      return `/api/projects/${random.pick(projects)}${path}?branch=main&since=${since}${more ? `&${more}` : ''}`;
    },
  };
}

/** Each read on something else every time, so that nothing is answered from a cache of answers. */
const READS: Record<string, PathOf> = {
  'GET /api/projects': () => '/api/projects',
  'GET /api/projects/{id}?limit=50': ({ projects }, random) => `/api/projects/${random.pick(projects)}?limit=50`,
  'GET …/performance': ({ projects }, random) => `/api/projects/${random.pick(projects)}/performance`,
  'GET …/slow-tests': ({ projects }, random) => `/api/projects/${random.pick(projects)}/slow-tests`,
  'GET …/slow-tests?runs=100': ({ projects }, random) => `/api/projects/${random.pick(projects)}/slow-tests?runs=100`,
  'GET …/test-cases?limit=1000': ({ projects }, random) =>
    `/api/projects/${random.pick(projects)}/test-cases?limit=1000`,
  'GET /api/test-runs/{id}?details=false': ({ runs }, random) => `/api/test-runs/${random.pick(runs).id}?details=false`,
  'GET …/network-requests': ({ runs }, random) => `/api/test-runs/${random.pick(runs).id}/network-requests`,
  'GET /api/test-cases/{id}': ({ runs }, random) => {
    const { id, totalTests } = random.pick(runs);
    return `/api/test-cases/${id * RESULT_ID_BASE + random.integer(0, totalTests - 1)}`;
  },
  'GET /api/admin/stats': () => '/api/admin/stats',
};

/** Reads of a branch and some days, and those that look back over many runs. */
const WINDOW_READS: Record<string, PathOf> = {
  'GET …/comparison': ({ runs }, random) => `/api/test-runs/${random.pick(runs).id}/comparison`,
  ...ofMainAndDays('', 'limit=50'),
  ...ofMainAndDays('/window'),
  ...ofMainAndDays('/performance'),
  ...ofMainAndDays('/slow-tests'),
  ...ofMainAndDays('/flaky-tests'),
  ...ofMainAndDays('/causes'),
  ...ofMainAndDays('/test-cases', 'limit=1000&history=30'),
};

/** Reads of all runs there are, which cost more the more these are. */
export const GROWING_READS: Record<string, PathOf> = {
  'GET …/test-cases?limit=1000&branch=main': ({ projects }, random) =>
    `/api/projects/${random.pick(projects)}/test-cases?limit=1000&branch=main`,
  'GET …/branches': ({ projects }, random) => `/api/projects/${random.pick(projects)}/branches`,
  'GET …/branches?compare=true': ({ projects }, random) =>
    `/api/projects/${random.pick(projects)}/branches?compare=true`,
};

export const measureReads = async (url: string, perRead: number, cpuMs?: CpuMs): Promise<ReadFigures> =>
  (await measureReadsInTurns([url], perRead, cpuMs))[0]!;

/** Of services with the same runs, a read of each after the other: what else the machine does slows all of them. */
export const measureReadsInTurns = async (
  urls: readonly string[],
  perRead: number,
  cpuMs: CpuMs = async () => NaN,
): Promise<ReadFigures[]> => {
  const connections = await Promise.all(urls.map(openConnection));
  const targets = await Promise.all(connections.map(findTarget));
  const figures: ReadFigures[] = urls.map(() => new Map());
  for (const [name, pathOf] of Object.entries({ ...READS, ...WINDOW_READS, ...GROWING_READS })) {
    const randoms = urls.map(() => createRandom(name));
    const timings: number[][] = urls.map(() => []);
    let cpuBefore = NaN;
    for (let n = 0; n < perRead * 2; n++) {
      if (n === perRead) cpuBefore = await cpuMs();
      for (const [at, connection] of connections.entries()) {
        const request = getRequest(pathOf(targets[at]!, randoms[at]!));
        timings[at]!.push(...(await timeAll(connection, [request])));
      }
    }
    const cpuEach = ((await cpuMs()) - cpuBefore) / perRead;
    for (const [at, all] of timings.entries()) {
      const warm = all.slice(perRead);
      const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(warm, percent)) as [number, number, number];
      figures[at]!.set(name, { p50, p95, p99, cpuMs: cpuEach });
    }
  }
  for (const connection of connections) connection.close();
  return figures;
};

/** Reads of all kinds in turn for a while; the time of each. */
export const readForAWhile = async (url: string, durationMs: number): Promise<number[]> => {
  const connection = await openConnection(url);
  const target = await findTarget(connection);
  const random = createRandom('mixed');
  const paths = Object.values(READS);
  const timings: number[] = [];
  const end = performance.now() + durationMs;
  for (let n = 0; performance.now() < end; n++) {
    timings.push(...(await timeAll(connection, [getRequest(paths[n % paths.length]!(target, random))])));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  connection.close();
  return timings;
};

const timeAll = async (connection: Connection, requests: readonly Buffer[]): Promise<number[]> => {
  const timings: number[] = [];
  for (const request of requests) {
    const start = performance.now();
    const { status, body } = await connection.send(request);
    timings.push(performance.now() - start);
    if (status !== 200) throw new Error(`A read was answered ${status}: ${body.toString()}`);
  }
  return timings;
};

/** The projects and their latest 100 runs, which is what people look at. */
const findTarget = async (connection: Connection): Promise<Target> => {
  const get = async (path: string): Promise<unknown> =>
    JSON.parse((await connection.send(getRequest(path))).body.toString()) as unknown;
  const projects = ((await get('/api/projects')) as { id: number }[]).map(({ id }) => id);
  const runs: { id: number; totalTests: number; startTime: string }[] = [];
  for (const id of projects) {
    const { testRuns } = (await get(`/api/projects/${id}?limit=25`)) as { testRuns: typeof runs };
    runs.push(...testRuns.filter(({ totalTests }) => totalTests > 0));
  }
  return { projects, runs, latestAt: Math.max(...runs.map(({ startTime }) => Date.parse(startTime))) };
};
