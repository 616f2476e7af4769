import { isUtf8 } from 'node:buffer';
import type { ErrorCode, Issue } from '@assay/contract';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { AppError } from './errors.ts';

export const MAX_ISSUES = 50;

// A value that may be null yields three errors for one mistake, so more are collected than reported.
Settings.Set({ maxErrors: MAX_ISSUES * 4 });

export type Checked<T> = { ok: true; value: T } | { ok: false; issues: Issue[] };

/** A check of a schema, compiled at its first use, that reports each mistake once, at the field that has it. */
export const createCheck = <T extends TSchema>(schema: T): ((value: unknown) => Checked<Static<T>>) => {
  const compile = () => Compile(schema);
  let compiled: ReturnType<typeof compile> | undefined;
  return (value) => {
    const validator = (compiled ??= compile());
    return validator.Check(value)
      ? { ok: true, value }
      : { ok: false, issues: readErrors(validator.Errors(value) as ValidationError[]) };
  };
};

interface ValidationError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: { readonly requiredProperties?: readonly string[]; readonly allowedValue?: unknown };
}

/** How the message of a field begins that may have one of several values. */
const CHOICE = 'must be "';

const readErrors = (errors: readonly ValidationError[]): Issue[] => {
  const found = new Map<string, string>();
  for (const { keyword, instancePath, message, params } of errors) {
    if (keyword === 'anyOf') continue;
    if (keyword === 'required') {
      for (const name of params.requiredProperties ?? []) {
        found.set(`${instancePath}/${escapePointer(name)}`, 'is required');
      }
      continue;
    }
    const before = found.get(instancePath);
    const value = keyword === 'const' ? JSON.stringify(params.allowedValue) : null;
    if (before === undefined) found.set(instancePath, value === null ? message : `must be ${value}`);
    else if (before.startsWith(CHOICE) && (value !== null || keyword === 'pattern')) {
      found.set(instancePath, `${before} or ${value ?? message.replace('must ', '')}`);
    }
  }
  const paths = [...found.keys()];
  return paths
    .filter((path) => found.get(path) !== 'must be null' || !paths.some((other) => other.startsWith(`${path}/`)))
    .slice(0, MAX_ISSUES)
    .map((path) => ({ path, message: found.get(path)! }));
};

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

export const issuesOf = (checked: Checked<unknown>): readonly Issue[] => (checked.ok ? [] : checked.issues);

/** An error that says its first issue in words and carries them all. */
export const refusal = (code: ErrorCode, issues: readonly Issue[]): AppError => {
  const [first] = issues;
  const field = first?.path ? first.path.slice(1).replaceAll('/', '.') : 'The body';
  return new AppError(code, first ? `${field} ${first.message}` : 'The request is not valid', issues);
};

export const parseJsonBody = (body: Uint8Array): unknown => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.length === 0) throw refusal('invalid_body', [{ path: '', message: 'must not be empty' }]);
  if (!isUtf8(bytes)) throw refusal('invalid_body', [{ path: '', message: 'must be UTF-8' }]);
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  try {
    return JSON.parse(bytes.toString('utf8', byteOrderMark));
  } catch (error) {
    throw refusal('invalid_body', [{ path: '', message: `must be JSON: ${(error as Error).message}` }]);
  }
};
