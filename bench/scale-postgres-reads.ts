import { type Row, milliseconds, times } from './figures.ts';
import { fillAll } from './load.ts';
import { measureReadsInTurns } from './reads.ts';
import { type PostgresOptions, startReplicas } from './scale-postgres.ts';
import { startBenchService } from './service.ts';

const READS_EACH = 100;
const MOST_TIMES = 3;
/** Answers of a cache say nothing of a database. */
const environment = { SERVICE_ANSWER_CACHE_MB: '0' };

/** Every read over PostgreSQL beside the same over SQLite, of services that got the same runs. */
export const postgresReadRows = async (options: PostgresOptions, results: number): Promise<Row[]> => {
  const { postgres, built, workDir, progress } = options;
  const database = await postgres.createDatabase('reads');
  const [replica] = await startReplicas(options, database, 1, environment);
  const embedded = await startBenchService({ entry: built, workDir, environment });
  try {
    await fillAll([embedded.url, replica!.url], results, (share) =>
      progress(`filling SQLite and PostgreSQL: ${Math.round(share * 100)} %`),
    );
    // As autovacuum does within a minute: until then PostgreSQL believes its tables to be empty.
    const client = await database.connect();
    await client.query('ANALYZE');
    await client.end();
    progress('reads');
    const [ofEmbedded, ofReplica] = await measureReadsInTurns([embedded.url, replica!.url], READS_EACH);
    return [...ofEmbedded!].map(([what, { p50, p99 }]) => {
      const there = ofReplica!.get(what)!;
      const ratio = there.p50 / p50;
      return {
        what,
        measured: `p50 ${milliseconds(p50)} → ${milliseconds(there.p50)} (${times(ratio)}), p99 ${milliseconds(p99)} → ${milliseconds(there.p99)}`,
        limit: `${MOST_TIMES} ×`,
        ok: ratio <= MOST_TIMES,
      };
    });
  } finally {
    await Promise.all([embedded.stop(), replica!.stop()]);
  }
};
