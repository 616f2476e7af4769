import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { MOST_QUERIED_RESULTS } from '@assay/contract';
import type { ArchiveLimits } from './archives/limits.ts';
import { type S3Location, readS3Url, redirectOf } from './blobs/s3-location.ts';
import { shareOf } from './memory-share.ts';
import { OperatorError } from './operator-error.ts';
import { findUnknownSetting } from './unknown-setting.ts';
import type { StartWriterThread } from './writer/thread.ts';

/** The settings of the service, read once from the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Of a PostgreSQL server; null for SQLite in the data folder. */
  readonly databaseUrl: string | null;
  /** Where files are kept; null is the data folder. */
  readonly s3: S3Location | null;
  /** Largest body of a submission. */
  readonly maxBodyBytes: number;
  /** All bodies of submissions that wait to be stored. */
  readonly maxWaitingBytes: number;
  /** Largest part of an upload, and all of one. */
  readonly maxFileBytes: number;
  readonly maxUploadBytes: number;
  readonly archiveLimits: ArchiveLimits;
  readonly authEnabled: boolean;
  /** The first seals sessions; the others, from before, still open theirs. */
  readonly authSecrets: readonly string[];
  /** The work factor of scrypt: N = 2^cost. */
  readonly passwordCost: number;
  /** More than so many passwords that wait to be hashed are refused. */
  readonly mostWaitingPasswords: number;
  /** Whose word is taken for where a request comes from. */
  readonly trustProxy: boolean | number | string;
  /** Further host names that requests may name; `*` is any. */
  readonly allowedHosts: readonly string[];
  /** How long entries of the audit log are kept; 0 is for ever. */
  readonly auditRetentionDays: number;
  /** Where people reach the service; null when it is not said. */
  readonly publicUrl: string | null;
  /** Another host name for the service, from which reports are served without a sandbox. */
  readonly reportsUrl: string | null;
  /** How long a client may send nothing of a body that it has begun. */
  readonly stallMs: number;
  /** How long `/readyz` says no before the service stops, so that load balancers send requests elsewhere. */
  readonly drainMs: number;
  /** How long clients have to finish when the service stops. */
  readonly stopMs: number;
  /** How long a run that is being sent may be silent before it is closed. */
  readonly runQuietMs: number;
  /** From which age on results of runs are kept in the file store; 0 is never. */
  readonly moveAfterDays: number;
  /** How often it is asked whether something is beyond retention, or old enough to move. */
  readonly retentionCheckMs: number;
  /** Decoded segments kept in memory. */
  readonly segmentCacheBytes: number;
  /** Finished answers kept in memory. */
  readonly answerCacheBytes: number;
  /** Of the newest runs, and of the newest tests, in a search that finds too few. */
  readonly mostSearched: number;
  /** Results that one query looks at. */
  readonly mostQueried: number;
  /** How long no run must have come before outlines are made of those that have none. */
  readonly outlineQuietMs: number;
  /** Disk space kept for deleting on a full disk, at most. */
  readonly reserveBytes: number;
  /** Where the built web interface is; null looks beside the service. */
  readonly webDir: string | null;
  readonly corsOrigins: readonly string[];
  readonly logLevel: LogLevel;
  /** For a process of many services, which may use the thread of one that has stopped for the next. */
  readonly startWriterThread?: StartWriterThread;
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MIB = 1024 * 1024;
const RESERVE_MB = 16;
const MAX_ARCHIVE_ENTRIES = 100_000;
const MAX_ARCHIVE_RATIO = 200;
const SHORTEST_SECRET = 32;
const PASSWORD_COST = 15;
const SECRETS = ['SERVICE_AUTH_SECRET', 'SERVICE_AUTH_SECRET_PREVIOUS', 'SERVICE_DATABASE_URL'];

export class ConfigError extends OperatorError {
  override name = 'ConfigError';
}

