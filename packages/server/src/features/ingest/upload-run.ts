import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { withHeldBlobs } from '../../blobs/with-held-blobs.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type ReceivedBody, discardBody } from '../../http/body.ts';
import { isCompressibleType } from '../files/content-type.ts';
import { NO_SIZE, type PictureSize, readPictureSize } from '../files/picture-size.ts';
import { defaultLabel, entryOf } from '../files/report-entry.ts';
import type { UploadedAttachment, UploadedFiles, UploadedReport, UploadedTrace } from '../files/store-files.ts';
import { type ReportFile, unpackReport } from '../files/take-in-report.ts';
import type { AddedFiles } from '../live/add-files.ts';
import { liveCommands } from '../live/commands.ts';
import { type UploadedRun, ingestCommands } from './commands.ts';
import {
  type ReceivedAttachment,
  type ReceivedFiles,
  type UploadOptions,
  receivePartFiles,
  receiveUpload,
} from './receive-upload.ts';

export interface UploadCall {
  readonly idempotencyKey: string | null;
  readonly readmit: () => Promise<void>;
}

/** Takes a run in with its files. */
export const uploadRun = (
  context: Context,
  request: IncomingMessage,
  { idempotencyKey, readmit }: UploadCall,
): Promise<UploadedRun> =>
  takeIn(
    context,
    (options) => receiveUpload(request, options),
    readmit,
    (upload, files) =>
      context.writer.execute(ingestCommands.uploadRun, {
        projectName: upload.projectName,
        testRun: upload.testRun,
        testCases: upload.testCases,
        idempotencyKey,
        ...files,
      }),
  );

/** Heartbeats that an upload in progress sends per quiet period. */
const BEATS = 4;

/** Receives files of a live run. Its part does not time out during the upload. */
export const uploadPartFiles = async (
  context: Context,
  request: IncomingMessage,
  { runId, readmit }: { readonly runId: number; readonly readmit: () => Promise<void> },
): Promise<AddedFiles> => {
  const { writer, config } = context;
  let beats: NodeJS.Timeout | undefined;
  const sendHeartbeat = async (partId: number): Promise<void> => {
    await writer.execute(liveCommands.touchPart, { runId, partId });
  };
  // A stalled upload is cut off, so one that is still open counts as a heartbeat.
  const onPart = async (partId: number): Promise<void> => {
    await sendHeartbeat(partId);
    beats = setInterval(() => void sendHeartbeat(partId).catch(() => undefined), config.runQuietMs / BEATS);
  };
  try {
    return await takeIn(
      context,
      (options) => receivePartFiles(request, options, onPart),
      readmit,
      ({ part }, files) => writer.execute(liveCommands.addFiles, { runId, partId: part, ...files }),
    );
  } finally {
    clearInterval(beats);
  }
};

/** Takes a form in: into staging, into the store under their hashes, and then named by one transaction. */
const takeIn = async <F extends ReceivedFiles, R>(
  context: Context,
  receive: (options: UploadOptions) => Promise<F>,
  readmit: () => Promise<void>,
  store: (form: F, files: UploadedFiles) => Promise<R>,
): Promise<R> => {
  const { config } = context;
  const stagingDir = join(context.stagingDir, randomUUID());
  const bodies: ReceivedBody[] = [];
  await mkdir(stagingDir);
  try {
    const form = await receive({
      stagingDir,
      stallMs: config.stallMs,
      maxWaitingBytes: config.maxWaitingBytes,
      onBody: (body) => bodies.push(body),
      maxUploadBytes: config.maxUploadBytes,
      maxFileBytes: config.maxFileBytes,
      maxTextBytes: config.maxBodyBytes,
    });
    const reports = await unpackReports(context, form, stagingDir);
    await readmit();
    const attachments = await withPictureSizes(form.attachments);
    const attachmentFiles = attachments.map(({ staged, contentType }) => ({
      ...staged,
      compressible: isCompressibleType(contentType),
    }));
    const traceFiles = form.traces.map(({ staged }) => ({ ...staged, compressible: false, readSoon: true }));
    const reportFiles = reports.flatMap(({ files }) => files.map(({ staged, ...file }) => ({ ...file, ...staged })));
    return await withHeldBlobs(context, [...traceFiles, ...attachmentFiles, ...reportFiles], (blobOf) =>
      store(form, {
        reports: reports.map(({ files, ...report }): UploadedReport => ({
          ...report,
          files: files.map(({ path, staged }) => ({ path, blob: blobOf(staged.hash) })),
        })),
        traces: form.traces.map(({ caseIndex, staged }): UploadedTrace => ({
          caseIndex,
          blob: blobOf(staged.hash),
        })),
        attachments: attachments.map(({ staged, ...attachment }): UploadedAttachment => ({
          ...attachment,
          blob: blobOf(staged.hash),
        })),
      }),
    );
  } finally {
    await Promise.all(bodies.map(discardBody));
    await rm(stagingDir, { recursive: true, force: true });
  }
};

/** Read before the files leave staging. */
const withPictureSizes = async (
  attachments: readonly ReceivedAttachment[],
): Promise<(ReceivedAttachment & PictureSize)[]> => {
  const sized: (ReceivedAttachment & PictureSize)[] = [];
  for (const attachment of attachments) {
    const isPicture = attachment.contentType.startsWith('image/');
    sized.push({ ...attachment, ...(isPicture ? await readPictureSize(attachment.staged.file) : NO_SIZE) });
  }
  return sized;
};

interface UnpackedReport extends Omit<UploadedReport, 'files'> {
  readonly files: readonly ReportFile[];
}

const unpackReports = async (
  context: Context,
  upload: ReceivedFiles,
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
