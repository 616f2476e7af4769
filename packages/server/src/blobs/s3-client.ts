import { type S3ClientConfig, S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../errors.ts';
import type { S3Credentials, S3Location } from './s3-location.ts';

/** Throttling, 5xx and lost connections are tried again, with jitter and at most twenty seconds between. */
const ATTEMPTS = 6;
const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

export interface S3Patience {
  readonly attempts?: number;
  readonly idleMs?: number;
}

/** Sends one request; what fails is missing (`ENOENT`), or the store is away (`unavailable`). */
export type SendToS3 = S3Client['send'];

export interface S3Connection extends Pick<S3Location, 'bucket' | 'prefix'> {
  readonly send: SendToS3;
  readonly attempts: number;
  /** As they are now: those of a role change. */
  credentials(): Promise<S3Credentials>;
}

export const connectToS3 = (
  { bucket, prefix, endpoint, region, credentials }: S3Location,
  { attempts = ATTEMPTS, idleMs = IDLE_MS }: S3Patience = {},
): S3Connection => {
  const config: S3ClientConfig = {
    region,
    maxAttempts: attempts,
    retryMode: 'standard',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: idleMs },
    // Bodies are signed by their SHA-256; many servers know no further checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
  if (endpoint !== null) Object.assign(config, { endpoint, forcePathStyle: true });
  if (credentials !== null) config.credentials = credentials;
  const client = new S3Client(config);
  const send = (command: Parameters<SendToS3>[0]): Promise<unknown> =>
    client.send(command).catch((error: S3Error) => {
      throw explain(error);
    });
  return { bucket, prefix, attempts, send: send as SendToS3, credentials: () => client.config.credentials() };
};

interface S3Error extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const MISSING = new Set(['NoSuchKey', 'NotFound']);
/** What the operator has to mend. */
const REFUSED = new Set(['SignatureDoesNotMatch', 'InvalidAccessKeyId', 'InvalidToken', 'ExpiredToken']);

const explain = (error: S3Error): Error => {
  if (MISSING.has(error.name)) return Object.assign(new Error('There is no such object'), { code: 'ENOENT' });
  const what = error.name === 'Error' ? (error.code ?? error.message) : error.name;
  const message = REFUSED.has(what)
    ? `The file store refuses the credentials (${what}); check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and the region`
    : `The file store does not work: ${what}`;
  const away = new AppError('unavailable', message, undefined, RETRY_AFTER_SECONDS);
  return Object.assign(away, { cause: error });
};

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** What the store answered, of an error that `send` threw. */
export const answerOf = (error: unknown): { readonly name?: string; readonly status?: number } => {
  const { name, $metadata } = ((error as Error).cause ?? {}) as Partial<S3Error>;
  return { ...(name && { name }), ...($metadata?.httpStatusCode && { status: $metadata.httpStatusCode }) };
};
