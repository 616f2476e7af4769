import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FullConfig } from '@playwright/test/reporter';
import type { ReportToSend } from '../delivery/delivery.ts';
import type { Environment } from '../environment.ts';
import { findPackage } from '../repository/paths.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Where a report will be, or a folder whose newest zip it is. */
interface Place {
  readonly type: string;
  readonly path: string;
  readonly newestZip?: boolean;
}

/** The reports that the reporters beside this one make, by their options and environment, as they decide it themselves. */
export const placesOfReports = (config: FullConfig, cwd: string, env: Environment): Place[] => {
  const configDir = config.configFile ? dirname(config.configFile) : config.rootDir;
  const base = findPackage(configDir) ?? cwd;
  const fromEnv = (...names: string[]): string | null => {
    const value = names.map((name) => env[name]).find((text) => text);
    return value ? resolve(cwd, value) : null;
  };
  return config.reporter.flatMap(([name, given]): Place[] => {
    const settings = (given ?? {}) as Settings;
    if (name === 'html') {
      const folder = fromEnv('PLAYWRIGHT_HTML_OUTPUT_DIR', 'PLAYWRIGHT_HTML_REPORT');
      const chosen = textOf(settings, 'outputFolder');
      return [
        { type: 'html', path: folder ?? (chosen ? resolve(configDir, chosen) : join(base, 'playwright-report')) },
      ];
    }
    if (name === 'blob') {
      const chosenFile = textOf(settings, 'outputFile');
      const file = fromEnv('PLAYWRIGHT_BLOB_OUTPUT_FILE') ?? (chosenFile ? resolve(configDir, chosenFile) : null);
      if (file !== null) return [{ type: 'blob', path: file }];
      const chosen = textOf(settings, 'outputDir');
      const folder = fromEnv('PLAYWRIGHT_BLOB_OUTPUT_DIR') ?? (chosen ? resolve(configDir, chosen) : null);
      return [{ type: 'blob', path: folder ?? join(base, 'blob-report'), newestZip: true }];
    }
    if (/(?:^|[\\/])monocart-reporter(?:[\\/]|$)/.test(name)) {
      const file = resolve(cwd, textOf(settings, 'outputFile') ?? './monocart-report/index.html');
      return [{ type: 'monocart', path: dirname(file) }];
    }
    return [];
  });
};

const textOf = (settings: Settings, name: string): string | null => {
  const value = settings[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Those that are there and were written since the run began: an older one is of another run. */
export const findReports = (
  places: readonly Place[],
  since: number,
  labels: Readonly<Record<string, string>>,
): ReportToSend[] =>
  places.flatMap(({ type, path, newestZip }) => {
    const found = newestZip ? newestZipIn(path) : path;
    if (found === null || writtenAt(found) < since) return [];
    const label = labels[type];
    return [{ type, path: found, ...(label ? { label } : {}) }];
  });

const newestZipIn = (folder: string): string | null => {
  try {
    const zips = readdirSync(folder).filter((name) => name.endsWith('.zip'));
    return zips.map((name) => join(folder, name)).sort((a, b) => writtenAt(b) - writtenAt(a))[0] ?? null;
  } catch {
    return null;
  }
};

/** Of a folder its first page counts: writing to a file does not touch the folder. Clocks of file systems are coarse. */
const writtenAt = (path: string): number => {
  const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(timeOf(path), timeOf(join(path, 'index.html'))) + COARSE_MS;
};

const COARSE_MS = 2_000;

/** Whether a reporter before or after this one writes it: only those before have done so when this one is told the end. */
export const isLastToReport = (config: FullConfig, isThisOne: (name: string) => boolean): boolean => {
  const own = config.reporter.findIndex(([name]) => isThisOne(name));
  if (own === -1) return false;
  return config.reporter.slice(own + 1).every(([name]) => !/^(?:html|blob)$|monocart-reporter/.test(name));
};
