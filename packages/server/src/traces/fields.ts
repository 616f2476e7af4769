/** One event of a trace, or a part of one: written by anybody, so nothing is known of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

const NONE: Fields = {};

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : NONE;

export const numberIn = (fields: Fields, key: string): number | null => {
  const value = fields[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
};

/** Null when it is no text or an empty one. */
export const textIn = (fields: Fields, key: string, maxLength: number): string | null => {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? cutText(value, maxLength) : null;
};

/** A copy, for a slice would keep all of a long text in memory. */
const cutText = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text.toWellFormed()
    : Buffer.from(text.slice(0, maxLength), 'utf16le').toString('utf16le').toWellFormed();