/** Throws a ConfigError, whose message is one line, at the first setting that cannot be used. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const known = new Set(SECRETS.flatMap((name) => [name, `${name}_FILE`]));
  const text = (name: string, fallback: string): string => {
    known.add(name);
    return environment[name]?.trim() || fallback;
  };
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const given = text(name, String(fallback));
    const value = Number(given);
    if (!/^\d+$/.test(given) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${given}"`);
    }
    return value;
  };
  /** A secret may be in a file, which neither a list of processes nor a crash report shows. */
  const secret = (name: string): Secret => {
    const file = text(`${name}_FILE`, '');
    if (file === '') return { setting: name, value: text(name, '') };
    if (text(name, '') !== '') throw new ConfigError(`${name} and ${name}_FILE are both set; set one of them`);
    try {
      return { setting: `${name}_FILE`, value: readFileSync(file, 'utf8').trim() };
    } catch (error) {
      throw new ConfigError(`${name}_FILE cannot be read: ${(error as Error).message}`);
    }
  };
  const choice = <T extends string>(name: string, choices: readonly T[], fallback: T): T => {
    const given = text(name, fallback);
    const found = choices.find((one) => one === given);
    if (found === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${given}"`);
    return found;
  };

  const authEnabled = choice('SERVICE_AUTH_ENABLED', ['true', 'false'], 'false') === 'true';
  const maxFileBytes = integer('SERVICE_MAX_FILE_MB', 1024, 1, 1_048_576) * MIB;
  const publicUrl = readOrigin('SERVICE_PUBLIC_URL', text('SERVICE_PUBLIC_URL', ''));
  const reportsUrl = readOrigin('SERVICE_REPORTS_URL', text('SERVICE_REPORTS_URL', ''));
  if (reportsUrl !== null) requireOtherHost(reportsUrl, publicUrl);
  const config: Config = {
    // Without authentication only this machine reaches it, unless its operator says otherwise.
    host: text('HOST', authEnabled ? '0.0.0.0' : '127.0.0.1'),
    port: integer('PORT', 3000, 0, 65_535),
    dataDir: resolve(text('SERVICE_DATA_DIR', '.data')),
    databaseUrl: readDatabaseUrl(secret('SERVICE_DATABASE_URL')),
    s3: readFilesUrl(text('SERVICE_FILES_URL', ''), text('AWS_REGION', 'us-east-1'), secret),
    maxBodyBytes: integer('SERVICE_MAX_BODY_MB', 64, 1, 512) * MIB,
    maxWaitingBytes: integer('SERVICE_MAX_WAITING_MB', 1_024, 1, 1_048_576) * MIB,
    maxFileBytes,
    maxUploadBytes: integer('SERVICE_MAX_UPLOAD_MB', 4096, 1, 1_048_576) * MIB,
    archiveLimits: {
      maxEntries: MAX_ARCHIVE_ENTRIES,
      maxBytes: integer('SERVICE_MAX_UNPACKED_MB', 4096, 1, 1_048_576) * MIB,
      maxFileBytes,
      maxRatio: MAX_ARCHIVE_RATIO,
    },
    authEnabled,
    authSecrets: authEnabled ? readAuthSecrets(secret) : [],
    passwordCost: PASSWORD_COST,
    mostWaitingPasswords: 64,
    mostSearched: 200_000,
    mostQueried: MOST_QUERIED_RESULTS,
    outlineQuietMs: 5_000,
    trustProxy: readTrustProxy(text('SERVICE_TRUST_PROXY', 'false')),
    allowedHosts: listOf(text('SERVICE_ALLOWED_HOSTS', '')).map(checkHostName),
    moveAfterDays: integer('SERVICE_MOVE_RESULTS_DAYS', 0, 0, 36_500),
    // More often than it is due: the hour may have begun in a process that is gone.
    retentionCheckMs: 10 * 60_000,
    auditRetentionDays: integer('SERVICE_AUDIT_RETENTION_DAYS', 365, 0, 36_500),
    publicUrl,
    reportsUrl,
    runQuietMs: integer('SERVICE_RUN_QUIET_MINUTES', 10, 1, 1_440) * 60_000,
    drainMs: integer('SERVICE_DRAIN_SECONDS', 0, 0, 3_600) * 1000,
    stopMs: integer('SERVICE_STOP_SECONDS', 8, 1, 3_600) * 1000,
    stallMs: integer('SERVICE_STALL_SECONDS', 30, 1, 3_600) * 1000,
    segmentCacheBytes: integer('SERVICE_SEGMENT_CACHE_MB', shareOf(64), 0, 65_536) * MIB,
    answerCacheBytes: integer('SERVICE_ANSWER_CACHE_MB', shareOf(16), 0, 65_536) * MIB,
    reserveBytes: RESERVE_MB * MIB,
    webDir: null,
    corsOrigins: listOf(text('SERVICE_CORS_ORIGINS', '')).map(checkOrigin),
    logLevel: choice('SERVICE_LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  const unknown = findUnknownSetting(Object.keys(environment), known);
  if (unknown !== null) throw new ConfigError(unknown);
  return config;
};

/** Its message does not repeat the address, which has a password in it. */
const readDatabaseUrl = ({ setting, value }: Secret): string | null => {
  if (value === '') return null;
  const url = URL.parse(value);
  if (url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && url.hostname !== '') return value;
  throw new ConfigError(`${setting} must be an address such as postgres://user:password@host:5432/assay`);
};

const listOf = (given: string): string[] =>
  given
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

const readAuthSecrets = (secret: (name: string) => Secret): string[] => {
  const current = secret('SERVICE_AUTH_SECRET');
  if (current.value.length < SHORTEST_SECRET) {
    throw new ConfigError(
      `SERVICE_AUTH_ENABLED needs ${current.setting}, a random text of at least ${SHORTEST_SECRET} characters; make one with: openssl rand -hex 32`,
    );
  }
  const previous = secret('SERVICE_AUTH_SECRET_PREVIOUS');
  if (previous.value === '') return [current.value];
  if (previous.value.length < SHORTEST_SECRET) {
    throw new ConfigError(`${previous.setting} must have at least ${SHORTEST_SECRET} characters`);
  }
  return [current.value, previous.value];
};

const readFilesUrl = (given: string, region: string, secret: (name: string) => Secret): S3Location | null => {
  if (given === '') return null;
  const location = readS3Url(given);
  if (location === null) {
    throw new ConfigError(
      'SERVICE_FILES_URL must be s3://bucket/prefix, with ?region= or ?endpoint= and &region= where they are needed, and without credentials: these are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    );
  }
  const [id, key] = [secret('AWS_ACCESS_KEY_ID'), secret('AWS_SECRET_ACCESS_KEY')];
  if ((id.value === '') !== (key.value === '')) {
    throw new ConfigError(`${id.value === '' ? key.setting : id.setting} is set without its other half`);
  }
  const sessionToken = secret('AWS_SESSION_TOKEN').value;
  const credentials = { accessKeyId: id.value, secretAccessKey: key.value, ...(sessionToken && { sessionToken }) };
  const { redirect, ...place } = { region, ...location };
  const redirectTo = redirectOf(redirect, place.endpoint, place.region);
  if (redirect !== undefined && redirectTo === null) {
    throw new ConfigError(
      'SERVICE_FILES_URL has redirect=true, but its endpoint has a path: clients cannot read from it',
    );
  }
  return { ...place, credentials: id.value === '' ? null : credentials, redirectTo };
};

/** With the name of the setting that has it. */
interface Secret {
  readonly setting: string;
  readonly value: string;
}

const readTrustProxy = (given: string): boolean | number | string => {
  if (given === 'true' || given === 'false') return given === 'true';
  if (/^\d{1,2}$/.test(given)) return Number(given);
  const addresses = given.split(',').map((address) => address.trim());
  if (addresses.every((one) => NAMED_NETWORKS.has(one) || isAddressOrNetwork(one))) return addresses.join(',');
  throw new ConfigError(
    `SERVICE_TRUST_PROXY must be true, false, how many proxies there are, or their addresses (such as loopback,10.0.0.0/8), not "${given}"`,
  );
};

/** As Fastify knows them: this machine, `169.254.0.0/16` and its like, and private networks. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

const isAddressOrNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  const maxBits = version === 4 ? 32 : 128;
  return (
    version !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  );
};

const readOrigin = (name: string, given: string): string | null => {
  if (given === '') return null;
  const url = URL.parse(given);
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href) return url.origin;
  throw new ConfigError(`${name} must be an address such as https://assay.example.org, without a path, not "${given}"`);
};

/** Cookies ignore ports: only another name keeps reports from the session. */
const requireOtherHost = (reportsUrl: string, publicUrl: string | null): void => {
  if (publicUrl === null) throw new ConfigError('SERVICE_REPORTS_URL needs SERVICE_PUBLIC_URL beside it');
  if (new URL(reportsUrl).hostname === new URL(publicUrl).hostname) {
    throw new ConfigError(
      `SERVICE_REPORTS_URL must have another host name than SERVICE_PUBLIC_URL, not "${reportsUrl}"`,
    );
  }
};

const checkHostName = (given: string): string => {
  const name = given.toLowerCase();
  if (name === '*' || URL.parse(`http://${name}/`)?.hostname === name) return name;
  throw new ConfigError(
    `SERVICE_ALLOWED_HOSTS must list host names such as assay.example.org, without ports, or be *, not "${given}"`,
  );
};

const checkOrigin = (origin: string): string => {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin) {
    throw new ConfigError(`SERVICE_CORS_ORIGINS must list origins such as https://example.org, not "${origin}"`);
  }
  return origin;
};
