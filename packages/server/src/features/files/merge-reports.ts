import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { MERGED_REPORT_LABEL, type Report } from '@assay/contract';
import { TOO_LARGE, mergeBlobReports } from '../../blob-reports/merge-blob-reports.ts';
import { stage } from '../../blobs/stage.ts';
import type { IncomingFile, SizedBlobName } from '../../blobs/store.ts';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import { withHeldBlobs } from '../../blobs/with-held-blobs.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { fileCommands } from './commands.ts';
import { entryOf } from './report-entry.ts';
import { storageOf } from './take-in-report.ts';

const TIMEOUT_MS = 5 * 60 * 1000;
const MAX_MEMORY_MB = 512;
/** Of all blobs of a run, as they are stored, unpacked and in the merged report. */
const MAX_BYTES = 2 ** 31;

/**
 * Merges the blob reports of a run's shards into one HTML report. Concurrent requests for the same blobs share one merge,
 * which is cancelled when all their clients have disconnected.
 */
export const mergeReports = async (context: Context, runId: number, signal: AbortSignal): Promise<Report> => {
  const found = await findBlobReports(context, runId);
  const storedBytes = found.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (storedBytes > MAX_BYTES) throw mergeError('failed', TOO_LARGE);
  const key = `${runId} ${found.map(({ hash }) => hash).join()}`;
  return context.merges.join(key, signal, (stopped) => merge(context, runId, found, stopped));
};

const merge = async (
  context: Context,
  runId: number,
  found: readonly SizedBlobName[],
  signal: AbortSignal,
): Promise<Report> => {
  const { writer, blobs, queries, config } = context;
  const stagingDir = join(context.stagingDir, randomUUID());
  await mkdir(stagingDir);
  try {
    const files: string[] = [];
    for (const [index, name] of found.entries()) {
      signal.throwIfAborted();
      const copy = join(stagingDir, `shard-${index + 1}.zip`);
      await blobs.withFile(name, (file) => copyFile(file, copy));
      files.push(copy);
    }
    const merged = await mergeBlobReports({
      blobs: files,
      intoDir: stagingDir,
      timeoutMs: TIMEOUT_MS,
      maxMemoryMb: MAX_MEMORY_MB,
      maxUnpackedBytes: Math.min(config.archiveLimits.maxBytes, MAX_BYTES),
      signal,
    });
    signal.throwIfAborted();
    if (!merged.ok) throw mergeError(merged.code, merged.reason);
    const pages = await stageFolder(merged.htmlDir, join(stagingDir, 'staged'));
    const { report, orphans } = await withHeldBlobs(context, pages, (blobOf) =>
      writer.execute(fileCommands.addReport, {
        runId,
        report: {
          type: 'html',
          label: MERGED_REPORT_LABEL,
          entry: entryOf(
            'html',
            pages.map(({ path }) => path),
          ),
          files: pages.map(({ path, hash }) => ({ path, blob: blobOf(hash) })),
        },
      }),
    );
    await deleteUnreferenced(blobs, queries, orphans);
    return report;
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
};

const findBlobReports = async ({ queries }: Context, runId: number) => {
  const run = await queries.selectFrom('runs').select('id').where('id', '=', runId).executeTakeFirst();
  if (!run) throw runNotFound(runId);
  const files = await queries
    .selectFrom('reports')
    .innerJoin('report_files', (join) =>
      join
        .onRef('report_files.report_id', '=', 'reports.id')
        .onRef('report_files.project_id', '=', 'reports.project_id'),
    )
    .innerJoin('blobs', 'blobs.id', 'report_files.blob_id')
    .select(['blobs.hash', 'blobs.encoding', 'blobs.size', 'blobs.stored_size', 'report_files.path'])
    .where('reports.run_id', '=', runId)
    .where('reports.type', 'like', 'blob%')
    .orderBy('reports.id')
    .orderBy('report_files.path')
    .execute();
  const zips = files.filter(({ path }) => /\.zip$/i.test(path));
  if (zips.length === 0) throw new AppError('no_blob_reports', `Test run ${runId} has no blob reports to merge`);
  return zips.map(({ hash, encoding, size, stored_size }) => ({
    hash: Buffer.from(hash).toString('hex'),
    encoding,
    sizeBytes: size,
    storedBytes: stored_size,
  }));
};

const mergeError = (code: 'not_installed' | 'failed' | 'timed_out', reason: string): AppError =>
  code === 'not_installed'
    ? new AppError('merge_unavailable', `${reason} Install @playwright/test there to merge blob reports.`)
    : new AppError('merge_failed', `The blob reports could not be merged. ${reason}`);

const stageFolder = async (folder: string, into: string): Promise<(IncomingFile & { readonly path: string })[]> => {
  await mkdir(into);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const staged = [];
  let leftBytes = MAX_BYTES;
  for (const [index, entry] of entries.filter((one) => one.isFile()).entries()) {
    const source = join(entry.parentPath, entry.name);
    const path = relative(folder, source).replaceAll('\\', '/');
    const file = await stage(createReadStream(source), {
      file: join(into, String(index)),
      maxBytes: leftBytes,
      name: 'The merged report',
    });
    leftBytes -= file.sizeBytes;
    staged.push({ ...file, path, ...storageOf(path) });
  }
  return staged;
};
