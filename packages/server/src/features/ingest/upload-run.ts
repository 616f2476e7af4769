import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { whileHeld } from '../../blobs/while-held.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { CommandReplies, UploadedReport, UploadedTrace } from '../../writer/work.ts';
import { defaultLabel, entryOf } from '../files/report-entry.ts';
import { type ReportFile, unpackReport } from '../files/take-in-report.ts';
import { type ReceivedUpload, receiveUpload } from './receive-upload.ts';

/** Takes a run in with its files: into staging, into the store under their hashes, and then named by one transaction. */
export const uploadRun = async (
  context: Context,
  request: IncomingMessage,
  { idempotencyKey, readmit }: { idempotencyKey: string | null; readmit: () => Promise<void> },
): Promise<CommandReplies['uploadRun']> => {
  const { config, buffers, writer } = context;
  const stagingDir = join(context.stagingDir, randomUUID());
  await mkdir(stagingDir);
  try {
    const upload = await receiveUpload(request, {
      stagingDir,
      buffers,
      stallMs: config.stallMs,
      maxUploadBytes: config.maxUploadBytes,
      maxFileBytes: config.maxFileBytes,
      maxTextBytes: config.maxBodyBytes,
    });
    const reports = await unpackReports(context, upload, stagingDir);
    await readmit();
    const traceFiles = upload.traces.map(({ staged }) => ({ ...staged, compressible: false }));
    const reportFiles = reports.flatMap(({ files }) => files.map(({ staged, ...file }) => ({ ...file, ...staged })));
    return await whileHeld(context, [...traceFiles, ...reportFiles], (blobOf) =>
      writer.execute({
        kind: 'uploadRun',
        projectName: upload.projectName,
        testRun: upload.testRun,
        testCases: upload.testCases,
        idempotencyKey,
        reports: reports.map(({ files, ...report }): UploadedReport => ({
          ...report,
          files: files.map(({ path, staged }) => ({ path, blob: blobOf(staged.hash) })),
        })),
        traces: upload.traces.map(({ caseIndex, staged }): UploadedTrace => ({
          caseIndex,
          blob: blobOf(staged.hash),
        })),
      }),
    );
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
};

interface UnpackedReport extends Omit<UploadedReport, 'files'> {
  readonly files: readonly ReportFile[];
}

const unpackReports = async (
  context: Context,
  upload: ReceivedUpload,
  stagingDir: string,
): Promise<UnpackedReport[]> => {
  const reports: UnpackedReport[] = [];
  for (const report of upload.reports) {
    const files = await unpackReport(report, { ...context, stagingDir }).catch((error: unknown) => {
      throw atPart(report.name, error);
    });
    const paths = files.map(({ path }) => path);
    reports.push({
      type: report.type,
      label: report.label ?? defaultLabel(report.type),
      entry: entryOf(report.type, paths),
      files,
    });
  }
  return reports;
};

/** An error that says which part it is about. */
const atPart = (name: string, error: unknown): unknown =>
  error instanceof AppError
    ? new AppError(error.code, `${name}: ${error.message}`, [{ path: `/${name}`, message: error.message }])
    : error;
