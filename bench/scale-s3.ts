import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { S3Location } from '../packages/server/src/blobs/s3-location.ts';
import { type Row, megabytes, percentile, times } from './figures.ts';
import { startHelper } from './helper-process.ts';
import { settledRss, timed, watchRss } from './measuring.ts';
import { type PostgresOptions, startReplicas } from './scale-postgres.ts';
import { type BenchService, startBenchService } from './service.ts';
import { runTexts, upload } from './upload-client.ts';

const MB = 1024 ** 2;
/** The first is not counted. */
const ROUNDS = 5;
const CLIENTS = 4;
/** That each client sends one after the other. */
const FILES = 4;
const FILE_MB = 32;
const PART_BYTES = 8 * MB;
const PARTS_AT_ONCE = 4;
const LEAST_SHARE = 0.8;
const GROWTH_LIMIT_MB = 128;
const IDLE_LIMIT_MB = 150;

/**
 * Uploads through the service, in turns with the same files sent by the SDK. Who goes second has to do with what the first
 * left behind in the S3 server and in this process, so that they take turns in that too.
 */
export const s3Rows = async (
  { built, workDir }: Pick<PostgresOptions, 'built' | 'workDir'>,
  amount: (full: number) => number,
): Promise<Row[]> => {
  const fileBytes = Math.max(PART_BYTES, amount(FILE_MB) * MB);
  const stored: number[] = [];
  const sent: number[] = [];
  let growth = 0;
  await withS3(async (location, environment) => {
    const service = await startBenchService({ entry: built, workDir, environment });
    try {
      const before = await settledRss(service, 2_000);
      const peak = watchRss(service);
      for (let round = 0; round < ROUNDS; round++) {
        const files = Array.from({ length: CLIENTS }, (_, client) =>
          Array.from({ length: FILES }, (_, index) => {
            const path = join(workDir, `upload-${round}-${client}-${index}`);
            writeFileSync(path, randomBytes(fileBytes));
            return path;
          }),
        );
        const turns = [
          { rates: sent, send: () => sendAll(location, files, fileBytes) },
          { rates: stored, send: () => uploadAll(service, files) },
        ];
        for (const { rates, send } of round % 2 === 0 ? turns : turns.reverse()) {
          const seconds = await timed(send);
          if (round > 0) rates.push((CLIENTS * FILES * fileBytes) / seconds);
        }
        for (const path of files.flat()) rmSync(path);
      }
      growth = peak.stop() - before;
    } finally {
      await service.stop();
    }
  });
  const ratio = percentile(stored, 50) / percentile(sent, 50);
  const files = `${CLIENTS} clients with ${FILES} files of ${megabytes(fileBytes)} each`;
  return [
    { what: `${files}, sent by the SDK alone`, measured: `${megabytes(percentile(sent, 50))}/s` },
    {
      what: `${files}, uploaded to the service`,
      measured: `${megabytes(percentile(stored, 50))}/s = ${times(ratio)}`,
      limit: `at least ${LEAST_SHARE} ×`,
      ok: ratio >= LEAST_SHARE,
    },
    {
      what: 'Growth of RSS meanwhile',
      measured: megabytes(growth),
      limit: `${GROWTH_LIMIT_MB} MB`,
      ok: growth <= GROWTH_LIMIT_MB * MB,
    },
  ];
};

/** A replica with its database and files elsewhere, that nobody asks for anything. */
export const idleReplicaRows = (options: PostgresOptions): Promise<Row[]> =>
  withS3(async (_location, environment) => {
    const database = await options.postgres.createDatabase('idle');
    const [replica] = await startReplicas(options, database, 1, environment);
    try {
      const bytes = await settledRss(replica!);
      return [
        {
          what: 'RSS of an idle replica on PostgreSQL and S3',
          measured: megabytes(bytes),
          limit: `${IDLE_LIMIT_MB} MB`,
          ok: bytes <= IDLE_LIMIT_MB * MB,
        },
      ];
    } finally {
      await replica!.stop();
    }
  });

const withS3 = async <T>(
  work: (location: S3Location, environment: Record<string, string>) => Promise<T>,
): Promise<T> => {
  const server = await startHelper<S3Location>('s3-server.ts');
  const location = server.told;
  const { bucket, endpoint, region, credentials } = location;
  try {
    return await work(location, {
      SERVICE_FILES_URL: `s3://${bucket}/bench?endpoint=${encodeURIComponent(endpoint!)}&region=${region}`,
      AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    });
  } finally {
    await server.stop();
  }
};

const forEachClient = async (
  files: readonly (readonly string[])[],
  send: (file: string) => Promise<unknown>,
): Promise<void> => {
  await Promise.all(
    files.map(async (one) => {
      for (const file of one) await send(file);
    }),
  );
};

const uploadAll = ({ url }: BenchService, files: readonly (readonly string[])[]): Promise<void> =>
  forEachClient(files, (file) =>
    upload(`${url}/api/test-runs/upload`, [
      ...runTexts('s3', 1),
      { name: 'trace_0', fileName: 'trace.zip', content: { file } },
    ]),
  );

const sendAll = async (location: S3Location, files: readonly (readonly string[])[], bytes: number): Promise<void> => {
  const { region, endpoint, credentials } = location;
  const client = new S3Client({
    region,
    endpoint: endpoint!,
    credentials: credentials!,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  await forEachClient(files, (file) => sendInParts(client, location, file, bytes));
  client.destroy();
};

const sendInParts = async (client: S3Client, { bucket }: S3Location, path: string, bytes: number): Promise<void> => {
  const at = { Bucket: bucket, Key: `alone${path}` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
  const file = await open(path);
  const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
  let next = 0;
  const sendNext = async (): Promise<void> => {
    while (next * PART_BYTES < bytes) {
      const index = next++;
      const Body = await readPart(file, index, bytes);
      const PartNumber = index + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }));
      Parts[index] = { PartNumber, ETag };
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, sendNext));
  await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
  await file.close();
};

const readPart = async (file: FileHandle, index: number, bytes: number): Promise<Buffer> => {
  const length = Math.min(PART_BYTES, bytes - index * PART_BYTES);
  const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, index * PART_BYTES);
  return buffer;
};
