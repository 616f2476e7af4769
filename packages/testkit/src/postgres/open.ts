import type pg from 'pg';
import { inject } from 'vitest';
import { oncePerRun } from '../once-per-run.ts';
import { type PostgresAccess, connectPostgres, startPostgres } from './connect.ts';

/** The PostgreSQL of this test run, which the first that asks starts. */
export const findPostgresOfRun = (): Promise<PostgresAccess> =>
  oncePerRun('postgres', async () => {
    const access = await startPostgres(inject('sharedFolder'), process.ppid);
    await makePasswordQuick(access);
    return access;
  });

/** Tests open many connections. Versions before 16 know no other count of iterations, and keep theirs. */
const makePasswordQuick = async (access: PostgresAccess): Promise<void> => {
  const client = await connectPostgres(access);
  await client.query(`
    DO $$ BEGIN
      PERFORM set_config('scram_iterations', '1', false);
    EXCEPTION WHEN undefined_object THEN NULL;
    END $$;
    ALTER ROLE assay PASSWORD '${access.password}'`);
  await client.end();
};

export const openPostgres = async (): Promise<pg.Client> => connectPostgres(await findPostgresOfRun());

export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
}

let made = 0;

const administer = async (statement: string, database?: string): Promise<void> => {
  const client = await connectPostgres(await findPostgresOfRun(), database);
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

/** A database that stays as long as that PostgreSQL. */
export const keepDatabase = async (template?: string): Promise<{ readonly name: string; readonly url: string }> => {
  const { port, password } = await findPostgresOfRun();
  const name = `test_${process.pid}_${Date.now().toString(36)}_${++made}`;
  // Copying files is quicker than writing all of them to the log.
  const copied = template === undefined ? '' : ` TEMPLATE ${template} STRATEGY FILE_COPY`;
  await administer(`CREATE DATABASE ${name}${copied}`);
  return { name, url: `postgres://assay:${password}@127.0.0.1:${port}/${name}` };
};

/** A database of its own in that PostgreSQL; it goes away with whoever asked for it. */
export const createDatabase = async ({
  template,
  statement,
}: {
  /** The name of a database that nobody is connected to: this one begins as its copy. */
  readonly template?: string;
  /** Executed in it at first. */
  readonly statement?: string;
} = {}): Promise<OwnDatabase> => {
  const { name, url } = await keepDatabase(template);
  if (statement !== undefined) await administer(statement, name);
  return { url, [Symbol.asyncDispose]: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
};
