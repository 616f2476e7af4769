export interface Location {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

export const UNKNOWN_FILE = 'unknown';

/** Splits `file:line:column`, `file:line` or `file` from the right, so that the colon of a Windows drive stays. */
export const parseLocation = (location: string | null | undefined): Location => {
  const text = location?.trim().replaceAll('\\', '/');
  if (!text) return { file: UNKNOWN_FILE, line: null, column: null };
  const last = trailingNumber(text, text.length);
  if (last === null) return { file: text, line: null, column: null };
  const first = trailingNumber(text, last.colon);
  if (first === null) return { file: text.slice(0, last.colon), line: last.value, column: null };
  return { file: text.slice(0, first.colon), line: first.value, column: last.value };
};

export const formatLocation = ({ file, line, column }: Location): string => {
  if (line === null) return file;
  return column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
};

const ZERO = 48;
const NINE = 57;
const COLON = 58;
const MAX_DIGITS = 9;

/** The number after the last colon before `end`, when something stands before that colon. */
const trailingNumber = (text: string, end: number): { value: number; colon: number } | null => {
  let value = 0;
  let scale = 1;
  let at = end - 1;
  for (; at > 0; at--) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) break;
    value += (code - ZERO) * scale;
    scale *= 10;
  }
  const digits = end - 1 - at;
  if (digits === 0 || digits > MAX_DIGITS || at === 0 || text.charCodeAt(at) !== COLON) return null;
  return { value, colon: at };
};
