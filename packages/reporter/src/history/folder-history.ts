import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { chooseAttachments, importFiles, planParts, submissionOf } from '@assay/import';
import type { Options } from '../options/options.ts';
import { type HistoryRun, type LoadedRun, deliveryOf, hashOf } from './history-run.ts';

/** What a report may be called: everything else is not opened. */
const REPORT = /\.(?:xml|json|jsonl|ndjson|trx|tap|subunit|zip)$/i;
const LEFT_OUT = new Set(['node_modules', '.git']);

export interface FolderSettings {
  readonly options: Options;
  readonly branch: string | undefined;
  /** The folder that paths in reports are relative to. */
  readonly root: string;
}

interface Found {
  readonly path: string;
  readonly modifiedMs: number;
}

/**
 * The runs of a folder of old reports, the oldest first: each report in the folder itself is one, and so is each folder
 * below it that has reports, with all that is below that.
 */
export const findFolderHistory = async (folder: string, settings: FolderSettings): Promise<HistoryRun[]> => {
  const found = [...(await filesIn(folder)), ...(await foldersBelow(folder))];
  return found
    .sort((a, b) => a.modifiedMs - b.modifiedMs || (a.path < b.path ? -1 : 1))
    .map(({ path, modifiedMs }) => {
      const name = relative(folder, path);
      return { id: hashOf(`${name} ${modifiedMs}`), name, load: () => loadReports(path, name, settings) };
    });
};

const entriesOf = async (folder: string) => {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
};

const filesIn = async (folder: string): Promise<Found[]> => {
  const names = (await entriesOf(folder)).filter((entry) => entry.isFile() && REPORT.test(entry.name));
  return Promise.all(
    names.map(async ({ name }) => {
      const path = join(folder, name);
      return { path, modifiedMs: (await stat(path)).mtimeMs };
    }),
  );
};

const foldersBelow = async (folder: string): Promise<Found[]> => {
  const found: Found[] = [];
  for (const entry of await entriesOf(folder)) {
    if (!entry.isDirectory() || LEFT_OUT.has(entry.name)) continue;
    const path = join(folder, entry.name);
    const files = await filesIn(path);
    if (files.length === 0) found.push(...(await foldersBelow(path)));
    else found.push({ path, modifiedMs: Math.max(...files.map(({ modifiedMs }) => modifiedMs)) });
  }
  return found;
};

const loadReports = async (
  path: string,
  name: string,
  { options, branch, root }: FolderSettings,
): Promise<LoadedRun> => {
  const files = await importFiles([path], { root });
  if (!files.ok) return { ok: false, why: files.problems.join('; ') };
  const { runs, warnings } = files;
  // Shards of one run are told apart from those of another by where they are.
  const planned = planParts(runs, {
    shard: null,
    runKey: runs.length > 1 ? `history ${name}`.slice(0, 200) : null,
    buildKey: null,
  });
  if (!planned.ok) return { ok: false, why: planned.problem };
  const deliveries = runs.map((run, at) => {
    const { cases, attachments } = chooseAttachments(run, options.attachments);
    return deliveryOf(
      submissionOf({ ...run, cases }, files, {
        projectName: options.projectName,
        ...planned.parts[at],
        ...(branch === undefined ? {} : { branch }),
        metadata: options.metadata,
        found: { history: { file: name } },
      }),
      { reports: [], traces: options.uploadTraces ? run.traces : [], attachments },
    );
  });
  return { ok: true, deliveries, warnings };
};
