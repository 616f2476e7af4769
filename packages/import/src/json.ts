import { readFile } from 'node:fs/promises';
import { boundGarbage } from './garbage.ts';
import { encodingOf, type Source } from './source.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads a list item by item and forgets each: a large report is not in memory beside all that is read of it. */
export const takeEach = <T>(value: unknown, read: (item: Fields) => T): T[] => {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.map((item, at) => {
    items[at] = null;
    if (at % ITEMS_PER_COLLECTION === 0) boundGarbage();
    return read(fieldsOf(item));
  });
};

const ITEMS_PER_COLLECTION = 1_000;

export const textsOf = (value: unknown): string[] => listOf(value).filter((item) => typeof item === 'string');
export const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);
export const numberOr = <T>(value: unknown, otherwise: T): number | T =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly line: number | null };

/** Whole reports are read at once: none of these formats can be understood from its beginning. */
export const readJson = async (source: Source): Promise<JsonRead> => {
  let text: string;
  try {
    text = new TextDecoder(encodingOf(source.head)).decode(await readFile(source.path));
    boundGarbage();
  } catch (error) {
    return { ok: false, message: `it is too large to read: ${messageOf(error)}`, line: null };
  }
  const start = jsonStart(text);
  try {
    const json = start === 0 ? text : text.slice(start, text.lastIndexOf('}') + 1);
    return { ok: true, value: JSON.parse(json) };
  } catch (error) {
    const message = messageOf(error);
    const at = /at position (\d+)/.exec(message)?.[1];
    const line = text.slice(0, at === undefined ? text.length : start + Number(at)).split('\n').length;
    return { ok: false, message: at === undefined ? 'the JSON breaks off' : `not JSON: ${message}`, line };
  }
};

/** Lines of a package manager, before the JSON that its script printed. */
const BANNER = /^(?:[ \t]*\r?\n|(?:>|\$|yarn run) .*\n)+(?=\{)/;

export const jsonStart = (text: string): number => BANNER.exec(text)?.[0].length ?? 0;

export const parseJsonLine = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since 1970; what is not a time between then and the year 9999 is none. */
export const timeOf = (value: unknown): number | null => {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const time = typeof value === 'number' ? value : Date.parse(value);
  return time > 0 && time <= LAST_TIME ? time : null;
};
