import { createHash } from 'node:crypto';
import { type RequestGroup, durationFigures, resultId } from '@assay/contract';
import type { Position } from '../../http/page.ts';
import { type Requests, requestAt } from '../../segments/requests.ts';
import { type RowSpan, inPieces, nextTurn } from '../../turns.ts';

interface Group {
  readonly method: string;
  readonly route: string;
  readonly durations: number[];
  readonly cases: Set<number>;
  count: number;
  errors: number;
}

/** The requests of a run by method and route; those of cases that it does not have are left out. */
export const groupRequests = async (
  blocks: readonly Requests[],
  hasCase: (caseIndex: number) => boolean,
): Promise<Group[]> => {
  const groups = new Map<string, Group>();
  for (const block of blocks) {
    await inPieces(block.rows, nextTurn, (span) => addToGroups(groups, block, span, hasCase));
  }
  return [...groups.values()];
};

const addToGroups = (
  groups: Map<string, Group>,
  requests: Requests,
  { from, to }: RowSpan,
  hasCase: (caseIndex: number) => boolean,
): void => {
  for (let row = from; row < to; row++) {
    const { caseIndex, method, route, status, durationMs } = requestAt(requests, row);
    if (!hasCase(caseIndex)) continue;
    const key = `${method} ${route}`;
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { method, route, durations: [], cases: new Set(), count: 0, errors: 0 }));
    group.count++;
    group.cases.add(caseIndex);
    if (durationMs !== null) group.durations.push(durationMs);
    if (status !== null && (status >= 400 || status === 0)) group.errors++;
  }
};

export const presentGroup = (runId: number, group: Group, titleOf: (caseIndex: number) => string): RequestGroup => {
  const { mean, min, max, p90 } = durationFigures(group.durations);
  const cases = [...group.cases];
  return {
    method: group.method,
    route: group.route,
    count: group.count,
    avgDuration: mean,
    maxDuration: max,
    minDuration: min,
    p90Duration: p90,
    errorRate: Math.round((group.errors / group.count) * 100),
    testCases: [...new Set(cases.map(titleOf))],
    testCaseIds: cases.map((caseIndex) => resultId(runId, caseIndex)),
  };
};

/** Slowest average first; groups without any duration last. */
export const slowestFirst = (a: RequestGroup, b: RequestGroup): number =>
  averageOf(b) - averageOf(a) || compareTexts(a.route, b.route) || compareTexts(a.method, b.method);

const averageOf = ({ avgDuration }: RequestGroup): number => avgDuration ?? -1;

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Its average, and a number for its method and route, which may be longer than a cursor. */
export const positionOf = (group: RequestGroup): Position => ({
  value: averageOf(group),
  id: createHash('sha256').update(`${group.method} ${group.route}`).digest().readUIntBE(0, 6),
});

/** How many of the ordered groups come up to a position; none of its average when its group is no longer among them. */
export const countUpTo = (ordered: readonly RequestGroup[], { value, id }: Position): number => {
  let count = ordered.findIndex((group) => averageOf(group) <= value);
  if (count === -1) return ordered.length;
  const first = count;
  for (; count < ordered.length && averageOf(ordered[count]!) === value; count++) {
    if (positionOf(ordered[count]!).id === id) return count + 1;
  }
  return first;
};
