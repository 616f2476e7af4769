import { dirname, join, resolve } from 'node:path';
import type { FullConfig } from '@playwright/test/reporter';
import type { ReportPlace } from '../delivery/find-reports.ts';
import type { Environment } from '../environment.ts';
import { findPackage } from '../repository/paths.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The reports that the reporters beside this one make, by their options and environment, as they decide it themselves. */
export const placesOfReports = (config: FullConfig, cwd: string, env: Environment): ReportPlace[] => {
  const configDir = config.configFile ? dirname(config.configFile) : config.rootDir;
  const base = findPackage(configDir) ?? cwd;
  const fromEnv = (...names: string[]): string | null => {
    const value = names.map((name) => env[name]).find((text) => text);
    return value ? resolve(cwd, value) : null;
  };
  return config.reporter.flatMap(([name, given]): ReportPlace[] => {
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
      return [{ type: 'blob', path: folder ?? join(base, 'blob-report'), newest: /\.zip$/ }];
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

/** Whether a reporter before or after this one writes it: only those before have done so when this one is told the end. */
export const isLastToReport = (config: FullConfig, isThisOne: (name: string) => boolean): boolean => {
  const own = config.reporter.findIndex(([name]) => isThisOne(name));
  if (own === -1) return false;
  return config.reporter.slice(own + 1).every(([name]) => !/^(?:html|blob)$|monocart-reporter/.test(name));
};
