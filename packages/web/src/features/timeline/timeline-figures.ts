import type { Run } from '@assay/contract';
import { durationMsOf, isRun, type Layout } from './layout.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export interface WorkerFigures {
  readonly count: number;
  readonly idleMs: number;
  /** Of the time that all workers had. */
  readonly idleShare: number;
  /** As long as the same results would take if they were spread evenly over as many workers. */
  readonly atBestMs: number;
}

export interface TimelineFigures {
  /** Of all attempts. */
  readonly testMs: number;
  readonly earlierMs: number;
  /** From the first start to the last end; null where the clocks cannot be believed. */
  readonly wallMs: number | null;
  /** How many results ran at once on average. */
  readonly parallel: number | null;
  /** Null where it is not known which worker ran what, or not all of what it ran. */
  readonly workers: WorkerFigures | null;
}

type RunFacts = Pick<Run, 'duration' | 'status' | 'shards'>;

export const figuresOf = (layout: Layout, run: RunFacts): TimelineFigures => {
  const { bars, ran } = layout;
  const wallMs = durationMsOf(ran);
  const testMs = bars.reduce((sum, bar) => sum + durationMsOf(bar), 0);
  const earlierMs = bars.reduce((sum, bar) => sum + bar.earlierMs, 0);
  const believed = wallMs > 0 && !isImplausible(layout, run);
  return {
    testMs,
    earlierMs,
    wallMs: believed ? wallMs : null,
    parallel: believed ? testMs / wallMs : null,
    workers: believed && areWorkersTold(layout, run) ? workerFigures(layout, testMs) : null,
  };
};

/** Shards begin when there is a machine for them, and a run that has not ended says nothing yet. */
const areWorkersTold = ({ workersKnown, withoutStart }: Layout, { status, shards }: RunFacts): boolean =>
  workersKnown && withoutStart === 0 && status !== 'running' && (shards?.total ?? 1) === 1;

const workerFigures = ({ rows, bars, ran }: Layout, testMs: number): WorkerFigures => {
  const count = rows.filter((row) => row.bars.some(isRun)).length;
  const allMs = count * durationMsOf(ran);
  const longestMs = bars.reduce((longest, bar) => Math.max(longest, durationMsOf(bar)), 0);
  return {
    count,
    idleMs: allMs - testMs,
    idleShare: 1 - testMs / allMs,
    atBestMs: Math.max(longestMs, testMs / count),
  };
};

/** Whether the results lie further apart than the run says that it took. Parts of it may have run one after the other. */
export const isImplausible = ({ spanMs }: Pick<Layout, 'spanMs'>, { duration, status, shards }: RunFacts): boolean => {
  if (duration === null || duration === 0 || status === 'running') return spanMs > DAY;
  const parts = (shards?.parts ?? []).map((part) => ({ from: Date.parse(part.startTime), ms: part.duration ?? 0 }));
  if (parts.length === 0) return spanMs > duration * 1.5 + 10 * MINUTE;
  const first = Math.min(...parts.map(({ from }) => from));
  const toldMs = Math.max(...parts.map(({ from, ms }) => from + ms)) - first;
  const allMs = parts.reduce((sum, { ms }) => sum + ms, 0);
  return spanMs > toldMs * 1.5 + 10 * MINUTE || spanMs > 2 * allMs + DAY;
};
