import { oncePerRun } from '@assay/testkit/once-per-run';
import type pg from 'pg';
import { inject } from 'vitest';
import { connectPostgres, startPostgres } from './connect.ts';

/** A connection to the PostgreSQL of this test run, which the first that asks starts. */
export const openPostgres = async (): Promise<pg.Client> =>
  connectPostgres(await oncePerRun('postgres', () => startPostgres(inject('sharedFolder'), process.ppid)));
