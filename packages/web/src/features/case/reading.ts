/*
 * What runners send differs; these take what can be understood of a value of any shape.
 */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In milliseconds: a number as it is, or the moment that a text names. */
export const timeOf = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : time;
};

export const durationOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : null;

/** An error as text: itself, its message with the code around it, or its JSON. */
export const errorTextOf = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(errorTextOf).filter(Boolean).join('\n\n') || null;
  if (!isFields(value)) return jsonOf(value);
  const text = [value['message'], value['stack'], value['value']].find((part) => typeof part === 'string' && part);
  if (typeof text !== 'string') return jsonOf(value);
  const frame = value['snippet'];
  return typeof frame === 'string' && !text.includes(frame) ? `${text}\n\n${frame}` : text;
};

export const jsonOf = (value: unknown): string => JSON.stringify(value, null, 2) ?? '';
