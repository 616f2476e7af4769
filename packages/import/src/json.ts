import { boundGarbage } from './garbage.ts';
import { JsonError, readPackedJson } from './packed-json.ts';
import { type Source, headText, textOf } from './source.ts';

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
    return read(unpack(item));
  });
};

/** An object that is still JSON. */
export const unpack = (item: unknown): Fields => fieldsOf(typeof item === 'string' ? parseJsonLine(item) : item);

const ITEMS_PER_COLLECTION = 1_000;

export const textsOf = (value: unknown): string[] => listOf(value).filter((item) => typeof item === 'string');
export const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);
export const numberOr = <T>(value: unknown, otherwise: T): number | T =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;

export type JsonRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string; readonly line: number | null };

/** All of a report, with its many objects still packed: none of these formats can be understood from its beginning. */
export const readJson = async (source: Source): Promise<JsonRead> => {
  const head = headText(source).replace(/^\uFEFF/, '');
  let banner = jsonStart(head);
  const reader = readPackedJson({ ignoresRest: banner > 0 });
  reader.write('\n'.repeat(head.slice(0, banner).split('\n').length - 1));
  try {
    for await (const text of textOf(source)) {
      reader.write(text.slice(banner));
      banner = 0;
    }
    return { ok: true, value: reader.end() };
  } catch (error) {
    if (error instanceof JsonError) return { ok: false, message: error.message, line: error.line };
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, message: `it is too large to read: ${error.message}`, line: null };
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
