/** The texts that stand for what JSON has no form for. Each reader gives undefined for a text that is not of the form. */

const RFC3339 =
  /^([0-9]{4}|[+-][0-9]{6})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339; digits behind the milliseconds are cut off. `expandedYears` allows the six-digit years of ECMAScript. */
export function readDate(text: string, expandedYears: boolean): Date | undefined {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [, yearText = '', , , , , , fraction = '', sign, offsetHours, offsetMinutes] = match;
  if ((yearText.length > 4 && !expandedYears) || yearText === '-000000') return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && leap ? 29 : DAYS[month - 1];
  if (days === undefined || day < 1 || day > days || hour > 23 || minute > 59 || second > 59) return undefined;
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) return undefined;
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === '-' ? -1 : 1);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  date.setTime(date.getTime() - offset * 60_000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

type Six = [number, number, number, number, number, number];

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

export const UNUSUAL_NUMBERS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

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
