import { loadavg } from 'node:os';
import { createRandom } from '@assay/testkit';
import { type Row, megabytes, milliseconds, printTable, thousands, times } from './figures.ts';
import { submitRequest } from './http-client.ts';
import { submit } from './load.ts';
import { settledRss, timed, watchRss, withClients } from './measuring.ts';
import { plainRunBody } from './plain-runs.ts';
import type { BenchDatabase } from './postgres-server.ts';
import { type ReadFigures, measureReads } from './reads.ts';
import { type PostgresOptions, startReplicas } from './scale-postgres.ts';

const CASES = 1_000;
const NEW_TESTS = 2;
/** The first has a fifth of all runs, the last a fiftieth. */
const SHARES = Array.from({ length: 20 }, (_, index) => Math.round(100 * (index + 1) ** -0.8));
/** One of so many runs comes as two shards. */
const SHARDED_EVERY = 20;
const CLIENTS = 4;
/** Reads are measured after the first step and after the last. */
const STEPS = 10;
const READS_EACH = 100;
const FIRST_RUN_AT = Date.UTC(2024, 0, 1);
const BETWEEN_RUNS_MS = 600_000;
const MOST_TIMES = 1.5;

/** Stores very many results as in life and tells what grew with them: time, bytes, memory. */
export const printManyResults = async (options: PostgresOptions, results: number): Promise<void> => {
  const { postgres, progress } = options;
  const database = await postgres.createDatabase('many_results');
  // Answers of a cache say nothing of a database.
  const [service] = await startReplicas(options, database, 1, { SERVICE_ANSWER_CACHE_MB: '0' }, { watchTurns: true });
  const cpuMs = async (): Promise<number> => (await service!.cpuMs()) + postgres.cpuMs();
  const peak = watchRss(service!);
  const stored: Step[] = [];
  const reads: ReadFigures[] = [];
  const readResults: number[] = [];
  const bodies = bodiesOf();
  const runsPerStep = Math.max(1, Math.round(results / CASES / STEPS));
  try {
    const storing: Row[] = [];
    for (let step = 0; step < STEPS; step++) {
      progress(`storing: ${step * 10} %`);
      const cpuBefore = await cpuMs();
      const seconds = await timed(() =>
        withClients(service!.url, CLIENTS, take(bodies, runsPerStep), (connection, run) =>
          run.reduce((before, body) => before.then(() => submit(connection, submitRequest(body))), Promise.resolve()),
        ),
      );
      const count = runsPerStep * CASES;
      stored.push({ perSecond: count / seconds, cpuUs: ((await cpuMs()) - cpuBefore) / (count / 1_000) });
      storing.push(storingRow((step + 1) * count, stored[0]!, stored.at(-1)!));
      if (step > 0 && step < STEPS - 1) continue;
      progress('reads');
      await analyze(database);
      reads.push(await measureReads(service!.url, READS_EACH, cpuMs));
      readResults.push((step + 1) * count);
    }
    printTable(`Storing in PostgreSQL ${postgres.version}, ${CLIENTS} clients, runs of ${CASES}`, [
      ...storing,
      { what: 'Peak RSS of the service', measured: megabytes(peak.stop()) },
      { what: 'RSS afterwards', measured: megabytes(await settledRss(service!)) },
    ]);
    const [few, many] = readResults.map(thousands);
    printTable(`Reads at ${few} and at ${many} results, answer cache off`, readRows(reads[0]!, reads[1]!));
    printTable('Size', await sizeRows(database, readResults[1]!));
  } finally {
    await service!.stop();
  }
};

/** The bodies of one run after the other: one, or one for each shard. */
function* bodiesOf(): Generator<Buffer[]> {
  const random = createRandom('many results');
  const drawn = SHARES.flatMap((share, project) => Array.from({ length: share }, () => project));
  const runs = SHARES.map(() => 0);
  for (let n = 0; ; n++) {
    const project = random.pick(drawn);
    const run = runs[project]!++;
    const plain = {
      projectName: `project-${project}`,
      run,
      cases: CASES,
      newTests: NEW_TESTS,
      startedAt: FIRST_RUN_AT + n * BETWEEN_RUNS_MS,
    };
    const isSharded = n % SHARDED_EVERY === 0;
    const shards = isSharded ? [1, 2].map((index) => ({ index, total: 2 })) : [undefined];
    const runKey = isSharded ? `pipeline ${n}` : undefined;
    yield shards.map((shard) => plainRunBody({ ...plain, runKey, shard }));
  }
}

function* take<T>(items: Iterator<T>, count: number): Generator<T> {
  for (let n = 0; n < count; n++) yield items.next().value as T;
}

interface Step {
  readonly perSecond: number;
  /** Processor time of service and PostgreSQL for a result, in microseconds. */
  readonly cpuUs: number;
}

/** What else the machine does slows by the clock, and hardly in processor time: the better of both counts. */
const storingRow = (results: number, first: Step, { perSecond, cpuUs }: Step): Row => {
  const [byClock, byCpu] = [first.perSecond / perSecond, cpuUs / first.cpuUs];
  return {
    what: `Results per second until ${thousands(results)}`,
    measured: `${thousands(perSecond)}, processor ${cpuUs.toFixed(1)} µs a result (${times(byCpu)}), load average ${loadavg()[0]!.toFixed(1)}`,
    limit: `${MOST_TIMES} ×`,
    ok: Math.min(byClock, byCpu) <= MOST_TIMES,
  };
};

const readRows = (few: ReadFigures, many: ReadFigures): Row[] =>
  [...few].map(([what, before]) => {
    const after = many.get(what)!;
    const [byClock, byCpu] = [after.p50 / before.p50, after.cpuMs / before.cpuMs];
    return {
      what,
      measured: `p50 ${milliseconds(before.p50)} → ${milliseconds(after.p50)} (${times(byClock)}), p95 ${milliseconds(before.p95)} → ${milliseconds(after.p95)}, processor ${milliseconds(before.cpuMs)} → ${milliseconds(after.cpuMs)} (${times(byCpu)})`,
      limit: `${MOST_TIMES} ×`,
      ok: Math.min(byClock, byCpu) <= MOST_TIMES,
    };
  });

/** As autovacuum does within a minute. */
const analyze = async (database: BenchDatabase): Promise<void> => {
  const client = await database.connect();
  await client.query('ANALYZE');
  await client.end();
};

interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'index' | 'total';
  readonly bytes: string;
  /** How often an index was looked into. */
  readonly scans: string | null;
}

const LEAST_SHOWN = 0.001;

const sizeRows = async (database: BenchDatabase, results: number): Promise<Row[]> => {
  const client = await database.connect();
  const { rows } = await client.query<Relation>(`
    SELECT 'everything' AS name, 'total' AS kind, pg_database_size(current_database()) AS bytes, NULL::bigint AS scans
    UNION ALL SELECT relname, 'table', pg_table_size(relid), NULL FROM pg_stat_user_tables
    UNION ALL SELECT indexrelname, 'index', pg_relation_size(indexrelid), idx_scan FROM pg_stat_user_indexes
    ORDER BY bytes DESC, name`);
  await client.end();
  const all = Number(rows[0]!.bytes);
  return rows
    .filter(({ bytes }) => Number(bytes) >= all * LEAST_SHOWN)
    .map(({ name, kind, bytes, scans }) => ({
      what: kind === 'total' ? name : `${kind} ${name}`,
      measured: `${megabytes(Number(bytes))} = ${(Number(bytes) / results).toFixed(2)} bytes a result${scans === null ? '' : `, ${scans} scans`}`,
    }));
};
