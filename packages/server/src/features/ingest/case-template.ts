import { CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, QUOTE, skipSpace, valueEnd } from './json-span.ts';
import { DETAIL_FIELDS } from './plain-case.ts';

/** How a case is written but for the values that differ from run to run. */
export interface CaseTemplate {
  /** Byte text with a zero for each value that is left out: JSON has no zeros. */
  readonly text: string;
  /** Where the parts of the text begin and end in the bytes. */
  readonly cuts: readonly number[];
  /** The fields whose values are between the parts. */
  readonly holes: readonly Hole[];
  readonly end: number;
}

export type Hole = 'duration' | 'retries' | 'error' | 'unheard';

/**
 * The template of the case that begins here; null when the case has more than a result, or a field twice. It is right
 * if the case is valid.
 */
export const templateAt = (bytes: Buffer, start: number): CaseTemplate | null => {
  if (bytes[start] !== OPEN_BRACE) return null;
  const cuts = [start];
  let text = '';
  const holes: Hole[] = [];
  const names: string[] = [];
  let at = start;
  do {
    const nameAt = skipSpace(bytes, at + 1);
    if (bytes[nameAt] !== QUOTE) return null;
    const nameEnd = valueEnd(bytes, nameAt);
    const colonAt = skipSpace(bytes, nameEnd);
    if (bytes[colonAt] !== COLON) return null;
    const name = bytes.toString('latin1', nameAt + 1, nameEnd - 1);
    const kind = kindOf(name);
    if (kind === 'detail' || names.includes(name) || name.includes('\\')) return null;
    names.push(name);
    const valueAt = skipSpace(bytes, colonAt + 1);
    const end = valueEnd(bytes, valueAt);
    if (kind !== 'fixed') {
      text += `${bytes.toString('latin1', cuts.at(-1), valueAt)}\0`;
      cuts.push(valueAt, end);
      holes.push(kind);
    }
    at = skipSpace(bytes, end);
  } while (bytes[at] === COMMA);
  if (bytes[at] !== CLOSE_BRACE) return null;
  text += bytes.toString('latin1', cuts.at(-1), at + 1);
  cuts.push(at + 1);
  return { text, cuts, holes, end: at + 1 };
};

const kindOf = (name: string): Hole | 'fixed' | 'detail' => {
  switch (name) {
    case 'title':
    case 'status':
    case 'location':
    case 'browser':
    case 'tags':
      return 'fixed';
    case 'duration':
    case 'retries':
    case 'error':
      return name;
    default:
      return DETAIL_FIELDS.has(name) ? 'detail' : 'unheard';
  }
};
