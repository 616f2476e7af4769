import { utf8Length } from '../tree/bounds.ts';
import type { Place } from '../tree/place.ts';
import { type Job, report, within } from './reading.ts';

/** What a JSON text says; undefined where it is refused. */
export const readJson = (job: Job, text: string): unknown => {
  // A text that has more units than the limit has bytes is not encoded.
  if (!within(job, 'textBytes', text.length) || !within(job, 'textBytes', utf8Length(text))) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // A backslash in a key makes V8 misread later keys (nodejs/node#63785). Of keys that are there twice, one is dropped.
    if (!text.includes('\\') && countColons(JSON.stringify(value)) === countColons(text)) return value;
  } catch (error) {
    // What is too deep for the engine to write is no mistake.
    if (error instanceof SyntaxError)
      return text.startsWith('\ufeff')
        ? report(job, 'json.bom', 'no byte order mark')
        : report(job, 'json.syntax', `JSON: ${error.message}`);
  }
  return readTokens(job, text);
};

/** The colons outside the strings of a JSON text that has no quotes in strings: one for each key. */
const countColons = (text: string): number => text.replace(/"[^"]*"|[^:"]+/g, '').length;

/** A bracket, a string, with its colon if it is a key, or a number or word. */
const TOKEN = /[[\]{}]|"[^"\\]*(?:\\.[^"\\]*)*"(?=[ \n\r\t]*(:)?)|[^[\]{}",:\s]+/g;

/** An array or object that is being read; as a place it is that of its present item. */
interface Open extends Place {
  readonly up: Open | undefined;
  readonly items: Record<string | number, unknown>;
  key: string | number;
}

/** The value of a text that is JSON, of any depth without recursion. Duplicate keys are reported. */
export const readTokens = (job: Job, text: string): unknown => {
  const root: Open['items'] = {};
  let open: Open = { up: undefined, key: '', items: root };
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') open = open.up!;
    else if (colon) {
      open.key = JSON.parse(token) as string;
      if (Object.hasOwn(open.items, open.key))
        report({ ...open, reading: job.reading }, 'json.duplicateKey', `no second key ${token}`, {
          span: { start: index, end: index + token.length },
        });
    } else {
      if (Array.isArray(open.items)) open.key = open.items.length;
      // Without a prototype `__proto__` is a key like any other.
      const value: unknown = token === '{' ? Object.create(null) : token === '[' ? [] : JSON.parse(token);
      open.items[open.key] = value;
      if (typeof value === 'object' && value) open = { up: open, key: '', items: value as Open['items'] };
    }
  }
  return root[''];
};
