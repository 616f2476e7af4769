import type { Issue, Result } from './issue.ts';
import { readJson, utf8Length } from './json.ts';
import { LIBRARY_LIMITS, type Limits } from './limits.ts';
import type { Node } from './node.ts';
import type { Place } from './place.ts';
import { readNodes } from './read-node.ts';
import { checkUnknown, isObject, MAX_ISSUES, own, type Reading, report, within } from './reading.ts';

/** The version of the format that is written here and the newest that is read. */
export const VERSION = 1;

export interface ReadOptions {
  /** Strict, the default, refuses unknown fields; lenient ignores them. */
  readonly mode?: 'strict' | 'lenient' | undefined;
  /** What is not given is `LIBRARY_LIMITS`. */
  readonly limits?: Partial<Limits> | undefined;
  /** Keeps the spans of nodes, which are dropped otherwise. */
  readonly spans?: boolean | undefined;
}

/**
 * Reads an envelope: a string is JSON text, anything else a value as `JSON.parse` gives it. Never throws and never runs
 * code of the value: it looks at own enumerable data properties only. The tree is frozen in depth and shares nothing
 * with the input; constants hold their values, among them `Date` and `RegExp` objects that are frozen too. A frozen
 * `RegExp` cannot move its `lastIndex`; a frozen `Date` can still be set, so copy it before handing it out.
 */
export function parseEnvelope(input: unknown, options: ReadOptions = {}): Result<Node, 'tree'> {
  const limits = { ...LIBRARY_LIMITS, ...options.limits };
  const reading: Reading = {
    strict: options.mode !== 'lenient',
    limits,
    issues: [],
    plain: typeof input === 'string',
    made: [],
    at: undefined,
    nodes: 0,
  };
  let value = input;
  if (typeof input === 'string') {
    if (!fits(reading, input)) return refused(reading.issues);
    const json = readJson(input, MAX_ISSUES);
    if (!json.ok) return refused([json.issue]);
    value = json.value;
    reading.issues.push(...json.issues);
  }
  try {
    const tree = readEnvelope(reading, value, options.spans === true);
    if (tree === undefined || reading.issues.length > 0) return refused(reading.issues);
    for (const made of reading.made) Object.freeze(made);
    return { ok: true, tree };
  } catch {
    report(reading, 'value.unreadable', reading.at, 'Reading this value threw.');
    return refused(reading.issues);
  }
}

function refused(issues: readonly Issue[]): { ok: false; issues: readonly Issue[] } {
  return { ok: false, issues };
}

function fits(reading: Reading, text: string): boolean {
  const { textBytes } = reading.limits;
  return text.length * 3 <= textBytes || within(reading, 'textBytes', atMost(text, textBytes), undefined);
}

/** Bytes of a text; of one that has more units than the limit has bytes, only its units are counted. */
function atMost(text: string, limit: number): number {
  return text.length > limit ? text.length : utf8Length(text);
}

const ROOT: Place = { up: undefined, key: 'root' };

function readEnvelope(reading: Reading, envelope: unknown, spans: boolean): Node | undefined {
  const malformed = (): undefined => {
    report(reading, 'envelope.malformed', undefined, 'An envelope is an object with `v` and `root`.');
  };
  if (!isObject(envelope)) return malformed();
  const version = own(reading, envelope, 'v', undefined);
  if (version === undefined) return malformed();
  const at: Place = { up: undefined, key: 'v' };
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    report(reading, 'envelope.version.invalid', at, '`v` is an integer of at least 1.');
    return undefined;
  }
  if (version > VERSION) {
    const details = { found: version, supported: VERSION };
    const message = `Version ${version} is newer than ${VERSION}, the newest that is understood here.`;
    reading.issues.unshift({ code: 'envelope.version.newer', path: '/v', message, details });
    return undefined;
  }
  const root = own(reading, envelope, 'root', undefined);
  if (root === undefined) return malformed();
  checkUnknown(reading, envelope, (key) => key === 'v' || key === 'root', undefined, 0);
  return readNodes(reading, root, ROOT, spans);
}
