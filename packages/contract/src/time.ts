const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/** Years of four digits. */
const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Milliseconds since 1970, or null when the text is no date that exists. A time without an offset is UTC. */
export const parseTime = (text: string): number | null => {
  const match = ISO_8601.exec(text);
  if (match === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    sign,
    offsetHour = '0',
    offsetMinute = '0',
  ] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  const time = date.getTime() - offsetMinutes * 60_000;
  return time >= FIRST_TIME && time <= LAST_TIME ? time : null;
};

export const formatTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
