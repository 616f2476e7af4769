import type { ExecutionDifference } from '@assay/contract';
import type { Execution, Moment } from './execution.ts';
import type { Usual } from './usual.ts';

/** Of ten passing executions one may have an error too, as by a flake; of fewer none. */
const ENOUGH_FOR_ONE = 10;

export interface Placed {
  readonly place: number;
  readonly difference: ExecutionDifference;
}

/** Moments of one kind. */
export interface Compared {
  readonly kind: Moment['kind'];
  readonly subject: Execution;
  /** Moments of the subject. */
  readonly own: readonly Moment[];
  /** The step that failed. */
  readonly stop: Moment | null;
  readonly passing: readonly Execution[];
  readonly usualOf: ReadonlyMap<string, Usual>;
}

export const isFailedStep = ({ kind, outcome, isOuterFailure }: Moment): boolean =>
  kind === 'step' && outcome === 'failed' && !isOuterFailure;
export const endOf = ({ atMs, durationMs }: Moment): number => atMs + (durationMs ?? 0);
export const keyOf = ({ key }: Moment): string => key;
export const mostAlike = (results: number): number => (results >= ENOUGH_FOR_ONE ? 1 : 0);

/** Whether a key is of a step in one of these. */
export const isInside = (key: string, told: ReadonlySet<string>): boolean => {
  for (let at = key.lastIndexOf(' › '); at > 0; at = key.lastIndexOf(' › ', at - 1)) {
    if (told.has(key.slice(0, at))) return true;
  }
  return false;
};

export const NO_DIFFERENCE = {
  here: null,
  usual: null,
  hereMs: null,
  usualMs: null,
  hereTimes: 0,
  usualTimes: 0,
  alike: 0,
  atMs: null,
};

export const describe = (moment: Moment, results: number): ExecutionDifference => ({
  ...NO_DIFFERENCE,
  kind: moment.kind,
  change: 'added',
  what: moment.text,
  hereTimes: 1,
  results,
  atMs: moment.isTimed ? Math.round(moment.atMs) : null,
});

export const statusOf = ({ kind, outcome }: Moment): string | null => (kind === 'request' ? outcome : null);

export const countBy = (moments: readonly Moment[], nameOf: (moment: Moment) => string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const moment of moments) counts.set(nameOf(moment), (counts.get(nameOf(moment)) ?? 0) + 1);
  return counts;
};
