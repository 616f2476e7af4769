import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Issue, MAX_SHARDS, projectNameIssue } from '@assay/contract';
import { stage } from '../../blobs/stage.ts';
import { withHeldBlobs } from '../../blobs/with-held-blobs.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { discardBody, receiveBody, whileWaiting } from '../../http/body.ts';
import { MULTIPART, readForm } from '../../http/form.ts';
import type { ArrivedFile, PartRead } from '../../importing/read-report-files.ts';
import { refusal } from '../../validation.ts';
import { attachmentName, attachmentType } from '../files/attachment.ts';
import { isCompressibleType } from '../files/content-type.ts';
import { NO_SIZE, type PictureSize, readPictureSize } from '../files/picture-size.ts';
import { defaultLabel } from '../files/report-entry.ts';
import { type ImportedRun, importCommands } from './commands.ts';

export interface ImportSettings {
  readonly projectName: string;
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly defaultBranch?: string | undefined;
  readonly runKey?: string | undefined;
  readonly shard?: string | undefined;
  readonly attempt?: number | undefined;
  readonly root?: string | undefined;
  readonly incomplete?: boolean | undefined;
}

interface ImportCall {
  readonly settings: ImportSettings;
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal;
  readonly readmit: () => Promise<void>;
}

export interface ImportedReports extends ImportedRun {
  readonly formats: readonly { readonly format: string; readonly files: number }[];
  readonly warnings: readonly string[];
}

