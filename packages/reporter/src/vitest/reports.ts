import { basename, dirname, join, resolve } from 'node:path';
import type { Vitest } from 'vitest/node';
import type { ReportPlace } from '../delivery/find-reports.ts';

type Settings = Readonly<Record<string, unknown>>;

/** What a config says of reports. */
export type ReportConfig = Pick<Vitest['config'], 'root' | 'reporters' | 'outputFile' | 'shard'>;

/** Blobs of Vitest are not those of Playwright, which Assay can merge. */
const BLOB_TYPE = 'vitest-blob';
const BLOB_LABEL = 'Vitest Blob Report';

/** The reports that the reporters beside this one make, by their options, as they decide it themselves. */
export const placesOfReports = (config: ReportConfig, version: string): ReportPlace[] => {
  const isOld = Number.parseInt(version, 10) < 5;
  return config.reporters.flatMap((reporter): ReportPlace[] => {
    if (!Array.isArray(reporter)) return [];
    const [name, given] = reporter as readonly [unknown, unknown];
    const settings = (given ?? {}) as Settings;
    if (name === 'html') return [isOld ? oldHtmlPlace(config, settings) : htmlPlace(config, settings)];
    return name === 'blob' ? [blobPlace(config, settings, isOld)] : [];
  });
};

/** Its folder is one that others use as well. */
const htmlPlace = ({ root }: ReportConfig, settings: Settings): ReportPlace => {
  const parts = settings['singleFile'] === true ? [] : ['ui', 'attachments', 'trace'];
  const path = resolve(root, textOf(settings['outputDir']) ?? '.vitest');
  return { type: 'html', path, only: ['index.html', 'coverage', ...parts] };
};

/** Before version 5 the page may be in any folder, such as that of the project. */
const oldHtmlPlace = (config: ReportConfig, settings: Settings): ReportPlace => {
  const page = resolve(config.root, outputFileOf(config, settings, 'html') ?? 'html/index.html');
  const parts = ['assets', 'html.meta.json.gz', 'favicon.ico', 'favicon.svg', 'bg.png', 'data', 'coverage'];
  return { type: 'html', path: dirname(page), only: [basename(page), ...parts] };
};

const blobPlace = (config: ReportConfig, settings: Settings, isOld: boolean): ReportPlace => {
  const { root, shard } = config;
  const blob = { type: BLOB_TYPE, label: BLOB_LABEL };
  const file = outputFileOf(config, settings, 'blob');
  if (file !== null) return { ...blob, path: resolve(root, file) };
  const folder = join(root, isOld ? '.vitest-reports' : '.vitest/blob');
  const newest = shard ? new RegExp(`^blob.*-${shard.index}-${shard.count}\\.json$`) : /^blob.*\.json$/;
  return { ...blob, path: folder, newest };
};

const outputFileOf = ({ outputFile }: ReportConfig, settings: Settings, reporter: string): string | null =>
  textOf(settings['outputFile']) ??
  textOf(typeof outputFile === 'object' ? (outputFile as Settings)[reporter] : outputFile);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
