import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import type { RunRow } from '../../db/tables.ts';
import type { Outline } from '../../segments/outline.ts';
import type { Results } from '../../segments/results.ts';
import { nextTurn } from '../../turns.ts';
import { RUN_REF_COLUMNS } from '../runs/run-refs.ts';
import { type Window, inWindow } from '../runs/window.ts';

const SCANNED_RUN_COLUMNS = [
  ...RUN_REF_COLUMNS,
  'sequence',
  'environment',
  'result_count',
  'version',
  'damage',
] as const;
export type ScannedRun = Pick<RunRow, (typeof SCANNED_RUN_COLUMNS)[number]>;

/** Read at once: few at first, since the newest runs mostly have what is looked for. */
const FIRST_RUNS = 64;
const MOST_RUNS = 1_000;
const FIRST_RESULTS = 5_000;
const MOST_RESULTS = 100_000;

export interface RunPlace {
  readonly start: number;
  readonly id: number;
}

export interface RunsOf {
  readonly projectId: number;
  readonly window: Window;
  readonly isDescending: boolean;
  /** The first run that is read, unless it is gone. */
  readonly from: RunPlace | null;
}

/** The runs of a project in the order of their starts, some at a time. */
export async function* listScannedRuns(
  queries: Queries,
  { projectId, window, isDescending, from }: RunsOf,
): AsyncGenerator<ScannedRun[]> {
  const direction = isDescending ? 'desc' : 'asc';
  const [beyond, beyondOrAt] = isDescending ? (['<', '<='] as const) : (['>', '>='] as const);
  let next = from;
  let isFirst = true;
  for (let count = FIRST_RUNS; ; count = MOST_RUNS) {
    const after = next;
    const isOr = isFirst ? beyondOrAt : beyond;
    const runs = await inWindow(
      queries
        .selectFrom('runs')
        .select(SCANNED_RUN_COLUMNS)
        .where('project_id', '=', projectId)
        .$if(after !== null, (query) =>
          // Both bounds: the first lets the index start there.
          query
            .where('start_time', beyondOrAt, after!.start)
            .where(({ eb, or }) => or([eb('start_time', beyond, after!.start), eb('id', isOr, after!.id)])),
        ),
      window,
    )
      .orderBy('start_time', direction)
      .orderBy('id', direction)
      .limit(count)
      .execute();
    if (runs.length > 0) yield runs;
    if (runs.length < count) return;
    const last = runs.at(-1)!;
    next = { start: last.start_time, id: last.id };
    isFirst = false;
  }
}

export interface LookedAt {
  readonly runIds: number[];
  /** Runs whose outlines show that none of their results can match. */
  skippedRuns: number;
  rows: number;
  /** The first run that was left out, because too many results were looked at. */
  leftOut: RunPlace | null;
}

export interface ScanCall {
  startLargeRead(rows: number): Promise<void>;
  untilGone(): AbortSignal;
}

/**
 * The results of runs, in their order, as many at once as were needed so far; ends when too many were looked at. Runs that
 * their outlines rule out are not looked at.
 */
export async function* readScannedRuns(
  { queries, segments, outlines, config }: Pick<Context, 'queries' | 'segments' | 'outlines' | 'config'>,
  of: RunsOf,
  mayMatch: ((outline: Outline) => boolean) | null,
  call: ScanCall,
  lookedAt: LookedAt,
): AsyncGenerator<{ readonly run: ScannedRun; readonly results: Results }> {
  const gone = call.untilGone();
  let most = FIRST_RESULTS;
  for await (const listed of listScannedRuns(queries, of)) {
    const readable = listed.filter(({ damage }) => damage === null);
    const runs = mayMatch ? await outlines.narrow(of.projectId, readable, mayMatch) : readable;
    if (runs.length < readable.length) {
      lookedAt.skippedRuns += readable.length - runs.length;
      gone.throwIfAborted();
      await nextTurn();
    }
    for (let start = 0; start < runs.length;) {
      gone.throwIfAborted();
      const room = Math.min(most, config.mostQueried - lookedAt.rows);
      let end = start;
      let count = 0;
      do count += runs[end++]!.result_count;
      while (end < runs.length && count + runs[end]!.result_count <= room);
      if (lookedAt.rows > 0 && lookedAt.rows + count > config.mostQueried) {
        lookedAt.leftOut = { start: runs[start]!.start_time, id: runs[start]!.id };
        return;
      }
      await call.startLargeRead(lookedAt.rows + count);
      const some = runs.slice(start, end);
      const found = await segments.results(some);
      for (const run of some) {
        const results = found.get(run.id);
        if (!results) continue;
        lookedAt.runIds.push(run.id);
        lookedAt.rows += results.rows;
        yield { run, results };
      }
      start = end;
      most = Math.min(2 * most, MOST_RESULTS);
    }
  }
}
