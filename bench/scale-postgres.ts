import { type Row, percentile, thousands, times } from './figures.ts';
import { submitRequest } from './http-client.ts';
import { submit } from './load.ts';
import { timed, withClients } from './measuring.ts';
import { plainRunBody } from './plain-runs.ts';
import { type BenchDatabase, type BenchPostgres, type PostgresClient } from './postgres-server.ts';
import { type BenchService, type ServiceOptions, startBenchService } from './service.ts';

const PROJECTS = 50;
const CASES = 1_000;
const NEW_TESTS = 10;
/** The first round makes the tests; it is not counted. */
const ROUNDS = 6;
const RUNS_PER_ROUND = 600;
const CLIENTS_PER_REPLICA = 4;
const LEAST_SHARE = 0.5;

export interface PostgresOptions {
  readonly postgres: BenchPostgres;
  readonly built: string;
  readonly workDir: string;
  readonly progress: (text: string) => void;
}

/** Runs stored by some replicas, in turns with the same blocks inserted by as many plain connections. */
export const storingRows = async (
  options: PostgresOptions,
  replicas: number,
  amount: (full: number) => number,
): Promise<Row[]> => {
  const { postgres, progress } = options;
  const database = await postgres.createDatabase(`storing_${replicas}`);
  const services = await startReplicas(options, database, replicas);
  const raw = await openRaw(database, replicas);
  const runs = Math.max(PROJECTS, amount(RUNS_PER_ROUND));
  const stored: number[] = [];
  const inserted: number[] = [];
  const parsed: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      progress(`${replicas} replicas: round ${round + 1} of ${ROUNDS}`);
      const bodies = Array.from({ length: runs }, (_, index) => bodyOf(round * runs + index));
      const seconds = await timed(() => submitToAll(services, bodies));
      const rawSeconds = await raw.insertLatest(runs);
      if (round === 0) continue;
      stored.push((runs * CASES) / seconds);
      inserted.push((runs * CASES) / rawSeconds);
      const parseSeconds = await timed(async () => bodies.forEach((body) => JSON.parse(body.toString())));
      parsed.push((runs * CASES) / (rawSeconds + parseSeconds));
    }
  } finally {
    await raw.close();
    await Promise.all(services.map((service) => service.stop()));
  }
  const ratio = percentile(stored, 50) / percentile(inserted, 50);
  const connections = replicas === 1 ? 'one connection' : `${replicas} connections`;
  return [
    {
      what: `Results per second, the blocks alone by ${connections} of pg, a commit each`,
      measured: thousands(percentile(inserted, 50)),
    },
    {
      what: 'Results per second, JSON.parse of the bodies and then that',
      measured: thousands(percentile(parsed, 50)),
    },
    {
      what: `Results per second by ${replicas === 1 ? 'one replica' : `${replicas} replicas`}, ${replicas * CLIENTS_PER_REPLICA} clients, runs of ${CASES}`,
      measured: `${thousands(percentile(stored, 50))} = ${times(ratio)}, ${times(percentile(stored, 50) / percentile(parsed, 50))} with JSON.parse`,
      limit: `at least ${LEAST_SHARE} ×`,
      ok: ratio >= LEAST_SHARE,
    },
  ];
};

const bodyOf = (index: number): Buffer =>
  plainRunBody({
    projectName: `project-${index % PROJECTS}`,
    run: Math.floor(index / PROJECTS),
    cases: CASES,
    newTests: NEW_TESTS,
  });

/** One first: the tables are made once. */
export const startReplicas = async (
  { built, workDir }: Pick<PostgresOptions, 'built' | 'workDir'>,
  { url }: BenchDatabase,
  count: number,
  settings: Record<string, string> = {},
  more: Pick<ServiceOptions, 'watchTurns'> = {},
): Promise<BenchService[]> => {
  const environment = { ...settings, SERVICE_DATABASE_URL: url };
  const services: BenchService[] = [];
  for (let n = 0; n < count; n++)
    services.push(await startBenchService({ ...more, entry: built, workDir, environment }));
  return services;
};

const submitToAll = async (services: readonly BenchService[], bodies: readonly Buffer[]): Promise<void> => {
  const left = bodies[Symbol.iterator]();
  await Promise.all(
    services.map(({ url }) =>
      withClients(url, CLIENTS_PER_REPLICA, { [Symbol.iterator]: () => left }, (connection, body) =>
        submit(connection, submitRequest(body)),
      ),
    ),
  );
};

interface RawInserts {
  /** Inserts copies of the latest blocks, each durably; how long that took. */
  insertLatest(count: number): Promise<number>;
  close(): Promise<void>;
}

const openRaw = async (database: BenchDatabase, connections: number): Promise<RawInserts> => {
  const clients: PostgresClient[] = [];
  for (let n = 0; n < connections; n++) clients.push(await database.connect());
  const [first] = clients;
  await first!.query('CREATE TABLE raw_blocks (run_id bigint PRIMARY KEY, results bytea NOT NULL)');
  await first!.query('ALTER TABLE raw_blocks ALTER results SET STORAGE EXTERNAL');
  return {
    async insertLatest(count) {
      const { rows } = await first!.query<{ run_id: string; results: Buffer }>(
        'SELECT run_id, results FROM segments ORDER BY run_id DESC LIMIT $1',
        [count],
      );
      const left = rows[Symbol.iterator]();
      return timed(() =>
        Promise.all(
          clients.map(async (client) => {
            for (let next = left.next(); !next.done; next = left.next()) {
              const { run_id: id, results } = next.value;
              const text = 'INSERT INTO raw_blocks (run_id, results) VALUES ($1, $2)';
              await client.query({ name: 'insert_block', text, values: [id, results] });
            }
          }),
        ),
      );
    },
    async close() {
      for (const client of clients) await client.end();
    },
  };
};
