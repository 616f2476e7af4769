const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+$/;
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g;

/** Milliseconds of `2.5s`, `1m30s`, `7d`; a bare number is milliseconds. Decimals come out exact: 1.005s is 1005. */
export function readDuration(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (!DURATION.test(text)) return undefined;
  let sum = 0;
  for (const [, digits, unit] of text.matchAll(PART)) sum += scale(digits!, unit!);
  return sum;
}

function scale(digits: string, unit: string): number {
  switch (unit) {
    case 'ms':
      return Number(digits);
    case 's':
      return Number(`${digits}e3`);
    case 'm':
      return Number(`${digits}e4`) * 6;
    case 'h':
      return Number(`${digits}e5`) * 36;
    case 'd':
      return Number(`${digits}e5`) * 864;
    default:
      return Number(`${digits}e5`) * 6048;
  }
}

export const readNumber = (text: string): number | undefined =>
  /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined;

/** A moment, or a whole year, month or day in UTC: from `start` to before `end`. */
export type Moment =
  | { readonly kind: 'instant'; readonly start: Date }
  | { readonly kind: 'period'; readonly start: Date; readonly end: Date }
  | { readonly kind: 'ago'; readonly ms: number };

const DAY = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** `2026`, `2026-01`, `2026-01-31`, `2026-01-31T10:00Z`, and `-7d` or `now` before or at the time of reading. */
export function readMoment(text: string): Moment | undefined {
  if (text === 'now') return { kind: 'ago', ms: 0 };
  if (text.startsWith('-')) {
    const ms = /[a-z]$/.test(text) ? readDuration(text.slice(1)) : undefined;
    return ms === undefined ? undefined : { kind: 'ago', ms };
  }
  const day = DAY.exec(text);
  if (day !== null) {
    const [year, month, date] = [Number(day[1]), Number(day[2] ?? 1), Number(day[3] ?? 1)];
    const start = utc(year, month, date);
    if (start.getUTCMonth() !== month - 1 || start.getUTCDate() !== date) return undefined;
    const end = day[3] ? utc(year, month, date + 1) : day[2] ? utc(year, month + 1, 1) : utc(year + 1, 1, 1);
    return { kind: 'period', start, end };
  }
  if (!INSTANT.test(text)) return undefined;
  const start = new Date(text.toUpperCase());
  return Number.isNaN(start.getTime()) ? undefined : { kind: 'instant', start };
}

/** Date.UTC takes years below 100 for those of the last century. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