/** Reads the files of a request into staging, has them read in a process of their own, and stores all that they say at once. */
export const importReports = async (
  context: Context,
  request: IncomingMessage,
  { settings, idempotencyKey, signal, readmit }: ImportCall,
): Promise<ImportedReports> => {
  const shard = readShard(settings);
  const stagingDir = join(context.stagingDir, randomUUID());
  const intoDir = join(stagingDir, 'read');
  await mkdir(intoDir, { recursive: true });
  try {
    const files = await receiveFiles(request, stagingDir, context.config);
    const {
      projectName,
      branch,
      commit,
      defaultBranch,
      attempt,
      runKey = null,
      root = '',
      incomplete = false,
    } = settings;
    const told = { projectName, branch, commit, defaultBranch, attempt };
    const task = { files, intoDir, limits: context.config.archiveLimits, told, shard, runKey, root, incomplete };
    const { parts: read, formats, warnings } = await context.reportReader.read(task, signal);
    const parts = await Promise.all(read.map(describeAttachments));
    await readmit();
    const bodies = parts.map(({ testCases }) => testCases);
    refuseTooLarge(bodies, context.config);
    const stored = await whileWaiting(bodies, context.config.maxWaitingBytes, () =>
      storeParts(context, { projectName, idempotencyKey }, parts),
    );
    return { ...stored, formats, warnings };
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
};

/** As many results as one submission may send. */
const refuseTooLarge = (bodies: readonly { readonly sizeBytes: number }[], { maxBodyBytes }: Config): void => {
  if (bodies.every(({ sizeBytes }) => sizeBytes <= maxBodyBytes)) return;
  const message = `the results of one run, or of one of its shards, must not have more than ${maxBodyBytes} bytes as JSON`;
  throw new AppError('body_too_large', `Nothing was imported: ${message}`, [{ path: '', message }]);
};

type SizedPart = Omit<PartRead, 'attachments'> & {
  readonly attachments: readonly (PartRead['attachments'][number] & PictureSize)[];
};

/** Names and types as those of an upload; sizes of pictures are read before their files leave staging. */
const describeAttachments = async (part: PartRead): Promise<SizedPart> => {
  const attachments: SizedPart['attachments'][number][] = [];
  for (const attachment of part.attachments) {
    const name = attachmentName(attachment.name.replaceAll(/[/\\]/g, '_'));
    const contentType = attachmentType(attachment.contentType, name);
    const size = contentType.startsWith('image/') ? await readPictureSize(attachment.file) : NO_SIZE;
    attachments.push({ ...attachment, name, contentType, ...size });
  }
  return { ...part, attachments };
};

const storeParts = (
  context: Context,
  { projectName, idempotencyKey }: Pick<ImportSettings, 'projectName'> & Pick<ImportCall, 'idempotencyKey'>,
  parts: readonly SizedPart[],
): Promise<ImportedRun> => {
  const staged = parts.flatMap(({ traces, attachments, blob }) => [
    ...traces.map((file) => ({ ...file, compressible: false, readSoon: true })),
    ...(blob ? [{ ...blob, compressible: false }] : []),
    ...attachments.map((file) => ({ ...file, compressible: isCompressibleType(file.contentType) })),
  ]);
  return withHeldBlobs(context, staged, (blobOf) =>
    context.writer.execute(importCommands.importRun, {
      projectName,
      idempotencyKey,
      parts: parts.map(({ testRun, testCases, traces, attachments, blob }) => ({
        testRun,
        testCases,
        traces: traces.map(({ caseIndex, hash }) => ({ caseIndex, blob: blobOf(hash) })),
        attachments: attachments.map(({ hash, file, sizeBytes, ...attachment }) => ({
          ...attachment,
          blob: blobOf(hash),
        })),
        reports: blob ? [blobReport(blobOf(blob.hash))] : [],
      })),
    }),
  );
};

const BLOB_FILE = 'report.zip';

const blobReport = <B>(blob: B) => ({
  type: 'blob',
  label: defaultLabel('blob'),
  entry: BLOB_FILE,
  files: [{ path: BLOB_FILE, blob }],
});

/** Throws what the schema of the query cannot say. */
const readShard = ({ projectName, runKey, shard }: ImportSettings): { index: number; total: number } | null => {
  const issues: Issue[] = [];
  const nameIssue = projectNameIssue(projectName.trim());
  if (nameIssue) issues.push({ path: '/projectName', message: nameIssue });
  const [index = 0, total = 0] = shard?.split('/').map(Number) ?? [];
  if (index > total || total > MAX_SHARDS) {
    issues.push({ path: '/shard', message: `must be such as 1/3, with at most ${MAX_SHARDS} shards` });
  }
  if (shard !== undefined && runKey === undefined) {
    issues.push({ path: '/runKey', message: 'is required with shard: it names the run that the shards make' });
  }
  if (issues.length > 0) throw refusal('invalid_query', issues);
  return shard === undefined ? null : { index, total };
};

const LONGEST_NAME = 200;

/** One file as the body, or each part of a form. */
const receiveFiles = async (request: IncomingMessage, dir: string, config: Config): Promise<ArrivedFile[]> => {
  const files: ArrivedFile[] = [];
  if (!MULTIPART.test(request.headers['content-type'] ?? '')) {
    const file = join(dir, 'body');
    await receiveFile(request, file, config);
    return [{ file, name: 'The body' }];
  }
  await readForm(request, {
    maxBytes: config.maxUploadBytes,
    stallMs: config.stallMs,
    keepFolders: true,
    async take({ name, fileName, content }) {
      const shown = (fileName || name)
        .replaceAll('\\', '/')
        .slice(-LONGEST_NAME)
        .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
      const file = join(dir, `part-${files.length}`);
      files.push({ file, name: shown });
      await stage(content, { file, maxBytes: config.maxFileBytes, name: shown });
    },
  });
  if (files.length === 0) throw refusal('invalid_body', [{ path: '', message: 'must have at least one file' }]);
  return files;
};

const receiveFile = async (request: IncomingMessage, file: string, config: Config): Promise<void> => {
  const { maxFileBytes: maxBytes, maxWaitingBytes, stallMs } = config;
  const body = await receiveBody(request, { maxBytes, maxWaitingBytes, stallMs, stagingDir: join(file, '..') });
  try {
    if ('file' in body) await rename(body.file, file);
    else await writeFile(file, body.bytes);
  } finally {
    await discardBody(body);
  }
};
