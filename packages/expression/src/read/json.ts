import type { Place } from '../tree/place.ts';
import { type Job, report, startReading, within } from './reading.ts';

/** What a JSON text says; undefined where it is refused. */
export const readJson = (job: Job, text: string): unknown => {
  const { textBytes } = job.reading.limits;
  // Of a text that has more units than the limit has bytes, only its units are counted.
  if (!within(job, 'textBytes', text.length > textBytes ? text.length : utf8Length(text))) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // A backslash in a key makes V8 misread later keys (nodejs/node#63785). Of keys that are there twice, one is dropped.
    if (!text.includes('\\') && countColons(JSON.stringify(value)) === countColons(text)) return value;
  } catch (error) {
    if (error instanceof SyntaxError) return refuse(job, text, error.message);
  }
  return readTokens(job, text)!.value;
};

/** The length of a text in UTF-8; a lone surrogate counts as three bytes. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** The colons outside the strings of a JSON text that has no quotes in strings: one for each key. */
const countColons = (text: string): number => text.replace(/"[^"]*"|[^:"]+/g, '').length;

/** A bracket, a string, with its colon if it is a key, or a number or word. */
const TOKEN = /[[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"(?=[ \n\r\t]*(:)?)|[^[\]{}",:\s]+/g;

const refuse = (job: Job, text: string, message: string): undefined => {
  if (text.startsWith('\ufeff')) return report(job, 'json.bom', 'no byte order mark');
  try {
    const { end: start } = readTokens(startReading(text), text)!;
    JSON.parse(text.slice(0, start));
    const span = { start, end: text.length };
    return report(job, 'json.trailing', 'nothing behind the JSON value', undefined, { span });
  } catch {
    return report(job, 'json.syntax', `JSON (${message})`);
  }
};

/** An array or object that is being read; as a place it is that of its present item. */
interface Open extends Place {
  readonly up: Open | undefined;
  readonly items: Record<string | number, unknown>;
  key: string | number;
}

/**
 * The first value of a text and where it ends, of any depth without recursion. Duplicate keys are reported. Whether the
 * text is JSON must be known otherwise: it may throw where it is not.
 */
export const readTokens = (job: Job, text: string): { readonly value: unknown; readonly end: number } | undefined => {
  let open: Open = { up: undefined, key: '', items: Object.create(null) as Open['items'] };
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    const end = index + token.length;
    if (token === '}' || token === ']') open = open.up!;
    else if (colon) {
      open.key = JSON.parse(token) as string;
      if (Object.hasOwn(open.items, open.key))
        report({ ...open, reading: job.reading }, 'json.duplicateKey', `no second key ${token}`, undefined, {
          span: { start: index, end },
        });
    } else {
      if (Array.isArray(open.items)) open.key = open.items.length;
      // Without a prototype `__proto__` is a key like any other.
      const value: unknown = token === '{' ? Object.create(null) : token === '[' ? [] : JSON.parse(token);
      open.items[open.key] = value;
      if (typeof value === 'object' && value) open = { up: open, key: '', items: value as Open['items'] };
    }
    if (!open.up) return { value: open.items[''], end };
  }
  return undefined;
};
