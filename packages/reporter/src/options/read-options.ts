import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { MAX_ATTACHMENTS_PER_CASE } from '@assay/contract/limits';
import { type AttachmentRules, DEFAULT_ATTACHMENT_RULES } from '@assay/import/attachments';
import { MAX_GIVEN_BYTES, jsonBytes } from '../delivery/metadata.ts';
import type { Environment } from '../environment.ts';
import type { Credentials, GivenOptions, Options } from './options.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 3_600_000;
const DEFAULT_SPOOL_MB = 1_024;
const MAX_SPOOL_MB = 1_048_576;
const MAX_ATTACHMENTS_MB = 1_048_576;
const MAX_NAME = 200;

export type OptionsRead =
  | { readonly ok: true; readonly options: Options; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What a caller does without; a run always needs both. */
export interface Needs {
  readonly serverUrl?: boolean;
  readonly projectName: boolean;
}

/** What is given wins over the environment. Every mistake is one sentence that says what to do. */
export const readOptions = (
  given: GivenOptions,
  env: Environment,
  needs: Needs = { projectName: true },
): OptionsRead => {
  const problems: string[] = [];
  const notes: string[] = [];
  const from = sourceOf(given, env, problems);
  const serverUrl = readServerUrl(from.text('serverUrl', 'ASSAY_URL'), needs.serverUrl ?? true, problems);
  const projectName = from.text('projectName', 'ASSAY_PROJECT') ?? '';
  if (needs.projectName && projectName === '' && typeof (given.projectName ?? '') === 'string') {
    problems.push('no project: set projectName or ASSAY_PROJECT');
  }
  if (projectName.length > MAX_NAME) problems.push(`projectName must be at most ${MAX_NAME} characters`);
  const options: Options = {
    serverUrl,
    projectName,
    credentials: readCredentials(from, problems),
    uploadReports: from.flag('uploadReports', 'ASSAY_UPLOAD_REPORTS') ?? true,
    uploadTraces: from.flag('uploadTraces', 'ASSAY_UPLOAD_TRACES') ?? true,
    attachments: readAttachmentRules(from, problems),
    labels: readLabels(given.labels, env['ASSAY_LABELS'], problems),
    runKey: from.text('runKey', 'ASSAY_RUN_KEY') ?? null,
    // GitLab and others name the environment that a job deploys to.
    environment:
      (from.text('environment', 'ASSAY_ENVIRONMENT') ?? env['CI_ENVIRONMENT_NAME'])?.slice(0, MAX_NAME) || null,
    metadata: withoutTooMuch(readMetadata(given.metadata, env['ASSAY_METADATA'], problems), notes),
    timeoutMs: from.number('timeoutMs', 'ASSAY_TIMEOUT_MS', MAX_TIMEOUT_MS) ?? DEFAULT_TIMEOUT_MS,
    live: from.flag('live', 'ASSAY_LIVE') ?? true,
    commits: from.flag('commits', 'ASSAY_COMMITS') ?? true,
    rootDir: readRoot(from.text('rootDir', 'ASSAY_ROOT')),
    spoolDir: from.text('spoolDir', 'ASSAY_SPOOL_DIR') ?? defaultSpoolDir(env),
    spoolMaxBytes: (from.number('spoolMaxMb', 'ASSAY_SPOOL_MAX_MB', MAX_SPOOL_MB) ?? DEFAULT_SPOOL_MB) * 1024 * 1024,
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, options, notes };
};

interface Source {
  text(name: keyof GivenOptions, variable: string): string | undefined;
  flag(name: keyof GivenOptions, variable: string): boolean | undefined;
  /** Of at least 1. */
  number(name: keyof GivenOptions, variable: string, max: number): number | undefined;
}

/** An empty text counts as none: CI systems set variables of secrets that are not there to it. */
const sourceOf = (given: GivenOptions, env: Environment, problems: string[]): Source => ({
  text(name, variable) {
    const value: unknown = given[name] ?? env[variable];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
    // Its value may be a secret.
    problems.push(`${name} must be a string, not ${typeof value}`);
    return undefined;
  },
  flag(name, variable) {
    const value: unknown = given[name];
    if (typeof value === 'boolean') return value;
    if (value !== undefined && value !== null) {
      problems.push(`${name} must be true or false, but is ${JSON.stringify(value)}`);
      return undefined;
    }
    const text = env[variable]?.trim().toLowerCase();
    if (!text) return undefined;
    if (['true', '1', 'yes', 'on'].includes(text)) return true;
    if (['false', '0', 'no', 'off'].includes(text)) return false;
    problems.push(`${variable} must be true or false, but is "${text}"`);
    return undefined;
  },
  number(name, variable, max) {
    const text = env[variable]?.trim();
    const value: unknown = given[name] ?? (text ? Number(text) : undefined);
    if (value === undefined || (typeof value === 'number' && value >= 1 && value <= max)) return value;
    problems.push(`${name} must be a number from 1 to ${max}, but is ${JSON.stringify(given[name] ?? text)}`);
    return undefined;
  },
});

const readAttachmentRules = (from: Source, problems: string[]): AttachmentRules => {
  const { wanted, perTest, fileBytes, runBytes } = DEFAULT_ATTACHMENT_RULES;
  const megabytes = (name: keyof GivenOptions, variable: string): number | undefined => {
    const given = from.number(name, variable, MAX_ATTACHMENTS_MB);
    return given === undefined ? undefined : given * 1024 * 1024;
  };
  const asked = from.text('attachments', 'ASSAY_ATTACHMENTS');
  if (asked !== undefined && !isWanted(asked)) {
    problems.push(`attachments must be all, failed or off, but is "${asked}"`);
  }
  return {
    wanted: asked !== undefined && isWanted(asked) ? asked : wanted,
    perTest:
      from.number('maxAttachmentsPerTest', 'ASSAY_MAX_ATTACHMENTS_PER_TEST', MAX_ATTACHMENTS_PER_CASE) ?? perTest,
    fileBytes: megabytes('maxAttachmentMb', 'ASSAY_MAX_ATTACHMENT_MB') ?? fileBytes,
    runBytes: megabytes('maxAttachmentsMbPerRun', 'ASSAY_MAX_ATTACHMENTS_MB_PER_RUN') ?? runBytes,
  };
};

const isWanted = (text: string): text is AttachmentRules['wanted'] => /^(?:all|failed|off)$/.test(text);

const readServerUrl = (text: string | undefined, isNeeded: boolean, problems: string[]): string => {
  if (text === undefined) {
    if (isNeeded) problems.push('no server: set serverUrl or ASSAY_URL, such as https://assay.example.org');
    return '';
  }
  const url = parseUrl(text);
  const isPlain = url !== null && `${url.username}${url.password}${url.search}` === '';
  if (isPlain && (url.protocol === 'http:' || url.protocol === 'https:')) {
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  }
  problems.push(`serverUrl must be a URL such as https://assay.example.org, but is ${shownAddress(text)}`);
  return '';
};

/** Scheme and host: whatever else is in an address may be a secret. */
const shownAddress = (text: string): string => {
  const url = parseUrl(text);
  const isWebAddress = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (isWebAddress) return `"${url.origin}" with a user name, password or query, which it must not have`;
  if (url !== null && url.host !== '') return `"${url.protocol}//${url.host}"`;
  const host = /^(?:https?:\/\/)?[\w.-]+(?::\d{1,5})?(?=\/|$)/i.exec(text)?.[0];
  return host === undefined || text.includes('@') ? 'none' : `"${host}"`;
};

const parseUrl = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

const readCredentials = (from: Source, problems: string[]): Credentials => {
  const apiKey = from.text('apiKey', 'ASSAY_API_KEY');
  if (apiKey !== undefined) {
    if (/^[\x21-\x7e]+$/.test(apiKey)) return { kind: 'key', apiKey };
    problems.push('apiKey must be pd_ followed by 64 hexadecimal characters');
    return { kind: 'none' };
  }
  const username = from.text('username', 'ASSAY_USERNAME');
  const password = from.text('password', 'ASSAY_PASSWORD');
  if (username !== undefined && password !== undefined) return { kind: 'login', username, password };
  if (username !== undefined) problems.push('username is set but password is not: set it or ASSAY_PASSWORD');
  if (password !== undefined && username === undefined) {
    problems.push('password is set but username is not: set it or ASSAY_USERNAME');
  }
  return { kind: 'none' };
};

const readLabels = (given: unknown, text: string | undefined, problems: string[]): Record<string, string> => {
  if (given !== undefined && given !== null) {
    if (isObject(given) && Object.values(given).every((label) => typeof label === 'string')) {
      return given as Record<string, string>;
    }
    problems.push("labels must map report types to strings, such as {html: 'Shop'}");
    return {};
  }
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  const labels = pairs.map((pair) => pair.split('=').map((part) => part.trim()));
  if (labels.every((pair) => pair.length === 2 && pair[0] !== '')) return Object.fromEntries(labels);
  problems.push(`ASSAY_LABELS must be such as html=Shop,blob=Raw, but is "${text}"`);
  return {};
};

const readMetadata = (given: unknown, text: string | undefined, problems: string[]): Record<string, unknown> => {
  if (given !== undefined && given !== null) {
    if (isObject(given) && isJson(given)) return given;
    problems.push('metadata must be an object that can be serialized as JSON');
    return {};
  }
  if (!text?.trim()) return {};
  const value = parseJson(text);
  if (isObject(value)) return value;
  problems.push('ASSAY_METADATA must be a JSON object, such as {"team": "shop"}');
  return {};
};

const withoutTooMuch = (metadata: Record<string, unknown>, notes: string[]): Record<string, unknown> => {
  const bytes = jsonBytes(metadata);
  if (bytes <= MAX_GIVEN_BYTES) return metadata;
  notes.push(`metadata is left out of the run: it has ${bytes} bytes as JSON, and at most ${MAX_GIVEN_BYTES} are sent`);
  return {};
};

const readRoot = (text: string | undefined): string | null => (text === undefined ? null : resolve(text));

/** Outside of the workspace, which CI systems clean before the next run. */
const defaultSpoolDir = (env: Environment): string =>
  join(env['XDG_CACHE_HOME'] || env['LOCALAPPDATA'] || join(homedir(), '.cache'), 'assay', 'spool');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isJson = (value: object): boolean => {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
