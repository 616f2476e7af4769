import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Queries } from '../db/database.ts';
import { createTestCatalogue } from '../history/test-catalogue.ts';
import { OperatorError } from '../operator-error.ts';
import { createSegmentStore } from '../segments/store.ts';
import { EXPORTED_TABLES } from './columns.ts';
import {
  type ExportedFile,
  type ExportedPart,
  type Manifest,
  newManifest,
  readManifest,
  writeManifest,
} from './manifest.ts';
import { type StoredRun, planParts } from './plan-parts.ts';
import { type NamedProject, listStoredRuns } from './stored-runs.ts';
import type { ExportTarget } from './target.ts';
import { type ExportReader, createTableFiles, exportRun } from './write-run.ts';

const CATALOGUE_BYTES = 32 * 1024 * 1024;

export interface Exported {
  /** In the export now. */
  readonly runs: number;
  readonly results: number;
  readonly files: number;
  /** Written this time: new and changed runs, and those that share a file with one. */
  readonly writtenRuns: number;
  readonly deletedFiles: number;
  /** Runs whose results cannot be read. */
  readonly damaged: readonly number[];
}

/** Brings an export up to date. Each part is listed in the manifest once it is whole, so that a later call goes on there. */
export const exportParquet = async (
  queries: Queries,
  target: ExportTarget,
  onProgress: (writtenRuns: number) => void = () => undefined,
): Promise<Exported> => {
  const { id: installation, copying } = await queries
    .selectFrom('installation')
    .select(['id', 'copying'])
    .executeTakeFirstOrThrow();
  if (copying !== null) throw new OperatorError('The database is an unfinished copy; run assay-server copy again');
  const found = await target.readManifest();
  let manifest = found === null ? newManifest(installation) : readManifest(found, installation, target.name);
  const save = async (changes: Partial<Manifest>): Promise<void> => {
    manifest = { ...manifest, ...changes };
    await target.writeManifest(writeManifest(manifest));
  };
  if (found === null) await save({});
  let [writtenRuns, deletedFiles] = [0, await deleteUnlisted(target, manifest)];
  const damaged: number[] = [];
  const reader: ExportReader = {
    queries,
    segments: createSegmentStore(queries, { maxCachedBytes: 0 }),
    tests: createTestCatalogue(queries, CATALOGUE_BYTES),
  };
  /** New files first: who reads meanwhile finds a run twice rather than not at all. */
  const replaceParts = async (replaced: readonly ExportedPart[], written: readonly ExportedPart[]): Promise<void> => {
    if (replaced.length === 0 && written.length === 0) return;
    const gone = new Set(replaced);
    await save({ parts: [...manifest.parts.filter((part) => !gone.has(part)), ...written] });
    for (const { path } of replaced.flatMap(({ files }) => files)) {
      await target.delete(path);
      deletedFiles++;
    }
  };

  const projects = await queries.selectFrom('projects').select(['id', 'name', 'label', 'revision']).execute();
  const existing = new Set(projects.map(({ id }) => id));
  await replaceParts(
    manifest.parts.filter(({ project }) => !existing.has(project)),
    [],
  );
  for (const project of projects) {
    if (manifest.projects[project.id] === project.revision) continue;
    const stored = await listStoredRuns(queries, project);
    const parts = manifest.parts.filter((part) => part.project === project.id);
    for (const { month, replaced, written } of planParts(stored, parts)) {
      // All new parts at once where they replace others; else one at a time, so that little is lost when it is broken off.
      const waiting: ExportedPart[] = [];
      for (const runs of written) {
        const { part, unreadable } = await writePart(reader, target, project, month, runs);
        damaged.push(...unreadable);
        writtenRuns += part?.runs.length ?? 0;
        onProgress(writtenRuns);
        if (part === null) continue;
        if (replaced.length > 0) waiting.push(part);
        else await replaceParts([], [part]);
      }
      await replaceParts(replaced, waiting);
    }
    await save({ projects: { ...manifest.projects, [project.id]: project.revision } });
  }
  const left = Object.entries(manifest.projects).filter(([id]) => existing.has(Number(id)));
  if (left.length < Object.keys(manifest.projects).length) await save({ projects: Object.fromEntries(left) });

  const files = manifest.parts.flatMap((part) => part.files);
  const rowsOf = (table: string): number =>
    files.filter((file) => file.table === table).reduce((sum, { rows }) => sum + rows, 0);
  return {
    runs: rowsOf('runs'),
    results: rowsOf('results'),
    files: files.length,
    writtenRuns,
    deletedFiles,
    damaged,
  };
};

/** What an export that was broken off left. */
const deleteUnlisted = async (target: ExportTarget, { parts }: Manifest): Promise<number> => {
  const listed = new Set(parts.flatMap(({ files }) => files.map(({ path }) => path)));
  const unlisted: string[] = [];
  for await (const path of target.list()) if (!listed.has(path)) unlisted.push(path);
  for (const path of unlisted) await target.delete(path);
  return unlisted.length;
};

/** Null when all of its runs were deleted meanwhile. */
const writePart = async (
  reader: ExportReader,
  target: ExportTarget,
  project: NamedProject,
  month: string,
  runs: readonly StoredRun[],
): Promise<{ readonly part: ExportedPart | null; readonly unreadable: readonly number[] }> => {
  const staged = { runs: target.newFile(), results: target.newFile(), requests: target.newFile() };
  const tables = createTableFiles(staged);
  const written: ExportedPart['runs'][number][] = [];
  const unreadable: number[] = [];
  for (const { id } of runs) {
    const run = await exportRun(reader, project, id, tables);
    if (run === null) continue;
    written.push([id, run.state, run.results]);
    if (!run.isReadable) unreadable.push(id);
  }
  const name = `part-${runs[0]!.id}-${randomBytes(4).toString('hex')}.parquet`;
  const files: ExportedFile[] = [];
  for (const table of EXPORTED_TABLES) {
    tables[table].close();
    const { rows } = tables[table];
    if (rows === 0) {
      await rm(staged[table]);
      continue;
    }
    const path = `${table}/project=${project.id}/month=${month}/${name}`;
    const bytes = statSync(staged[table]).size;
    await target.put(path, staged[table], bytes);
    files.push({ table, path, rows, bytes });
  }
  const part = written.length === 0 ? null : { project: project.id, month, files, runs: written };
  return { part, unreadable };
};
