import { type StorageForecast, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { storedBytes } from './find-expired.ts';
import { readInstallationSettings, readSettings } from './settings.ts';
import { dayOf } from './storage-days.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_LOOKED_AT = 28;
const LEAST_DAYS = 7;
const FURTHEST_DAYS = 3_650;

export interface StoredOnDay {
  readonly day: number;
  readonly bytes: number;
}

/** Bytes a day: the median of the growth between any two days, which a clean-up or an import changes little. */
export const growthOf = (days: readonly StoredOnDay[]): number | null => {
  if (days.length < LEAST_DAYS) return null;
  const slopes: number[] = [];
  for (const [at, first] of days.entries()) {
    for (const second of days.slice(at + 1)) slopes.push((second.bytes - first.bytes) / (second.day - first.day));
  }
  slopes.sort((a, b) => a - b);
  const middle = slopes.length >> 1;
  return slopes.length % 2 === 1 ? slopes[middle]! : (slopes[middle - 1]! + slopes[middle]!) / 2;
};

/** When so many bytes more are stored; null when that is not known, never, or too far ahead to be said. */
export const timeOfBytes = (left: number, bytesPerDay: number | null, now: number): number | null => {
  if (bytesPerDay === null || bytesPerDay <= 0) return null;
  const days = Math.max(0, left) / bytesPerDay;
  return days > FURTHEST_DAYS ? null : now + days * DAY_MS;
};

/** When the disk is full, and when projects reach what they may store. */
export const forecastStorage = async (
  queries: Queries,
  freeBytes: number | null,
  now: number,
): Promise<StorageForecast> => {
  const ofDisk = await listDays(queries, 0, now);
  const bytesPerDay = growthOf(ofDisk);
  const fullAt = freeBytes === null ? null : timeOfBytes(freeBytes, bytesPerDay, now);
  const installation = await readInstallationSettings(queries);
  const rows = await queries
    .selectFrom('projects')
    .select(['id', 'name', 'label', 'retention'])
    .orderBy('id')
    .execute();
  const projects: StorageForecast['projects'] = [];
  for (const { id, name, label, retention } of rows) {
    const { bytes: limitBytes } = readSettings(retention) ?? installation;
    if (limitBytes === null) continue;
    const bytes = await storedBytes(queries, id);
    const growth = growthOf(await listDays(queries, id, now));
    const reachedAt = timeOfBytes(limitBytes - bytes, growth, now);
    projects.push({ id, name, label, bytes, limitBytes, bytesPerDay: growth, fullAt: presentTime(reachedAt) });
  }
  return { recordedDays: ofDisk.length, freeBytes, bytesPerDay, fullAt: presentTime(fullAt), projects };
};

const listDays = (queries: Queries, projectId: number, now: number): Promise<StoredOnDay[]> =>
  queries
    .selectFrom('storage_days')
    .select(['day', 'bytes'])
    .where('project_id', '=', projectId)
    .where('day', '>', dayOf(now) - DAYS_LOOKED_AT)
    .where('day', '<=', dayOf(now))
    .orderBy('day')
    .execute();

const presentTime = (time: number | null): string | null => (time === null ? null : formatTime(Math.round(time)));
