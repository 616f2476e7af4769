import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ReportToSend } from './delivery.ts';

/** Where another reporter will put its report. */
export interface ReportPlace extends ReportToSend {
  /** The report is the newest file in the folder with such a name. */
  readonly newest?: RegExp;
}

/** Those that are there and were written since the run began: an older one is of another run. */
export const findReports = (
  places: readonly ReportPlace[],
  since: number,
  labels: Readonly<Record<string, string>>,
): ReportToSend[] =>
  places.flatMap(({ newest, ...place }) => {
    const path = newest ? newestIn(place.path, newest) : place.path;
    if (path === null || writtenAt(path) < since) return [];
    const label = labels[place.type];
    return [{ ...place, path, ...(label ? { label } : {}) }];
  });

const newestIn = (folder: string, name: RegExp): string | null => {
  try {
    const found = readdirSync(folder).filter((entry) => name.test(entry));
    return found.map((entry) => join(folder, entry)).sort((a, b) => writtenAt(b) - writtenAt(a))[0] ?? null;
  } catch {
    return null;
  }
};

/** Of a folder its first page counts: others may write to the folder. Clocks of file systems are coarse. */
const writtenAt = (path: string): number => {
  const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return (timeOf(join(path, 'index.html')) || timeOf(path)) + COARSE_MS;
};

const COARSE_MS = 2_000;
