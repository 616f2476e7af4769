import { type RequestGroup, durationFigures, resultId } from '@assay/contract';
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
  (b.avgDuration ?? -1) - (a.avgDuration ?? -1) || compareTexts(a.route, b.route) || compareTexts(a.method, b.method);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
