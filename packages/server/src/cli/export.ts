import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE } from '../backup/copy-installation.ts';
import { readS3Url } from '../blobs/s3-location.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { requireCurrent } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { AppError } from '../errors.ts';
import { OperatorError } from '../operator-error.ts';
import { exportParquet } from '../parquet/export-parquet.ts';
import { type ExportTarget, openBucket, openFolder } from '../parquet/target.ts';
import type { BackupLine } from './backups.ts';

const USAGE = `assay-server export --format parquet --to <folder or s3://bucket/prefix>

Writes runs, results and requests as Parquet files for DuckDB, ClickHouse, Trino or Spark, one folder for each project and
month. Run again, it writes what is new or changed since and deletes what was deleted; an export that was broken off goes
on. The service may run meanwhile. It reads what SERVICE_DATA_DIR or SERVICE_DATABASE_URL names.

An S3 server that is not Amazon's is s3://bucket/prefix?endpoint=https://…&region=…; AWS_ACCESS_KEY_ID and
AWS_SECRET_ACCESS_KEY are its credentials. Only one export at a time may write to a bucket.
`;

export interface ExportLine extends BackupLine {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Copies what is stored to where a warehouse reads it. */
export const manageExport = async ({ args, environment, print, progress }: ExportLine): Promise<void> => {
  const { help, format, to } = parse(args);
  if (help) return print(USAGE);
  if (to === undefined || format === undefined) throw new OperatorError(USAGE);
  if (format !== 'parquet') throw new OperatorError(`There is no format "${format}"; there is "parquet"`);
  const settings = { ...environment, SERVICE_AUTH_ENABLED: 'false' };
  const database = await openStored(readConfig(settings));
  try {
    await requireCurrent(database);
    const target = await openTarget(to, settings);
    try {
      await report(database, target, print, progress);
    } finally {
      await target.close();
    }
  } catch (error) {
    throw error instanceof AppError ? new OperatorError(wordsOf(error)) : error;
  } finally {
    await database.close();
  }
};

/** The database or the bucket is away: what it said itself. */
const wordsOf = ({ message, cause }: AppError): string => (cause instanceof Error && cause.message) || message;

const openStored = ({ databaseUrl, dataDir, s3 }: Config): Promise<Database> => {
  const files = s3 ? { s3 } : { folder: join(dataDir, 'blobs') };
  if (databaseUrl !== null) return openDatabase({ url: databaseUrl, files }, { access: 'read' });
  const file = join(dataDir, DATABASE);
  if (!existsSync(file)) throw new OperatorError(`There is no data of Assay in ${dataDir}`);
  return openDatabase({ file, files }, { access: 'read' });
};

const openTarget = (to: string, settings: ExportLine['environment']): Promise<ExportTarget> => {
  if (!to.startsWith('s3:')) {
    if (/^[a-z]\w+:\/\//.test(to)) throw new OperatorError(`--to must be a folder or s3://bucket/prefix, not "${to}"`);
    return openFolder(to);
  }
  if (readS3Url(to) === null) {
    throw new OperatorError(`--to must be s3://bucket/prefix, with ?endpoint= and &region= where needed, not "${to}"`);
  }
  // With the credentials that it would have as a store of files.
  return openBucket(readConfig({ ...settings, SERVICE_FILES_URL: to }).s3!);
};

const report = async (
  { queries }: Database,
  target: ExportTarget,
  print: BackupLine['print'],
  progress: BackupLine['progress'],
): Promise<void> => {
  const { runs, results, files, writtenRuns, deletedFiles, damaged } = await exportParquet(queries, target, (written) =>
    progress(`wrote ${count(written, 'run')}`),
  );
  const deleted = deletedFiles === 0 ? '' : `, deleted ${count(deletedFiles, 'file')}`;
  print(
    `${target.name} has ${count(runs, 'run')} with ${count(results, 'result')} in ${count(files, 'file')}: wrote ${count(writtenRuns, 'run')}${deleted}.\n`,
  );
  if (damaged.length > 0) {
    throw new OperatorError(
      `${count(damaged.length, 'run')} cannot be read and ${damaged.length === 1 ? 'was' : 'were'} exported without results, such as run ${damaged[0]}: "assay-server verify" names what is damaged`,
    );
  }
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        format: { type: 'string' },
        to: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${USAGE}`);
  }
};

const count = (value: number, one: string): string => `${value.toLocaleString('en')} ${one}${value === 1 ? '' : 's'}`;
