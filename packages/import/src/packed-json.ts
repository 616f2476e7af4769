import { boundGarbage } from './garbage.ts';

/*
 * Most of a large JSON report are the objects in a few lists. They stay text until somebody reads them: parsed, all of
 * them together would take several times the memory.
 */

/** By the names that formats give them. */
const LISTS = [
  'tests',
  'specs',
  'assertionResults',
  'elements',
  'examples',
  'entries',
  'passes',
  'failures',
  'pending',
];
const LIST_START = new RegExp(`"(?:${LISTS.join('|')})"\\s*:\\s*$`);
/** How many characters the start of a list may have. */
const START_LENGTH = 100;
const OBJECTS_PER_COLLECTION = 1_000;

export interface PackedJsonReader {
  write(text: string): void;
  /** What `JSON.parse` returns, except that the objects in some lists are JSON. Throws a `JsonError` for what is none. */
  end(): unknown;
}

export class JsonError extends Error {
  override name = 'JsonError';
  /** From 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Takes the objects out of the lists, with a placeholder for each, so that `JSON.parse` sees a small document. With
 * `ignoresRest` any text may follow the document.
 */
export const readPackedJson = ({ ignoresRest = false } = {}): PackedJsonReader => {
  const objects: string[] = [];
  /** All but the objects in lists. It has as many lines as all. */
  let outside = '';
  /** The object that was begun. */
  let inside = '';
  let depth = 0;
  let listDepth = Infinity;
  let objectDepth = Infinity;
  let isString = false;
  let isEscaped = false;
  let before = '';
  let isRest = false;

  const take = (): void => {
    try {
      JSON.parse(inside);
    } catch (error) {
      throw new JsonError(reasonOf(error), countLines(outside) + lineOf(error, inside));
    }
    outside += `{"at":${objects.length}${'\n'.repeat(countLines(inside))}}`;
    // A copy: a part of a text keeps all of it in memory.
    objects.push(Buffer.from(inside).toString());
    inside = '';
    if (objects.length % OBJECTS_PER_COLLECTION === 0) boundGarbage();
  };

  return {
    write(text) {
      if (isRest) return;
      let from = 0;
      const passTo = (to: number): void => {
        if (objectDepth === Infinity) outside += text.slice(from, to);
        else inside += text.slice(from, to);
        from = to;
      };
      const marks = /["\\[\]{}]/g;
      marks.lastIndex = isEscaped ? 1 : 0;
      isEscaped = false;
      for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
        const [character] = mark;
        const at = mark.index;
        if (character === '\\') {
          marks.lastIndex = at + 2;
          isEscaped = at + 1 === text.length;
        } else if (character === '"') isString = !isString;
        else if (isString) continue;
        else if (character === '{') {
          depth++;
          if (depth !== listDepth + 1) continue;
          passTo(at);
          objectDepth = depth;
        } else if (character === '[') {
          depth++;
          if (listDepth !== Infinity) continue;
          const start = at < START_LENGTH ? before + text.slice(0, at) : text.slice(at - START_LENGTH, at);
          if (LIST_START.test(start)) listDepth = depth;
        } else {
          if (depth === objectDepth) {
            passTo(at + 1);
            objectDepth = Infinity;
            take();
          } else if (depth === listDepth) listDepth = Infinity;
          depth--;
          isRest = ignoresRest && depth === 0;
          if (isRest) return passTo(at + 1);
        }
      }
      passTo(text.length);
      before = (before + text.slice(-START_LENGTH)).slice(-START_LENGTH);
    },
    end() {
      if (objectDepth !== Infinity) throw new JsonError(BREAKS_OFF, countLines(outside) + countLines(inside) + 1);
      try {
        const value: unknown = JSON.parse(outside);
        outside = '';
        putBack(value, objects);
        return value;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        throw new JsonError(reasonOf(error), lineOf(error, outside));
      }
    },
  };
};

/** Puts objects in the place of their placeholders. Not by a reviver of `JSON.parse`, which takes much memory itself. */
const putBack = (document: unknown, objects: readonly string[]): void => {
  const left: unknown[] = [document];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (Array.isArray(inner) && LISTS.includes(key)) {
        for (const [at, item] of inner.entries()) inner[at] = objectOf(item, objects);
      }
      left.push(inner);
    }
  }
};

const objectOf = (item: unknown, objects: readonly string[]): unknown =>
  objects[(item as { at?: number } | null)?.at ?? -1] ?? item;

const BREAKS_OFF = 'the JSON breaks off';

/** Without what V8 shows of the text, which holds placeholders. */
const reasonOf = (error: unknown): string => {
  const { message } = error as SyntaxError;
  if (/^(?:Unexpected end|Unterminated)/.test(message)) return BREAKS_OFF;
  return `not JSON: ${message.replace(/ (?:in JSON )?at position.*$|, (?:\.\.\.)?".*$/s, '')}`;
};

/** V8 does not always say where; then it is within the last line that can be told. */
const lineOf = (error: unknown, text: string): number => {
  const position = /at position (\d+)/.exec((error as SyntaxError).message)?.[1];
  return countLines(position === undefined ? text : text.slice(0, Number(position))) + 1;
};

const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
};
