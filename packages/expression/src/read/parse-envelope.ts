import type { Result } from '../tree/issue.ts';
import { LIBRARY_LIMITS, type Limits } from '../tree/limits.ts';
import type { Node } from '../tree/node.ts';
import { checkUnknown } from './constant.ts';
import { countColons, readJson, utf8Length } from './json.ts';
import { readNodes } from './node.ts';
import { isObject, MAX_ISSUES, own, type Reading, report, startReading, within } from './reading.ts';

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
  const start = () => startReading(limits, typeof input === 'string', options.mode !== 'lenient');
  const reading = start();
  if (typeof input !== 'string') return readEnvelope(reading, input, options);
  if (!fits(reading, input)) return { ok: false, issues: reading.issues };
  return readQuickly(reading, input, options) ?? readText(start(), input, options);
}

/**
 * The engine's own JSON reader drops duplicate keys silently: then there are fewer keys than colons. A backslash in a key
 * makes that of V8 misread later keys (nodejs/node#63785), so texts with backslashes are not for it.
 */
function readQuickly(reading: Reading, text: string, options: ReadOptions): Result<Node, 'tree'> | undefined {
  if (text.includes('\\')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const result = readEnvelope(reading, value, options);
  return result.ok && reading.keys === countColons(text) ? result : undefined;
}

function readText(reading: Reading, text: string, options: ReadOptions): Result<Node, 'tree'> {
  const json = readJson(text, MAX_ISSUES);
  if (!json.ok) return { ok: false, issues: [json.issue] };
  reading.issues.push(...json.issues);
  return readEnvelope(reading, json.value, options);
}

function readEnvelope(reading: Reading, value: unknown, options: ReadOptions): Result<Node, 'tree'> {
  const { issues } = reading;
  let tree: Node | undefined;
  try {
    tree = readRoot(reading, value, options.spans === true);
    if (issues.length === 0) for (const made of reading.made) Object.freeze(made);
  } catch {
    report(reading, 'value.unreadable', 'Reading this value threw.', reading.at);
  }
  return tree && issues.length === 0 ? { ok: true, tree } : { ok: false, issues };
}

/** Of a text that has more units than the limit has bytes, only its units are counted. */
function fits(reading: Reading, text: string): boolean {
  const { textBytes } = reading.limits;
  if (text.length * 3 <= textBytes) return true;
  return within(reading, 'textBytes', text.length > textBytes ? text.length : utf8Length(text), undefined);
}

function readRoot(reading: Reading, envelope: unknown, spans: boolean): Node | undefined {
  const [version, root] = ['v', 'root'].map((name) =>
    isObject(envelope) ? own(reading, envelope, name, undefined) : undefined,
  );
  if (version !== undefined && !(Number.isInteger(version) && (version as number) >= 1))
    return report(reading, 'envelope.version.invalid', '`v` is an integer of at least 1.', undefined, 'v');
  if ((version as number) > VERSION) {
    const details = { found: version, supported: VERSION };
    const message = `Version ${String(version)} is newer than ${VERSION}, the newest that is understood here.`;
    reading.issues.unshift({ code: 'envelope.version.newer', path: '/v', message, details });
    return undefined;
  }
  if (version === undefined || root === undefined)
    return report(reading, 'envelope.malformed', 'An envelope is an object with `v` and `root`.', undefined);
  reading.keys += Object.keys(envelope as object).length;
  checkUnknown(reading, envelope as object, ['v', 'root'], undefined, 0);
  return readNodes(reading, root, spans);
}
