import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { DATABASE, type Copied, copyDatabaseOf, copyInstallation } from '../backup/copy-installation.ts';
import { verifyInstallation } from '../backup/verify-installation.ts';
import { type S3Location, nameOfS3 } from '../blobs/s3-location.ts';
import type { Config } from '../config.ts';
import { tryLock } from '../db/folder-lock.ts';
import { AppError } from '../errors.ts';
import { OperatorError } from '../operator-error.ts';

export type BackupCommand = 'backup' | 'restore' | 'verify';

const BACKUP_USAGE = `assay-server backup <folder>     copies the data folder, also while the service runs; again, it copies what is new
assay-server restore <folder>    puts such a copy back into a data folder that is empty
assay-server verify [<folder>]   reads everything that is stored, and names what is damaged

The data folder is SERVICE_DATA_DIR. A copy is a data folder itself. With SERVICE_FILES_URL, a copy is of the database
alone: the files stay in their bucket, where verify reads them.
`;

export interface BackupLine {
  readonly args: readonly string[];
  readonly print: (text: string) => void;
  /** A line that the next one replaces. */
  readonly progress: (text: string) => void;
}

export const manageBackups = async (
  { dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>,
  command: BackupCommand,
  { args, print, progress }: BackupLine,
): Promise<void> => {
  const [given, ...rest] = args;
  if (given === '--help') return print(BACKUP_USAGE);
  if (rest.length > 0 || given?.startsWith('-') || (given === undefined && command !== 'verify')) {
    throw new OperatorError(BACKUP_USAGE);
  }
  const folder = resolve(given ?? dataDir);
  if (command === 'verify') return verify(folder, print, progress, s3);
  const [from, to] = command === 'backup' ? [resolve(dataDir), folder] : [folder, resolve(dataDir)];
  requireData(from);
  if (to === from || to.startsWith(from + sep)) throw new OperatorError(`${to} is in the folder that is copied`);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  if (command === 'restore') requireEmpty(to);
  else requireOwn(to);
  const lock = tryLock(join(to, 'lock'));
  if (lock === null) throw new OperatorError(`${to} is in use by another process`);
  try {
    if (s3) return print(databaseWords(await copyDatabaseOf(from, to), to, nameOfS3(s3)));
    const copied = await copyInstallation(from, to, (files, of) => progress(`${files} of ${of} files`));
    print(wordsOf(copied, to));
    if (copied.missing.length > 0) throw new OperatorError(missingWords(copied.missing, from));
  } finally {
    lock.release();
  }
};

const requireData = (folder: string): void => {
  if (!existsSync(join(folder, DATABASE))) throw new OperatorError(`There is no data of Assay in ${folder}`);
};

/** What is there would be mixed with what is put back. */
const requireEmpty = (folder: string): void => {
  const found = readdirSync(folder).find((name) => name !== 'lock' && name !== 'compile-cache');
  if (found === undefined) return;
  throw new OperatorError(
    `${folder} is not empty: move ${found} away, or set SERVICE_DATA_DIR to another folder, and restore again`,
  );
};

/** A folder of something else must not lose files. */
const requireOwn = (folder: string): void => {
  const names = readdirSync(folder);
  const isOwn = names.length === 0 || names.includes(DATABASE) || names.includes(`${DATABASE}.new`);
  if (!isOwn) throw new OperatorError(`${folder} has other files: give an empty folder, or an earlier copy`);
};

const verify = async (
  folder: string,
  print: BackupLine['print'],
  progress: BackupLine['progress'],
  s3: S3Location | null,
): Promise<void> => {
  requireData(folder);
  // Lends no files, so that it needs no staging.
  const bucket = s3 && (await import('../blobs/s3.ts')).openS3Blobs(s3, folder);
  const tell = (what: string): void => progress(`read ${what}`);
  const { runs, results, files, problems } = await verifyInstallation(folder, tell, bucket?.read).catch(
    (error: unknown) => {
      throw error instanceof AppError ? new OperatorError(error.message) : error;
    },
  );
  for (const problem of problems) print(`${problem}\n`);
  const place = s3 ? `${folder} and ${nameOfS3(s3)}` : folder;
  const read = `Read ${count(runs, 'run')} with ${count(results, 'result')} and ${count(files, 'file')} in ${place}`;
  if (problems.length === 0) return print(`${read}: nothing is damaged.\n`);
  throw new OperatorError(`${read}: found ${count(problems.length, 'problem')}.`);
};

const wordsOf = ({ runs, files, newFiles, newBytes, deletedFiles }: Copied, to: string): string => {
  const megabytes = (newBytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 });
  const gone = deletedFiles === 0 ? '' : `, ${count(deletedFiles, 'file')} of an earlier copy deleted`;
  return `Copied ${count(runs, 'run')} and ${count(files, 'file')} to ${to}: ${formatted(newFiles)} new, ${megabytes} MB${gone}.\n`;
};

const databaseWords = ({ runs, files }: Pick<Copied, 'runs' | 'files'>, to: string, bucket: string): string =>
  `Copied the database with ${count(runs, 'run')} to ${to}. It references ${count(files, 'file')} in ${bucket}, which ${files === 1 ? 'is' : 'are'} not copied.\n`;

const SHOWN_MISSING = 10;

const missingWords = (missing: readonly string[], from: string): string => {
  const more = missing.length > SHOWN_MISSING ? ` and ${formatted(missing.length - SHOWN_MISSING)} more` : '';
  const named = missing.slice(0, SHOWN_MISSING).join(', ');
  return `${count(missing.length, 'file')} that runs reference could not be copied, because ${from} lacks them or has them cut short: ${named}${more}`;
};

const formatted = (value: number): string => value.toLocaleString('en');

const count = (value: number, one: string): string => `${formatted(value)} ${one}${value === 1 ? '' : 's'}`;
