import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE } from '../backup/copy-installation.ts';
import type { S3Location } from '../blobs/s3-location.ts';
import { copyDatabase } from '../copy/copy-database.ts';
import { copyFiles } from '../copy/copy-files.ts';
import { type FilePlace, openBucket, openFolder } from '../copy/file-places.ts';
import type { Database } from '../db/database.ts';
import { tryLock } from '../db/folder-lock.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { AppError } from '../errors.ts';
import { OperatorError } from '../operator-error.ts';
import type { BackupLine } from './backups.ts';

const USAGE = `assay-server copy --from <place> --to <place> [--files-from <files>] [--files-to <files>]

Copies a whole installation. A place is a data folder, or the address of a PostgreSQL database (postgres://…); files are in
the data folder, unless --files-from and --files-to name another one or a bucket (s3://…, as SERVICE_FILES_URL has it).
The target must be empty; a copy that was broken off goes on when the command is run again. Stop the service before: what
is stored after the start of the copy is not in it.
`;

interface Place {
  readonly database: Database;
  readonly files: FilePlace | null;
  close(): Promise<void>;
}

export interface CopyLine extends BackupLine {
  /** Reads `s3://…` with the credentials of the environment; throws when it is none. */
  readonly readFilesUrl: (url: string) => S3Location;
}

/** Moves an installation to another database. */
export const manageCopy = async ({ args, print, progress, readFilesUrl }: CopyLine): Promise<void> => {
  const { values } = parse(args);
  if (values.help) return print(USAGE);
  if (values.from === undefined || values.to === undefined) throw new OperatorError(USAGE);
  if (!isPostgres(values.from) && !existsSync(join(values.from, DATABASE))) {
    throw new OperatorError(`There is no data of Assay in ${resolve(values.from)}`);
  }
  const from = await open({ place: values.from, files: values['files-from'], end: 'from', readFilesUrl });
  try {
    const to = await open({ place: values.to, files: values['files-to'], end: 'to', readFilesUrl });
    try {
      await copy(from, to, print, progress);
    } finally {
      await to.close();
    }
  } catch (error) {
    throw error instanceof AppError ? new OperatorError((error.cause as Error | undefined)?.message ?? '') : error;
  } finally {
    await from.close();
  }
};

const copy = async (from: Place, to: Place, print: BackupLine['print'], progress: BackupLine['progress']) => {
  const { count: files } = await from.database.queries
    .selectFrom('blobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (files > 0 && from.files === null) throw new OperatorError(needsFolder('from'));
  if (files > 0 && to.files === null) throw new OperatorError(needsFolder('to'));
  // Files first: what the database names is then there.
  if (from.files !== null && to.files !== null) {
    const problems = await copyFiles(from.database.queries, from.files, to.files, (seen) =>
      progress(`copied ${formatted(seen)} of ${formatted(files)} files`),
    );
    if (problems.length > 0) {
      throw new OperatorError(
        `${formatted(problems.length)} files are missing or damaged, such as ${problems[0]}; nothing but files was copied`,
      );
    }
  }
  const { rows } = await copyDatabase(from.database, to.database, {
    copied: (done, of) => progress(`copied ${share(done, of)} of ${formatted(of)} rows`),
    compared: (done, of) => progress(`compared ${share(done, of)} of ${formatted(of)} rows`),
  });
  print(`Copied ${formatted(rows)} rows and ${formatted(files)} files; all rows were compared.\n`);
};

const needsFolder = (end: 'from' | 'to'): string =>
  `Runs have files: name the data folder or bucket that ${end === 'from' ? 'has them' : 'they go to'} with --files-${end}`;

const isPostgres = (place: string): boolean => /^postgres(?:ql)?:\/\//.test(place);

interface PlaceOptions extends Pick<CopyLine, 'readFilesUrl'> {
  readonly place: string;
  readonly files: string | undefined;
  readonly end: 'from' | 'to';
}

const open = async ({ place, files: givenFiles, end, readFilesUrl }: PlaceOptions): Promise<Place> => {
  const folder = isPostgres(place) ? null : resolve(place);
  if (end === 'to' && folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = await openFiles(givenFiles ?? folder, readFilesUrl);
  const access = end === 'from' ? 'read' : 'write';
  const lock = end === 'to' && folder !== null ? tryLock(join(folder, 'lock')) : undefined;
  if (lock === null) throw new OperatorError(`${folder} is in use by another process`);
  const database = await openDatabase(folder === null ? { url: place } : { file: join(folder, DATABASE) }, { access });
  const close = async (): Promise<void> => {
    await database.close();
    lock?.release();
  };
  try {
    if (end === 'to') await migrate(database);
    return { database, files, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const openFiles = async (given: string | null, readFilesUrl: CopyLine['readFilesUrl']): Promise<FilePlace | null> => {
  if (given === null) return null;
  return given.startsWith('s3:') ? openBucket(readFilesUrl(given)) : openFolder(resolve(given));
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        'files-from': { type: 'string' },
        'files-to': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${USAGE}`);
  }
};

const share = (done: number, of: number): string => `${Math.floor((100 * done) / Math.max(1, of))} %`;

const formatted = (value: number): string => value.toLocaleString('en');
