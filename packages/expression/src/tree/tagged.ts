/** The texts that stand for what JSON has no form for. Each reader gives undefined for a text that is not of the form. */

const RFC3339 =
  /^(?!-000000)(\d{4}|[+-]\d{6})-(\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** RFC 3339; digits behind the milliseconds are cut off. `expandedYears` allows the six-digit years of ECMAScript. */
export function readDate(text: string, expandedYears: boolean): Date | undefined {
  const [, year = '', day, time, fraction = '.', sign = '+', hours = 0, minutes = 0] = RFC3339.exec(text) ?? [];
  if (!day || (year.length > 4 && !expandedYears)) return undefined;
  const rest = `${day}T${time}${fraction.slice(0, 4).padEnd(4, '0')}Z`;
  const date = new Date(`${year}-${rest}`);
  // What the calendar does not have is invalid, or comes out as another day.
  if (Number.isNaN(date.getTime()) || !date.toISOString().endsWith(rest)) return undefined;
  date.setTime(date.getTime() - Number(sign + (Number(hours) * 60 + Number(minutes))) * 60_000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const DECIMAL = /^(?:0|-?[1-9][0-9]*)$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

export function readRegExp(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

export function isUnusualNumber(text: string): boolean {
  return /^(?:NaN|-?Infinity)$/.test(text);
}

/** The fields of the wrapper of each tag in the order in which they are written. */
export const TAGS = {
  date: ['$tag', 'iso'],
  bigint: ['$tag', 'value'],
  regexp: ['$tag', 'source', 'flags'],
  undefined: ['$tag'],
  number: ['$tag', 'value'],
} as const;

export type Tag = keyof typeof TAGS;

export function isTag(tag: unknown): tag is Tag {
  return typeof tag === 'string' && Object.hasOwn(TAGS, tag);
}
