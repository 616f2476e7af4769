import { nearestName } from '../catalogue/nearest.ts';
import type { Code } from '../tree/codes.ts';
import type { Role } from '../tree/fields.ts';
import type { Issue } from '../tree/issue.ts';
import { LIBRARY_LIMITS, type Limits } from '../tree/limits.ts';
import { type Place, pointer } from '../tree/place.ts';
import type { Tag } from '../tree/tagged.ts';

export interface ReadOptions {
  /**
   * Strict, the default, refuses unknown fields; lenient ignores them. `shape` asks for what the specification says and
   * nothing else: constants are not decoded, names and globals not looked at.
   */
  readonly mode?: 'strict' | 'lenient' | 'shape' | undefined;
  /** What is not given is `LIBRARY_LIMITS`. */
  readonly limits?: Partial<Limits> | undefined;
  /** Keeps the spans of nodes, which are dropped otherwise. */
  readonly spans?: boolean | undefined;
}

/** What all jobs of one reading share. */
export interface Reading extends ReadOptions {
  readonly limits: Limits;
  readonly issues: Issue[];
  /** What is still to be read; the last comes first. */
  readonly jobs: Job[];
  nodes: number;
}

export type Draft = Record<string | number, unknown>;

/** Something to be read, as what, and what the outcome is put into. As a place it is its own; the envelope has no name. */
export interface Job extends Place {
  readonly reading: Reading;
  raw: unknown;
  readonly role: Role | Tag | OtherRole;
  readonly target: Draft;
  /** Nodes and data around it, with itself once it is entered. */
  depth: number;
  lambdas: number;
}

type OtherRole = 'envelope' | 'text' | 'param' | 'property' | 'element' | 'span' | 'data' | 'ignored';

/** The job to read an envelope, as a text or a value. */
export const startReading = (raw: unknown, options?: ReadOptions): Job => ({
  reading: { ...options, limits: { ...LIBRARY_LIMITS, ...options?.limits }, issues: [], jobs: [], nodes: 0 },
  raw,
  role: 'envelope',
  up: undefined,
  key: '',
  target: {},
  depth: 0,
  lambdas: 0,
});

/** Leaves a part of what a job reads to be read next. */
export const addPart = (job: Job, key: string | number, raw: unknown, role: Job['role'], target: Draft): void => {
  job.reading.jobs.push({ ...job, up: job, key, raw, role, target });
};

export const MAX_ISSUES = 100;

interface Reported extends Pick<Issue, 'details' | 'span'> {
  /** Of what the job reads, where it is about one part. */
  readonly key?: string | undefined;
  /** What is there instead. */
  readonly found?: unknown;
  /** The names that may stand in place of what was written. */
  readonly allowed?: readonly string[];
  readonly written?: unknown;
}

/** Reports what belongs where a job reads, or at a key of that, what is there instead, and the nearest that may be. */
export const report = (
  job: Place & Pick<Job, 'reading'>,
  code: Code,
  belongs: string,
  { key, found, allowed, written = found, details, span }: Reported = {},
): undefined => {
  const { issues } = job.reading;
  if (issues.length >= MAX_ISSUES) return;
  const path = pointer(key === undefined ? job : { up: job, key }).slice(1);
  const nearest = allowed && typeof written === 'string' ? nearestName(written, allowed) : undefined;
  const not = found === undefined ? '' : `, not ${describe(found)}`;
  const choice = allowed ? `; there ${allowed.length === 1 ? 'is' : 'are'} ${listNames(allowed)}` : '';
  const hint = nearest === undefined ? choice : `; did you mean ${describe(nearest)}?`;
  const message = `Expected ${belongs}${not}${hint}`;
  issues.push({
    code,
    path,
    message,
    ...(span && { span }),
    ...((details ?? allowed) && { details: allowed ? { ...details, allowed, nearest } : details }),
  });
};

const LONGEST_SHOWN = 40;

/** How something that was found reads in a message. */
export const describe = (found: unknown): string => {
  if (typeof found === 'string')
    return JSON.stringify(found.length > LONGEST_SHOWN ? `${found.slice(0, LONGEST_SHOWN)}…` : found);
  if (typeof found === 'function' || typeof found === 'symbol') return `a ${typeof found}`;
  if (typeof found !== 'object' || found === null) return String(found);
  return Array.isArray(found) ? 'an array' : 'an object';
};

const listNames = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** True when within the limit. What was found is at least `actual`: counting stops there. */
export const within = (
  job: Job,
  name: Exclude<keyof Limits, 'steps' | 'outputStringLength' | 'outputArrayLength'>,
  actual: number,
  key?: string,
): boolean => {
  const limit = job.reading.limits[name];
  if (actual <= limit) return true;
  report(job, `limit.${name}`, `a \`${name}\` of at most ${limit}`, {
    key,
    found: actual,
    details: { limit, actual },
  });
  return false;
};

/** Counts a node, or an array or object in data; false when that is one too many. */
export const enter = (job: Job): boolean =>
  within(job, 'depth', ++job.depth) && within(job, 'nodes', ++job.reading.nodes);

/** True when something was reported: a name that would reach a prototype. */
export const isForbidden = (job: Job, name: string, key?: string): boolean => {
  if (name !== '__proto__' || job.reading.mode === 'shape') return false;
  report(job, 'key.forbidden', 'another name than `__proto__`', { key });
  return true;
};

/**
 * The own enumerable data properties that are not undefined, of an array or object. An accessor is reported and never
 * run; there is nothing to go on with then.
 */
export const take = (job: Job): Map<string, unknown> | undefined => {
  const raw = job.raw as object;
  let taken: Map<string, unknown> | undefined = new Map();
  for (const key of Object.keys(raw)) {
    const descriptor = Object.getOwnPropertyDescriptor(raw, key)!;
    if (isForbidden(job, key, key)) continue;
    if (!('value' in descriptor)) {
      taken = undefined;
      report(job, 'value.accessor', 'data, not an accessor', { key });
    } else if (descriptor.value !== undefined) taken?.set(key, descriptor.value);
  }
  return taken;
};

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same of an object; what is none has no properties. */
export const takeObject = (job: Job): Map<string, unknown> | undefined => (isObject(job.raw) ? take(job) : new Map());

/** Takes out what is given by a name. */
export const pull = (given: Map<string, unknown>, name: string): unknown => {
  const value = given.get(name);
  given.delete(name);
  return value;
};

/** An array with each item to be read in its turn. */
export const readList = (job: Job, role: Job['role']): unknown[] | undefined => {
  const { raw } = job;
  if (!Array.isArray(raw)) return report(job, 'field.type', 'an array', { found: raw });
  const items = within(job, 'items', raw.length) && take(job);
  if (!items) return undefined;
  const list: unknown[] = [];
  for (let key = raw.length - 1; key >= 0; key--)
    addPart(job, key, items.get(`${key}`), role, list as unknown as Draft);
  return list;
};
