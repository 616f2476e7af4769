import { type ParseArgsConfig, parseArgs } from 'node:util';
import { messageOf } from '@assay/import';
import type { Environment } from '../environment.ts';
import type { GivenOptions, Options } from '../options/options.ts';
import { type Needs, readOptions } from '../options/read-options.ts';
import type { Output } from '../output.ts';

type Flags = NonNullable<ParseArgsConfig['options']>;

/** A mistake of whoever typed the command: one line, and what to do. */
export class UsageError extends Error {}

export const SERVICE_FLAGS = {
  url: { type: 'string' },
  'api-key': { type: 'string' },
} as const satisfies Flags;

export const readArguments = <const F extends Flags>(args: string[], flags: F) => {
  try {
    return parseArgs({ args, options: flags, allowPositionals: true, strict: true });
  } catch (error) {
    // Node adds how to write arguments that start with a dash.
    throw new UsageError(messageOf(error).split('. ')[0], { cause: error });
  }
};

/** Names of the config as the command line has them. */
const FLAG_NAMES: Readonly<Record<string, string>> = {
  serverUrl: '--url',
  projectName: '--project',
  apiKey: '--api-key',
  runKey: '--run-key',
};

export const readCommandOptions = (
  given: GivenOptions,
  env: Environment,
  needs: Needs,
  output?: Pick<Output, 'say'>,
): Options => {
  const read = readOptions(given, env, needs);
  if (read.ok) {
    for (const note of read.notes) output?.say(`Assay: ${note}`);
    return read.options;
  }
  const problems = read.problems.join('; ');
  throw new UsageError(problems.replace(/\b(?:serverUrl|projectName|apiKey|runKey)\b/g, (name) => FLAG_NAMES[name]!));
};

export const readCount = (name: string, text: string | undefined): number | null => {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} must be a whole number, but is "${text}"`);
};

/** `type=value`, such as `html=playwright-report`. */
export const readPairs = (name: string, texts: readonly string[]): [string, string][] =>
  texts.map((text) => {
    const at = text.indexOf('=');
    const type = text.slice(0, Math.max(0, at));
    if (/^[a-z0-9_-]{1,40}$/.test(type) && at < text.length - 1) return [type, text.slice(at + 1)];
    throw new UsageError(`--${name} must be such as html=…, but is "${text}"`);
  });
