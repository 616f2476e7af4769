import type { RetentionSettings } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import { type Bounds, type Choice, PHASES, type Phase, type RetainedRun, chooseExpired, sinceDays } from './rules.ts';
import { type RunSizes, NOTHING_STORED, sizesOfRuns } from './run-sizes.ts';

export const RUNS_PER_PAGE = 500;
/** Each is measured, or deleted in the transaction that found it. */
const MOST_EXPIRED = 64;

/** How far runs were looked through. */
export interface Place {
  readonly phase: Phase;
  readonly after: { readonly startTime: number; readonly id: number } | null;
  /** Those up to the bounds come first, then those whose sender's clock is ahead of ours. */
  readonly isAhead: boolean;
}

export const FIRST_PLACE: Place = { phase: PHASES[0], after: null, isAhead: false };

const COLUMNS = [
  'id',
  'sequence',
  'status',
  'start_time',
  'created_at',
  'branch',
  'pinned_at',
  'result_count',
  'version',
] as const;
type FoundColumns = Pick<RunRow, (typeof COLUMNS)[number]>;

export interface FoundRun extends RetainedRun {
  readonly row: FoundColumns;
  readonly sizes: RunSizes;
}

export interface ExpiredPage extends Choice<FoundRun> {
  /** Null at the end. */
  readonly next: Place | null;
}

/** What a dry run would have deleted already. */
export interface Supposed {
  readonly deleted: ReadonlySet<number>;
  readonly stripped: ReadonlySet<number>;
  readonly freedBytes: number;
}

const NOTHING_SUPPOSED: Supposed = { deleted: new Set(), stripped: new Set(), freedBytes: 0 };

interface Search {
  readonly projectId: number;
  readonly settings: RetentionSettings;
  readonly now: number;
  readonly place: Place;
  readonly supposed?: Supposed;
  /** At once, in the phases that measure nothing. */
  readonly most?: number;
}

/** The next runs of a project that are beyond a limit, oldest first: some at a time, for a project may have millions. */
export const findExpired = async (
  queries: Queries,
  { projectId, settings, now, place, supposed = NOTHING_SUPPOSED, most = MOST_EXPIRED }: Search,
): Promise<ExpiredPage> => {
  const { phase } = place;
  const bounds = await readBounds(queries, projectId, settings, phase, now, supposed.freedBytes);
  const before = endOf(phase, bounds);
  if (before === null) return { expired: [], kept: [], next: nextPhase(phase) };
  const rows = await listRuns(queries, projectId, place, before, bounds);
  const present = rows.filter(({ id }) => !supposed.deleted.has(id));
  const runs = await describe(queries, phase, present, supposed.stripped);
  const { expired, kept } = chooseExpired(phase, runs, bounds);
  const some = expired.slice(0, most);
  const last = some.length < expired.length ? some.at(-1)!.run.row : rows.at(-1);
  if (last) return { expired: some, kept, next: { ...place, after: { startTime: last.start_time, id: last.id } } };
  const isDone = phase === 'bytes' || place.isAhead;
  return { expired: [], kept: [], next: isDone ? nextPhase(phase) : { phase, after: null, isAhead: true } };
};

const nextPhase = (phase: Phase): Place | null => {
  const next = PHASES[PHASES.indexOf(phase) + 1];
  return next === undefined ? null : { phase: next, after: null, isAhead: false };
};

/** Runs that start at this time or later stay; null when all do. */
const endOf = (phase: Phase, { runsSince, filesSince, oldestOfNewest, excessBytes }: Bounds): number | null => {
  if (phase === 'bytes') return excessBytes > 0 ? Infinity : null;
  if (phase === 'files') return filesSince;
  if (runsSince === null && oldestOfNewest === null) return null;
  return Math.max(runsSince ?? -Infinity, oldestOfNewest === null ? -Infinity : oldestOfNewest.startTime + 1);
};

const readBounds = async (
  queries: Queries,
  projectId: number,
  settings: RetentionSettings,
  phase: Phase,
  now: number,
  freedBytes: number,
): Promise<Bounds> => {
  const newestFirst = queries
    .selectFrom('runs')
    .select(['id', 'start_time'])
    .where('project_id', '=', projectId)
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  const oldest =
    phase === 'limits' && settings.runs !== null
      ? await newestFirst.offset(settings.runs - 1).executeTakeFirst()
      : undefined;
  const newest =
    phase === 'bytes' && settings.bytes !== null
      ? await newestFirst.where('sequence', '>=', 0).executeTakeFirst()
      : undefined;
  const stored = phase === 'bytes' && settings.bytes !== null ? await storedBytes(queries, projectId) : 0;
  return {
    now,
    runsSince: sinceDays(settings.days, now),
    filesSince: sinceDays(settings.fileDays, now),
    oldestOfNewest: oldest ? { id: oldest.id, startTime: oldest.start_time } : null,
    excessBytes: settings.bytes === null ? 0 : stored - freedBytes - settings.bytes,
    newestId: newest?.id ?? null,
    keepBranches: settings.keepBranches,
  };
};

/** As the storage page counts it. */
export const storedBytes = async (queries: Queries, projectId: number): Promise<number> => {
  const figures = await queries
    .selectFrom('storage_figures')
    .select(['database_bytes', 'report_bytes', 'trace_bytes', 'attachment_bytes'])
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!figures) return 0;
  return figures.database_bytes + figures.report_bytes + figures.trace_bytes + figures.attachment_bytes;
};

const listRuns = (
  queries: Queries,
  projectId: number,
  { after, isAhead }: Place,
  before: number,
  { now, excessBytes }: Bounds,
): Promise<FoundColumns[]> => {
  let query = queries
    .selectFrom('runs')
    .select(COLUMNS)
    .where('project_id', '=', projectId)
    .orderBy('start_time')
    .orderBy('id')
    .limit(excessBytes > 0 ? MOST_EXPIRED : RUNS_PER_PAGE);
  if (isAhead) query = query.where('start_time', '>', now);
  else if (before !== Infinity) query = query.where('start_time', '<', before);
  if (after) {
    query = query
      .where('start_time', '>=', after.startTime)
      .where(({ eb, or }) => or([eb('start_time', '>', after.startTime), eb('id', '>', after.id)]));
  }
  return query.execute();
};

const describe = async (
  queries: Queries,
  phase: Phase,
  rows: readonly FoundColumns[],
  stripped: ReadonlySet<number>,
): Promise<FoundRun[]> => {
  const ids = rows.map(({ id }) => id);
  const sizes = phase === 'bytes' ? await sizesOfRuns(queries, ids) : null;
  const withFiles = phase === 'files' ? await withFilesOf(queries, ids) : null;
  return rows.map((row) => {
    const size = sizes?.get(row.id) ?? NOTHING_STORED;
    return {
      row,
      sizes: size,
      id: row.id,
      startTime: row.start_time,
      createdAt: row.created_at,
      branch: row.branch,
      isPinned: row.pinned_at !== null,
      isLive: row.sequence < 0,
      hasFiles: withFiles?.has(row.id) ?? false,
      bytes: size.databaseBytes + (stripped.has(row.id) ? 0 : size.fileBytes),
    };
  });
};

const withFilesOf = async (queries: Queries, ids: readonly number[]): Promise<Set<number>> => {
  const found = new Set<number>();
  if (ids.length === 0) return found;
  for (const table of ['reports', 'traces', 'attachments'] as const) {
    const rows = await queries.selectFrom(table).select('run_id').distinct().where('run_id', 'in', ids).execute();
    for (const { run_id } of rows) found.add(run_id);
  }
  return found;
};
