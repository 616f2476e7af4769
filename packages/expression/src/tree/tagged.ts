/** The texts that stand for what JSON has no form for. */

export const DECIMAL = /^(?:0|-?[1-9][0-9]*)$/;
export const UNUSUAL = /^(?:NaN|-?Infinity)$/;
const RFC3339 = /^(?!-000000)(\d{4}|[+-]\d{6})-(\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/**
 * RFC 3339; digits behind the milliseconds are cut off. `expandedYears` allows the six-digit years of ECMAScript.
 * Undefined for a text that is not of the form.
 */
export const readDate = (text: string, expandedYears: boolean): Date | undefined => {
  const [, year = '', day = '', fraction = '.', zone] = RFC3339.exec(text.toUpperCase()) ?? [];
  const rest = `-${day}${fraction.slice(0, 4).padEnd(4, '0')}`;
  const date = new Date(year + rest + zone);
  // What the calendar does not have is invalid, or comes out as another day.
  const exists = new Date(`${year}${rest}Z`).toJSON()?.endsWith(`${rest}Z`);
  return exists && (expandedYears || year.length === 4) && !Number.isNaN(date.getTime()) ? date : undefined;
};

/** The fields that the wrapper of each tag has behind its `$tag`. */
export const TAGS = {
  date: ['iso'],
  bigint: ['value'],
  regexp: ['source', 'flags'],
  undefined: [],
  number: ['value'],
} as const;

export type Tag = keyof typeof TAGS;

export const isTag = (tag: unknown): tag is Tag => typeof tag === 'string' && Object.hasOwn(TAGS, tag);
