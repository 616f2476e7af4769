import { type RetentionPreview, type RetentionSettings, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { ProjectRow } from '../../db/tables.ts';
import { nextTurn } from '../../turns.ts';
import { FIRST_PLACE, type Place, RUNS_PER_PAGE, findExpired, storedBytes } from './find-expired.ts';
import type { Kept } from './rules.ts';
import { sizesOfRuns } from './run-sizes.ts';

const FIRST_RUNS = 20;

type PreviewedProject = Pick<ProjectRow, 'id' | 'name' | 'label' | 'archived_at' | 'total_runs'>;

/** What settings would delete now: the same search as the deletion's, over what would be left. */
export const previewRetention = async (
  queries: Queries,
  projects: readonly PreviewedProject[],
  settings: RetentionSettings,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<RetentionPreview> => {
  const totals = { runs: 0, results: 0, strippedRuns: 0, reports: 0, traces: 0, attachments: 0, fileBytes: 0 };
  const preview = { ...totals, databaseBytes: 0, kept: { pinned: 0, branch: 0, live: 0 } };
  const ofProjects: RetentionPreview['projects'] = [];
  const first: RetentionPreview['first'] = [];
  for (const project of projects) {
    const projectId = project.id;
    const deleted = new Set<number>();
    const stripped = new Set<number>();
    const kept = new Map<number, Kept>();
    let freedBytes = 0;
    for (let place: Place | null = FIRST_PLACE; place !== null;) {
      signal.throwIfAborted();
      const supposed = { deleted, stripped, freedBytes };
      const page = await findExpired(queries, { projectId, settings, now, place, supposed, most: RUNS_PER_PAGE });
      const sizes = await sizesOfRuns(
        queries,
        page.expired.map(({ run }) => run.id),
      );
      for (const { run, reason } of page.expired) {
        const { databaseBytes, fileBytes, ...counts } = sizes.get(run.id)!;
        const goesWhole = reason !== 'files';
        if (!stripped.has(run.id)) {
          for (const name of ['reports', 'traces', 'attachments'] as const) preview[name] += counts[name];
          preview.fileBytes += fileBytes;
          freedBytes += fileBytes;
        }
        if (goesWhole) {
          preview.results += run.row.result_count;
          preview.databaseBytes += databaseBytes;
          freedBytes += databaseBytes;
        }
        (goesWhole ? deleted : stripped).add(run.id);
        if (goesWhole) stripped.delete(run.id);
        if (first.length === FIRST_RUNS) continue;
        const { status, branch } = run.row;
        first.push({ id: run.id, projectId, startTime: formatTime(run.startTime), branch, status, reason });
      }
      for (const { run, why } of page.kept) kept.set(run.id, why);
      ({ next: place } = page);
      await nextTurn();
    }
    preview.runs += deleted.size;
    preview.strippedRuns += stripped.size;
    for (const why of kept.values()) preview.kept[why]++;
    const stored = settings.bytes === null ? 0 : (await storedBytes(queries, projectId)) - freedBytes;
    const bytesOver = Math.max(0, stored - (settings.bytes ?? 0));
    if (deleted.size + stripped.size + bytesOver === 0) continue;
    const { id, name, label, archived_at, total_runs } = project;
    const figures = { runs: deleted.size, strippedRuns: stripped.size, runsLeft: total_runs - deleted.size, bytesOver };
    ofProjects.push({ id, name, label, archived: archived_at !== null, ...figures });
  }
  return { ...preview, projects: ofProjects, first };
};
