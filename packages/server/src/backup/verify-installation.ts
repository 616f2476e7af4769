import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { splitResultId } from '@assay/contract';
import { QUARANTINE, blobPath } from '../blobs/disk.ts';
import { readMovedFrom } from '../blobs/read-moved.ts';
import { type ByteRange, type SizedBlobName } from '../blobs/store.ts';
import type { Queries } from '../db/database.ts';
import { openSqlite } from '../db/sqlite.ts';
import { AppError } from '../errors.ts';
import { decodeSummary } from '../segments/summary.ts';
import { verifyBlocks, verifyChunk } from '../segments/verify-run.ts';
import { DATABASE, blobsIn } from './copy-installation.ts';

export interface Verified {
  readonly runs: number;
  readonly results: number;
  readonly files: number;
  /** What is damaged or missing, and where. */
  readonly problems: readonly string[];
}

const RUNS_PER_PAGE = 100;
const CHUNKS_PER_PAGE = 200;

/** Opens a file as it is stored; `ENOENT` for one that is missing. */
export type OpenStored = (blob: SizedBlobName, range?: ByteRange) => Promise<Readable>;

/** Reads all that an installation stores, as far as it can be read; its files are in its folder, or elsewhere. */
export const verifyInstallation = async (
  folder: string,
  onProgress: (what: string) => void = () => undefined,
  openStored: OpenStored = openIn(join(folder, 'blobs')),
): Promise<Verified> => {
  const file = join(folder, DATABASE);
  onProgress('database');
  const problems = checkDatabase(file);
  const database = openSqlite({ file, access: 'read', readMoved: readMovedFrom({ read: openStored }) });
  try {
    const { queries } = database;
    const read = await verifyRuns(queries, problems, onProgress);
    await verifyDetails(queries, problems, onProgress);
    await verifySummaries(queries, problems);
    const files = await verifyBlobs(openStored, queries, problems, onProgress);
    return { ...read, files, problems };
  } finally {
    await database.close();
  }
};

/** What SQLite itself finds: damaged pages, and rows that refer to others which are gone. */
const checkDatabase = (file: string): string[] => {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    const damage = connection
      .prepare('PRAGMA integrity_check(100)')
      .all()
      .map((row) => String(Object.values(row)[0]))
      .filter((said) => said !== 'ok');
    const orphans = connection
      .prepare('PRAGMA foreign_key_check')
      .all()
      .map(({ table, rowid, parent }) => [table, rowid, parent].map(String))
      .map(([table, row, parent]) => `row ${row} of ${table} refers to a row of ${parent} that is gone`);
    return [...damage, ...orphans].map((said) => `database: ${said}`);
  } finally {
    connection.close();
  }
};

const verifyRuns = async (
  queries: Queries,
  problems: string[],
  onProgress: (what: string) => void,
): Promise<{ runs: number; results: number }> => {
  let [runs, results] = [0, 0];
  for (let last = 0; ;) {
    const page = await queries
      .selectFrom('runs')
      .innerJoin('projects', 'projects.id', 'runs.project_id')
      .select(['runs.id', 'runs.result_count', 'projects.name'])
      .where('runs.id', '>', last)
      .orderBy('runs.id')
      .limit(RUNS_PER_PAGE)
      .execute();
    if (page.length === 0) return { runs, results };
    for (const run of page) {
      const found = await verifyBlocks(queries, run.id, (said) =>
        problems.push(`run ${run.id} of ${run.name}: ${said}`),
      );
      if (found !== null && found !== run.result_count) {
        problems.push(`run ${run.id} of ${run.name}: ${found} results are stored, not ${run.result_count}`);
      }
      results += found ?? 0;
    }
    runs += page.length;
    last = page.at(-1)!.id;
    onProgress(`${runs} runs`);
  }
};

const verifyDetails = async (
  queries: Queries,
  problems: string[],
  onProgress: (what: string) => void,
): Promise<void> => {
  let seen = 0;
  for (let last = -1; ;) {
    const page = await queries
      .selectFrom('details')
      .select(['id', 'data'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(CHUNKS_PER_PAGE)
      .execute();
    if (page.length === 0) return;
    for (const { id, data } of page) {
      const { runId, index } = splitResultId(id);
      verifyChunk(data, index, (said) => problems.push(`run ${runId}: ${said}`));
    }
    last = page.at(-1)!.id;
    onProgress(`${(seen += page.length)} chunks of details`);
  }
};

const verifySummaries = async (queries: Queries, problems: string[]): Promise<void> => {
  for (const table of ['summaries', 'branch_summaries'] as const) {
    const keys = await queries.selectFrom(table).select(['project_id', 'level', 'span']).execute();
    for (const { project_id, level, span } of keys) {
      const rows = await queries
        .selectFrom(table)
        .select('data')
        .where('project_id', '=', project_id)
        .where('level', '=', level)
        .where('span', '=', span)
        .execute();
      try {
        for (const { data } of rows) decodeSummary(data);
      } catch (error) {
        // The service makes it again when it is read.
        problems.push(`project ${project_id}: summary ${level}/${span}: ${(error as Error).message}`);
      }
    }
  }
};

const verifyBlobs = async (
  openStored: OpenStored,
  queries: Queries,
  problems: string[],
  onProgress: (what: string) => void,
): Promise<number> => {
  let files = 0;
  for await (const blobs of blobsIn(queries)) {
    for (const blob of blobs) {
      const problem = await problemOf(openStored, blob);
      // It may have been deleted with its run since.
      if (problem !== null && (await isReferenced(queries, blob))) problems.push(`file ${blob.hash}: ${problem}`);
    }
    files += blobs.length;
    onProgress(`${files} files`);
  }
  return files;
};

const openIn =
  (folder: string): OpenStored =>
  async (blob, range) => {
    const aside = blobPath(join(folder, QUARANTINE), blob);
    const file = await open(blobPath(folder, blob)).catch(() => open(aside));
    return file.createReadStream(range);
  };

const problemOf = async (openStored: OpenStored, blob: SizedBlobName): Promise<string | null> => {
  const hash = createHash('sha256');
  try {
    const stored = await openStored(blob);
    await (blob.encoding === 'gzip' ? pipeline(stored, createGunzip(), hash) : pipeline(stored, hash));
  } catch (error) {
    // A store that is away says nothing of its files.
    if (error instanceof AppError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'is missing' : `cannot be read: ${message}`;
  }
  return hash.digest('hex') === blob.hash ? null : 'has another content';
};

const isReferenced = async (queries: Queries, { hash }: SizedBlobName): Promise<boolean> => {
  const row = await queries
    .selectFrom('blobs')
    .select('id')
    .where('hash', '=', Buffer.from(hash, 'hex'))
    .executeTakeFirst();
  return row !== undefined;
};
