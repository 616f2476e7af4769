import type { SubmittedStep } from '@assay/contract';
import { durationOf, errorTextOf, timeOf } from './reading.ts';

export interface LaidStep {
  /** Where it is in the tree, as `0.2.1`. */
  readonly key: string;
  readonly depth: number;
  readonly title: string;
  readonly category: string | null;
  readonly durationMs: number | null;
  /** Of the whole time, from 0 to 1. */
  readonly from: number;
  readonly share: number;
  readonly error: string | null;
  /** Whether the error is its own and not only that of a step inside. */
  readonly blamed: boolean;
  readonly steps: number;
  /** The index behind the last of the steps inside. */
  readonly end: number;
}

export interface Waterfall {
  /** Every step before those inside it. */
  readonly rows: readonly LaidStep[];
  readonly totalMs: number;
  readonly slowest: string | null;
}

interface Draft extends Omit<LaidStep, 'from' | 'share' | 'end' | 'durationMs' | 'blamed'> {
  readonly startMs: number;
  durationMs: number | null;
  endMs: number;
  blamed: boolean;
  end: number;
}

/** Steps stand where their times say; one without a time comes when the one before it has ended. */
export const layOutSteps = (steps: readonly SubmittedStep[], slowest?: SlowestStep): Waterfall => {
  const drafts: Draft[] = [];
  const place = (step: SubmittedStep, key: string, depth: number, cursorMs: number): Draft => {
    const inside = step.steps ?? [];
    const durationMs = durationOf(step.duration);
    const error = errorTextOf(step.error);
    const startMs = firstTime(step) ?? cursorMs;
    const draft: Draft = {
      key,
      depth,
      title: step.title,
      category: step.category ?? null,
      durationMs,
      startMs,
      endMs: startMs + (durationMs ?? 0),
      error,
      blamed: error !== null,
      steps: inside.length,
      end: 0,
    };
    drafts.push(draft);
    let lastMs = startMs;
    inside.forEach((child, at) => {
      const laid = place(child, `${key}.${at}`, depth + 1, lastMs);
      lastMs = Math.max(lastMs, laid.endMs);
      if (laid.error !== null) draft.blamed = false;
    });
    if (durationMs === null) {
      draft.endMs = lastMs;
      if (inside.length > 0) draft.durationMs = lastMs - startMs;
    }
    draft.end = drafts.length;
    return draft;
  };
  let cursorMs = steps.map(firstTime).find((time) => time !== null) ?? 0;
  steps.forEach((step, at) => {
    cursorMs = Math.max(cursorMs, place(step, String(at), 0, cursorMs).endMs);
  });
  const firstMs = drafts.reduce((low, { startMs }) => Math.min(low, startMs), Infinity);
  const totalMs = drafts.reduce((high, { endMs }) => Math.max(high, endMs), firstMs) - firstMs || 0;
  const rows = drafts.map(({ startMs, endMs, ...row }) => ({
    ...row,
    from: totalMs > 0 ? (startMs - firstMs) / totalMs : 0,
    share: totalMs > 0 ? (endMs - startMs) / totalMs : 0,
  }));
  return { rows, totalMs, slowest: slowestKey(rows, slowest) };
};

/** Its own time or, when it has none, the earliest of those inside. */
const firstTime = (step: SubmittedStep): number | null => {
  const own = timeOf(step.startTime);
  if (own !== null) return own;
  const inside = (step.steps ?? []).map(firstTime).filter((time) => time !== null);
  return inside.length > 0 ? inside.reduce((low, time) => Math.min(low, time)) : null;
};

export interface SlowestStep {
  readonly title: string | null;
  readonly durationMs: number | null;
}

/** The one that the runner named, or the longest that has no steps inside; with few steps none needs pointing out. */
const slowestKey = (rows: readonly LaidStep[], named?: SlowestStep): string | null => {
  const leaves = rows.filter(({ steps }) => steps === 0);
  if (leaves.length < 2) return null;
  const alike = rows.filter(({ title }) => title === named?.title);
  const exact = alike.find(({ durationMs }) => durationMs === named?.durationMs) ?? alike[0];
  if (exact) return exact.key;
  const longest = leaves.reduce((most, row) => ((row.durationMs ?? 0) > (most.durationMs ?? 0) ? row : most));
  return (longest.durationMs ?? 0) > 0 ? longest.key : null;
};

/** The rows that are not inside a closed one. */
export const openRows = (rows: readonly LaidStep[], closed: ReadonlySet<string>): LaidStep[] => {
  const open: LaidStep[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at]!;
    open.push(row);
    at = closed.has(row.key) ? row.end : at + 1;
  }
  return open;
};

const SHOWN_AT_ONCE = 300;

/** What is closed at first: in a long list everything but the way to what failed. */
export const closedAtFirst = (rows: readonly LaidStep[]): Set<string> =>
  new Set(rows.length <= SHOWN_AT_ONCE ? [] : groupKeys(rows.filter(({ error }) => error === null)));

export const groupKeys = (rows: readonly LaidStep[]): string[] =>
  rows.filter(({ steps }) => steps > 0).map(({ key }) => key);

/** The titles from the outermost step to the first that failed by itself. */
export const pathToFailure = (rows: readonly LaidStep[]): string[] => {
  const blamed = rows.find((row) => row.blamed);
  if (!blamed) return [];
  return rows.filter(({ key }) => blamed.key === key || blamed.key.startsWith(`${key}.`)).map(({ title }) => title);
};
