import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Report } from '@assay/contract';
import { LRUCache } from 'lru-cache';
import { type Unpacker, openUnpacker } from './archives/unpacker.ts';
import { type MergeQueue, createMergeQueue } from './blob-reports/merge-queue.ts';
import { cacheSmallBlobs } from './blobs/cached.ts';
import { hasBlobs, openDiskBlobs } from './blobs/disk.ts';
import { readMovedFrom } from './blobs/read-moved.ts';
import { type S3Location, nameOfS3 } from './blobs/s3-location.ts';
import type { BlobStore } from './blobs/store.ts';
import type { Config } from './config.ts';
import { isUnfinishedCopy } from './copy/copy-database.ts';
import type { Database, DatabaseAddress, Queries } from './db/database.ts';
import { tryLock } from './db/folder-lock.ts';
import { isNewDatabase, migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { AppError } from './errors.ts';
import { type Events, createEvents } from './events.ts';
import { type Accounts, openAccounts } from './features/accounts/accounts.ts';
import { type ClusterIndex, createClusterIndex } from './features/clusters/cluster-index.ts';
import { type ProjectOwners, createProjectOwners } from './features/owners/project-owners.ts';
import { type RetentionRunner, createRetentionRunner } from './features/retention/run-retention.ts';
import { type DamageReports, createDamageReports } from './features/runs/damage.ts';
import { buildSummary } from './history/keep-summaries.ts';
import { type KeptTallies, createKeptTallies } from './history/kept-tallies.ts';
import { type TestCatalogue, createTestCatalogue } from './history/test-catalogue.ts';
import { type LargeAnswers, createLargeAnswers } from './http/large-answers.ts';
import { type Metrics, createMetrics } from './http/metrics.ts';
import { type ReportReader, openReportReader } from './importing/report-reader.ts';
import { type JobRunner, createJobRunner } from './jobs/runner.ts';
import { shareOf } from './memory-share.ts';
import { OperatorError } from './operator-error.ts';
import type { ReplicaEvents } from './replica-events.ts';
import { type OutlineStore, createOutlineStore } from './segments/outline-store.ts';
import { type SegmentStore, createSegmentStore } from './segments/store.ts';
import { type Storage, openStorage } from './storage/storage.ts';
import { type TraceReader, openTraceReader } from './traces/trace-reader.ts';
import { nextTurn } from './turns.ts';
import { type Writer, openWriter } from './writer/writer.ts';

/** What a request may use. */
export interface Context {
  readonly config: Config;
  readonly installationId: string;
  readonly database: Database;
  readonly databaseAddress: DatabaseAddress;
  readonly queries: Queries;
  readonly segments: SegmentStore;
  readonly outlines: OutlineStore;
  readonly damage: DamageReports;
  readonly tests: TestCatalogue;
  readonly tallies: KeptTallies;
  readonly answers: LRUCache<string, CachedAnswer>;
  readonly largeAnswers: LargeAnswers;
  readonly writer: Writer;
  /** Resolves once commands can be executed. */
  readonly writerStarted: Promise<void>;
  readonly storage: Storage;
  readonly metrics: Metrics;
  readonly accounts: Accounts;
  readonly blobs: BlobStore;
  readonly owners: ProjectOwners;
  readonly clusterIndex: ClusterIndex;
  readonly unpacker: Unpacker;
  readonly traceReader: TraceReader;
  readonly reportReader: ReportReader;
  readonly merges: MergeQueue<Report>;
  readonly jobs: JobRunner;
  readonly retention: RetentionRunner;
  readonly events: Events;
  /** Whether the service is about to stop: it still answers, but is not ready for more. */
  readonly draining: { now: boolean };
  /** For bodies and files on their way; empty at every start. */
  readonly stagingDir: string;
  close(): Promise<void>;
}

export interface CachedAnswer {
  readonly body: Buffer;
  readonly link: string | null;
}

const TEST_CATALOGUE_BYTES = shareOf(32 * 1024 * 1024);
/** Of what holds an answer, without its body. */
const ANSWER_ENTRY_BYTES = 400;
const SMALL_BLOBS_BYTES = shareOf(16 * 1024 * 1024);
const KEPT_TALLIES_BYTES = shareOf(16 * 1024 * 1024);
/** Of the memory for decoded segments: outlines of so many runs as there are segments for would need less. */
const OUTLINES_SHARE = 4;

/** Learns of a fault outside of any request. */
export type OnFault = (fault: Error, where: string) => void;

export const openContext = async (config: Config, onFault: OnFault): Promise<Context> => {
  const { dataDir } = config;
  makeFolder(dataDir, false);
  const lockFile = join(dataDir, 'lock');
  makePrivate(lockFile);
  const lock = await orTellOperator(lockFile, async () => tryLock(lockFile));
  if (lock === null) {
    throw new OperatorError(
      `${dataDir} is in use by another process; stop it, or set SERVICE_DATA_DIR to another folder`,
    );
  }
  try {
    const databaseFile = config.databaseUrl === null ? join(dataDir, 'assay.db') : null;
    const blobsDir = join(dataDir, 'blobs');
    const databaseAddress: DatabaseAddress = {
      ...(databaseFile === null ? { url: config.databaseUrl! } : { file: databaseFile }),
      files: config.s3 ? { s3: config.s3 } : { folder: blobsDir },
    };
    const stagingDir = join(dataDir, 'staging');
    const s3 = config.s3 && (await openS3(config.s3, stagingDir));
    if (s3 && (await hasBlobs(blobsDir))) throw filesAreElsewhere(blobsDir);
    const files = s3 ?? { place: blobsDir, hasBlobs: () => hasBlobs(blobsDir) };
    if (databaseFile !== null) await refuseToForget(databaseFile, files);
    rmSync(stagingDir, { recursive: true, force: true });
    makeFolder(stagingDir);
    if (!s3) makeFolder(blobsDir);
    if (databaseFile !== null) makePrivate(databaseFile);
    await orTellOperator(databaseFile ?? 'The database of SERVICE_DATABASE_URL', () =>
      prepareDatabase(databaseAddress, files),
    );
    const events = createEvents();
    const { writer: openedWriter, started } = openWriter({
      thread: writerThread,
      startThread: config.startWriterThread,
      database: databaseAddress,
      runQuietMs: config.runQuietMs,
      onFault: (fault) => onFault(fault, 'the writing thread'),
      onEvents: (changes) => {
        changes.forEach(events.publish);
        replicas?.publish(changes);
      },
    });
    const storage = openStorage({
      dataDir,
      databaseFile,
      reserveBytes: config.reserveBytes,
      writer: openedWriter,
      onFault: (fault) => onFault(fault, 'storing'),
    });
    const { writer } = storage;
    const blobs = cacheSmallBlobs(s3?.blobs ?? (await openDiskBlobs(blobsDir, stagingDir)), SMALL_BLOBS_BYTES);
    const database = await openDatabase(databaseAddress, { access: 'read', readMoved: readMovedFrom(blobs) });
    const { queries } = database;
    const replicas = await listenToReplicas(databaseAddress, queries, events);
    const { id: installationId } = await queries.selectFrom('installation').select('id').executeTakeFirstOrThrow();
    const damage = createDamageReports({ queries, writer, onFault: (fault) => onFault(fault, 'what is stored') });
    const segments = createSegmentStore(queries, {
      maxCachedBytes: config.segmentCacheBytes,
      turn: nextTurn,
      onDamagedRun: damage.report,
      buildSummary: (projectId, span, branch) => {
        damage.reportSummary(projectId, span, branch);
        return buildSummary(queries, projectId, span, branch);
      },
    });
    const unpacker = openUnpacker({ onFault: (fault) => onFault(fault, 'the thread that reads archives') });
    const traceReader = openTraceReader();
    const reportReader = openReportReader({ onFault: (fault) => onFault(fault, 'the process that reads reports') });
    const merges = createMergeQueue<Report>();
    const jobs = createJobRunner({
      queries,
      writer,
      isShared: database.dialect === 'postgres',
      onFault: (fault, job) => onFault(fault, job ? `job ${job.id} (${job.kind}, run ${job.run_id})` : 'the jobs'),
    });
    return {
      config,
      installationId,
      database,
      databaseAddress,
      queries,
      segments,
      outlines: createOutlineStore(queries, config.segmentCacheBytes / OUTLINES_SHARE),
      damage,
      tests: createTestCatalogue(queries, TEST_CATALOGUE_BYTES),
      tallies: createKeptTallies(
        { queries, segments, turn: nextTurn, onMissingSummary: damage.reportMissingSummary },
        KEPT_TALLIES_BYTES,
      ),
      answers: new LRUCache({
        // Zero would be no bound; nothing is as small as one byte.
        maxSize: Math.max(1, config.answerCacheBytes),
        sizeCalculation: ({ body }, key) => body.byteLength + key.length + ANSWER_ENTRY_BYTES,
      }),
      largeAnswers: createLargeAnswers(),
      writer,
      writerStarted: started,
      storage,
      metrics: createMetrics({ writer, segments, queries }),
      accounts: openAccounts(config, database, writer),
      blobs,
      owners: createProjectOwners(queries),
      clusterIndex: createClusterIndex({ queries, segments, writer }),
      unpacker,
      traceReader,
      reportReader,
      merges,
      jobs,
      retention: createRetentionRunner({ queries, writer, blobs }),
      events,
      draining: { now: false },
      stagingDir,
      async close() {
        await Promise.all([
          storage.close(),
          replicas?.close(),
          jobs.close(),
          unpacker.close(),
          traceReader.close(),
          reportReader.close(),
          merges.close(),
        ]);
        // The last connection to close must be the one that writes: it takes the log back into the database.
        await database.close();
        await writer.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
};

/** Runs from source in the repository and from the build elsewhere. */
const writerThread = new URL(`./writer-thread${extname(import.meta.url)}`, import.meta.url);

/** The data folder itself keeps the mode that its operator gave it. */
const makeFolder = (folder: string, isOurs = true): void => {
  try {
    // Hashes of passwords are in there: for nobody else on the machine.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOurs) tighten(folder, 0o700);
  } catch (error) {
    throw new OperatorError(`The folder ${folder} cannot be made: ${(error as Error).message}`);
  }
};

/** SQLite gives its logs and journals the mode of the database. */
const makePrivate = (file: string): void => {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    // Opening it as a database says better what is wrong.
    return;
  }
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) tighten(path, 0o600);
};

/** Only the owner may; where that is another user, the operator has decided who reads it. */
const tighten = (path: string, mode: number): void => {
  try {
    chmodSync(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
};

/** Where files are, for messages, and whether there are any. */
interface FilesPlace {
  readonly place: string;
  hasBlobs(): Promise<boolean>;
}

/** Loaded where it is used: the client is larger than the service. */
const openS3 = async (location: S3Location, stagingDir: string): Promise<FilesPlace & { blobs: BlobStore }> => {
  const { openS3Blobs } = await import('./blobs/s3.ts');
  const blobs = openS3Blobs(location, stagingDir);
  const place = nameOfS3(location);
  const hasBlobs = (): Promise<boolean> =>
    blobs.hasBlobs().catch((error: Error) => {
      throw new OperatorError(`${place} cannot be used. ${error.message}`);
    });
  return { blobs, place, hasBlobs };
};

const filesAreElsewhere = (blobsDir: string): OperatorError =>
  new OperatorError(
    `SERVICE_FILES_URL is set, but ${blobsDir} has files, which would not be found; copy them with assay-server copy, and move ${blobsDir} away`,
  );

/** A new database would name nothing of what an earlier one has left, and SQLite would drop that one's log. */
const refuseToForget = async (databaseFile: string, files: FilesPlace): Promise<void> => {
  if (!isEmptyFile(databaseFile)) return;
  const left = (await files.hasBlobs())
    ? files.place
    : isEmptyFile(`${databaseFile}-wal`)
      ? null
      : `${databaseFile}-wal`;
  if (left === null) return;
  throw new OperatorError(
    `${databaseFile} is missing or empty, but ${left} has data of an earlier database; put the database back, or move ${left} away to start with a new one`,
  );
};

const isEmptyFile = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;

/** What SQLite says of a file that is damaged, or none of its own, is for the operator. */
const orTellOperator = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof AppError ? (error.cause as Error) : error;
    if (cause === error && (error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR') throw error;
    throw new OperatorError(`${path} cannot be used: ${(cause as Error).message}`);
  }
};

const listenToReplicas = async (
  address: DatabaseAddress,
  queries: Queries,
  events: Events,
): Promise<ReplicaEvents | null> => {
  if ('file' in address) return null;
  const { openReplicaEvents } = await import('./replica-events.ts');
  return openReplicaEvents({ url: address.url, queries, onEvent: events.publish });
};

const prepareDatabase = async (address: DatabaseAddress, files: FilesPlace): Promise<void> => {
  const database = await openDatabase(address, { access: 'write' });
  try {
    // A file of SQLite was looked at before it was opened.
    if ('url' in address && (await isNewDatabase(database)) && (await files.hasBlobs())) {
      throw new OperatorError(
        `The database of SERVICE_DATABASE_URL is empty, but ${files.place} has files of another one; set the right database, or move ${files.place} away to start with a new one`,
      );
    }
    await migrate(database);
    if (await isUnfinishedCopy(database.queries)) {
      throw new OperatorError('The database is an unfinished copy; run assay-server copy again');
    }
  } finally {
    await database.close();
  }
};
