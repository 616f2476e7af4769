import type pg from 'pg';
import { inject } from 'vitest';
import { oncePerRun } from '../once-per-run.ts';
import { type PostgresAccess, connectPostgres, startPostgres } from './connect.ts';

/** The PostgreSQL of this test run, which the first that asks starts. */
export const findPostgresOfRun = (): Promise<PostgresAccess> =>
  oncePerRun('postgres', () => startPostgres(inject('sharedFolder'), process.ppid));

export const openPostgres = async (): Promise<pg.Client> => connectPostgres(await findPostgresOfRun());

export interface OwnDatabase extends AsyncDisposable {
  readonly url: string;
}

let made = 0;

/** A database of its own in that PostgreSQL; it goes away with whoever asked for it. */
export const createDatabase = async (): Promise<OwnDatabase> => {
  const access = await findPostgresOfRun();
  const name = `test_${process.pid}_${Date.now().toString(36)}_${++made}`;
  const administer = async (statement: string): Promise<void> => {
    const client = await connectPostgres(access);
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administer(`CREATE DATABASE ${name}`);
  return {
    url: `postgres://assay:${access.password}@127.0.0.1:${access.port}/${name}`,
    [Symbol.asyncDispose]: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
};
