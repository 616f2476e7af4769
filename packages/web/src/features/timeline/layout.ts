import { MAX_LANE, type TestCase } from '@assay/contract';
import { type Look, lookOfCase } from '../status/outcome.ts';

/** A result in time. All times are in milliseconds after the first start. */
export interface Bar {
  readonly result: TestCase;
  readonly look: Look;
  readonly from: number;
  readonly to: number;
  /** How much of it, from its beginning, attempts took that another one followed. */
  readonly earlierMs: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Row {
  readonly name: string;
  /** None overlaps the next one. */
  readonly bars: readonly Bar[];
  /** When its worker ran nothing; empty where the worker is not known. */
  readonly gaps: readonly Span[];
}

export interface Layout {
  readonly rows: readonly Row[];
  readonly bars: readonly Bar[];
  /** The start of the first result, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly spanMs: number;
  /** From the first to the last moment at which a test ran. */
  readonly ran: Span;
  /** How many results say no start. */
  readonly withoutStart: number;
  /** Whether every result that ran names its worker, and no worker ran two at once. */
  readonly workersKnown: boolean;
  /** Whether results of one worker overlap. */
  readonly overlapping: boolean;
}

const UNKNOWN = Infinity;
const NOT_RUN = NaN;

export const layOut = (results: readonly TestCase[]): Layout => {
  const started = results.flatMap((result) => {
    const start = Date.parse(result.startTime ?? '');
    return Number.isNaN(start) ? [] : [{ result, start }];
  });
  const startedAt = started.reduce((first, { start }) => Math.min(first, start), Infinity);
  const bars = started.map(({ result, start }) => barOf(result, start - startedAt));
  const spanMs = bars.reduce((last, { to }) => Math.max(last, to), 0);
  const ran = spanOf(bars.filter(isRun));
  const lanes = Map.groupBy(bars, laneOf);
  const ranOf = new Map([...Map.groupBy(bars.filter(isRun), shardOf)].map(([shard, some]) => [shard, spanOf(some)]));
  let overlapping = false;
  const rows = [...lanes.keys()].sort(byLane).flatMap((lane) => {
    const packed = packRows(lanes.get(lane)!);
    const isWorker = Number.isFinite(lane);
    overlapping ||= isWorker && packed.length > 1;
    return packed.map((bars, at) => ({
      name: nameOf(lane) + (at === 0 ? '' : ` (${at + 1})`),
      bars,
      gaps: isWorker && packed.length === 1 ? gapsOf(bars, ranOf.get(shardOf(bars[0]!)) ?? ran) : [],
    }));
  });
  return {
    rows,
    bars,
    startedAt,
    spanMs,
    ran,
    withoutStart: results.length - started.length,
    workersKnown: !overlapping && !lanes.has(UNKNOWN) && bars.some(isRun),
    overlapping,
  };
};

/** A result that was skipped took no time, whatever was sent. */
const barOf = (result: TestCase, from: number): Bar => {
  const look = lookOfCase(result.status, result.retries);
  if (look === 'skipped') return { result, look, from, to: from, earlierMs: 0 };
  const durationMs = Math.max(0, result.duration ?? 0);
  const failedMs = result.failedMs ?? 0;
  // The last attempt is one of those that failed if the result did.
  const earlierMs = look === 'failed' ? Math.max(0, failedMs - durationMs) : failedMs;
  return { result, look, from, to: from + earlierMs + durationMs, earlierMs };
};

const spanOf = (bars: readonly Bar[]): Span =>
  bars.length === 0
    ? { from: 0, to: 0 }
    : {
        from: bars.reduce((first, { from }) => Math.min(first, from), Infinity),
        to: bars.reduce((last, { to }) => Math.max(last, to), 0),
      };

export const isRun = ({ look }: Bar): boolean => look !== 'skipped';

export const durationMsOf = ({ from, to }: Span): number => to - from;

/** Each shard counts its lanes from 0. */
const LANES = MAX_LANE + 1;

const shardOf = ({ result }: Bar): number => result.shard ?? 0;

const laneOf = (bar: Bar): number => {
  const { lane } = bar.result;
  return lane === undefined ? (isRun(bar) ? UNKNOWN : NOT_RUN) : shardOf(bar) * LANES + lane;
};

const byLane = (a: number, b: number): number => {
  if (a === b) return 0;
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
  return a - b;
};

const nameOf = (lane: number): string => {
  if (Number.isNaN(lane)) return 'Not run';
  if (lane === UNKNOWN) return 'Unknown worker';
  const worker = `Worker ${(lane % LANES) + 1}`;
  return lane < LANES ? worker : `Shard ${Math.floor(lane / LANES)} · ${worker}`;
};

/** As many rows as results overlap at most. */
const packRows = (bars: readonly Bar[]): Bar[][] => {
  const byStart = bars.toSorted((a, b) => a.from - b.from || a.to - b.to);
  // Of those that end together the ones without a length come last, as they are placed last.
  const byEnd = byStart.toSorted((a, b) => a.to - b.to || a.from - b.from);
  const rows: Bar[][] = [];
  const rowOf = new Map<Bar, number>();
  /** The lowest last. */
  const free: number[] = [];
  let ended = 0;
  for (const bar of byStart) {
    for (let next = byEnd[ended]; next !== undefined && next.to <= bar.from; next = byEnd[ended]) {
      const row = rowOf.get(next);
      if (row === undefined) break;
      free.splice(placeIn(free, row), 0, row);
      ended++;
    }
    const row = free.pop() ?? rows.push([]) - 1;
    rows[row]!.push(bar);
    rowOf.set(bar, row);
  }
  return rows;
};

/** How many of them, which descend, are above a number. */
const placeIn = (descending: readonly number[], number: number): number => {
  let low = 0;
  let high = descending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (descending[middle]! > number) low = middle + 1;
    else high = middle;
  }
  return low;
};

const gapsOf = (bars: readonly Bar[], ran: Span): Span[] => {
  const gaps: Span[] = [];
  let freeSince = ran.from;
  for (const { from, to } of bars.filter(isRun)) {
    if (from > freeSince) gaps.push({ from: freeSince, to: from });
    freeSince = to;
  }
  if (ran.to > freeSince) gaps.push({ from: freeSince, to: ran.to });
  return gaps;
};

/** The worker that ends last: its results one after the other are why the run took as long as it did. */
export const findCriticalRow = ({ rows, ran, workersKnown }: Layout): Row | null =>
  (workersKnown && rows.find(({ bars }) => bars.some((bar) => isRun(bar) && bar.to === ran.to))) || null;

/** Those that ran while another one did, by their start. */
export const alongside = (bars: readonly Bar[], other: Bar): Bar[] =>
  bars
    .filter((bar) => bar !== other && isRun(bar) && bar.from < other.to && bar.to > other.from)
    .sort((a, b) => a.from - b.from);

/** The nearest one to a time in a row, if it is within reach. */
export const barAt = ({ bars }: Row, time: number, reachMs: number): Bar | null => {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bars[middle]!.from <= time) low = middle + 1;
    else high = middle;
  }
  const distanceOf = ({ from, to }: Bar): number => Math.max(from - time, time - to, 0);
  const near = [bars[low - 1], bars[low]].filter((bar) => bar !== undefined);
  const [nearest] = near.sort((a, b) => distanceOf(a) - distanceOf(b));
  return nearest && distanceOf(nearest) <= reachMs ? nearest : null;
};
