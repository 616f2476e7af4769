import { type Site, byEngine, charge } from '../run.ts';
import { cleanCopy } from '../value.ts';
import type { Method } from './native.ts';

/** What it takes to ask the engine for the offset of a zone. */
const ZONE_STEPS = 60;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds that a zone is ahead of UTC at a time. */
const offsetAt = (date: Date, zone: string): number => {
  let format = formats.get(zone);
  if (!format)
    formats.set(zone, (format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })));
  const name = format.formatToParts(date).find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return sign === undefined ? 0 : Number(`${sign}${ahead}`) * 1000;
};

/** By the zone that the host declares, else by UTC; never by the zone of the machine. */
const localOffset = (date: Date, at: Site): number => {
  const { zone } = at.run;
  if (zone === undefined || zone === 'UTC' || Number.isNaN(date.getTime())) return 0;
  charge(ZONE_STEPS, at);
  return byEngine(at, () => offsetAt(date, zone));
};

const PARTS = ['Date', 'Day', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds'] as const;
type Part = (typeof PARTS)[number];

const getter =
  (part: Part): Method =>
  (self, _args, at) => {
    const date = cleanCopy(self, at) as Date;
    return new Date(date.getTime() + localOffset(date, at))[`getUTC${part}`]();
  };

export const LOCAL_DATE_METHODS = {
  ...(Object.fromEntries(PARTS.map((part) => [`get${part}`, getter(part)])) as Record<`get${Part}`, Method>),
  getTimezoneOffset: ((self, _args, at) => {
    const date = cleanCopy(self, at) as Date;
    return Number.isNaN(date.getTime()) ? Number.NaN : 0 - localOffset(date, at) / 60_000;
  }) satisfies Method,
};
