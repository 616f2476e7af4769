import type { Queries } from '../../db/database.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { removeFiles } from '../files/remove-files.ts';
import { raiseRevision } from '../projects/raise-revision.ts';
import { measureFreed } from '../runs/measure-freed.ts';
import { removeRuns } from '../runs/remove-runs.ts';
import { FIRST_PLACE, type FoundRun, type Place, findExpired } from './find-expired.ts';
import { hasLimits } from './rules.ts';
import { readInstallationSettings, readSettings } from './settings.ts';

/** What was deleted of a project so far, and where the audit log says so. */
export interface Told {
  readonly entryId: number;
  readonly figures: Figures;
}

interface Figures {
  readonly runs: number;
  readonly results: number;
  readonly strippedRuns: number;
  readonly reports: number;
  readonly traces: number;
  readonly attachments: number;
  readonly bytes: number;
}

export interface RetainSome {
  readonly projectId: number;
  /** Null at the beginning. */
  readonly place: Place | null;
  readonly told: Told | null;
  readonly actor: Actor;
}

export interface RetainedSome {
  readonly deletedRuns: number;
  /** Runs that lost their files only. */
  readonly stripped: number;
  /** Of the database, where it keeps the room for others. */
  readonly freedBytes: number;
  /** Unreferenced blobs; the caller deletes them. */
  readonly orphans: readonly string[];
  readonly told: Told | null;
  /** Null when nothing is left to do. */
  readonly next: Place | null;
}

/**
 * Deletes the next few runs of a project that are beyond a limit, or their files. What is there and what is set counts as
 * it is in this transaction, so that whatever happened since the last one is heeded.
 */
export const retainSome = async (
  transaction: Queries,
  { projectId, place, told, actor }: RetainSome,
  now: number,
): Promise<RetainedSome> => {
  const project = await transaction
    .selectFrom('projects')
    .select(['name', 'retention'])
    .where('id', '=', projectId)
    .executeTakeFirst();
  const own = readSettings(project?.retention ?? null);
  const settings = own ?? (await readInstallationSettings(transaction));
  const nothing = { deletedRuns: 0, stripped: 0, freedBytes: 0, orphans: [], told };
  if (!project || !hasLimits(settings)) return { ...nothing, next: null };
  const from = place ?? FIRST_PLACE;
  const { expired, next } = await findExpired(transaction, { projectId, settings, now, place: from });
  if (expired.length === 0) return { ...nothing, next };

  const runs = expired.map(({ run }) => run);
  const before = await readFigures(transaction, projectId);
  const isStripping = from.phase === 'files';
  const { value: orphans, freedBytes } = await measureFreed(transaction, projectId, () =>
    isStripping
      ? stripRuns(transaction, projectId, runs, now)
      : removeRuns(
          transaction,
          projectId,
          runs.map(({ row }) => row),
          now,
        ),
  );
  const after = await readFigures(transaction, projectId);
  const deletedRuns = isStripping ? 0 : runs.length;
  const figures: Figures = {
    runs: (told?.figures.runs ?? 0) + deletedRuns,
    results: (told?.figures.results ?? 0) + before.results - after.results,
    strippedRuns: (told?.figures.strippedRuns ?? 0) + runs.length - deletedRuns,
    reports: (told?.figures.reports ?? 0) + before.reports - after.reports,
    traces: (told?.figures.traces ?? 0) + before.traces - after.traces,
    attachments: (told?.figures.attachments ?? 0) + before.attachments - after.attachments,
    bytes: (told?.figures.bytes ?? 0) + before.bytes - after.bytes,
  };
  // One entry for all that one execution does to a project; it says at any time what was done so far.
  const details = { projectId, settings: own ? 'project' : 'installation', ...figures };
  if (told) await transaction.deleteFrom('audit').where('id', '=', told.entryId).execute();
  const subject = `project ${project.name}`;
  const entryId = await audit(transaction, actor, { action: 'runs.retention', subject, details }, now);
  await transaction.updateTable('installation').set({ retention_at: now }).execute();
  const stripped = runs.length - deletedRuns;
  return { deletedRuns, stripped, freedBytes, orphans, told: { entryId, figures }, next };
};

const stripRuns = async (
  transaction: Queries,
  projectId: number,
  runs: readonly FoundRun[],
  now: number,
): Promise<string[]> => {
  const orphans: string[] = [];
  for (const { id } of runs) for (const hash of await removeFiles(transaction, id)) orphans.push(hash);
  await transaction
    .updateTable('runs')
    .set({ files_removed_at: now })
    .where(
      'id',
      'in',
      runs.map(({ id }) => id),
    )
    .execute();
  await raiseRevision(transaction, projectId, now);
  return orphans;
};

const readFigures = async (transaction: Queries, projectId: number) => {
  const { database_bytes, report_bytes, trace_bytes, attachment_bytes, ...counts } = await transaction
    .selectFrom('projects')
    .innerJoin('storage_figures', 'storage_figures.project_id', 'projects.id')
    .select(['total_results as results', 'reports', 'traces', 'attachments'])
    .select(['database_bytes', 'report_bytes', 'trace_bytes', 'attachment_bytes'])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow();
  return { ...counts, bytes: database_bytes + report_bytes + trace_bytes + attachment_bytes };
};
