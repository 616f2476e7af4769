import { MOST_QUERY_GROUPS, type QueryFigure, type QueryGroupRow, type QueryReply } from '@assay/contract';

export interface Group {
  readonly key: string | null;
  count: number;
  timed: number;
  sumMs: number;
  sketch: Sketch | null;
}

/** Rows by key. */
export interface Groups {
  /** Null when there are too many. */
  find(key: string | null): Group | null;
  /** A row counts once in all, though it may be in several groups. */
  found: number;
  uncounted: number;
}

export const startGroups = (): Groups & { readonly all: ReadonlyMap<string | null, Group> } => {
  const all = new Map<string | null, Group>();
  return {
    all,
    found: 0,
    uncounted: 0,
    find(key) {
      const known = all.get(key);
      if (known) return known;
      if (all.size >= MOST_QUERY_GROUPS) return null;
      const group: Group = { key, count: 0, timed: 0, sumMs: 0, sketch: null };
      all.set(key, group);
      return group;
    },
  };
};

/** How many durations are in each bucket, from the first one that has any. */
interface Sketch {
  first: number;
  counts: Uint32Array;
}

/** Each bucket is so many times as wide as the one before. */
const WIDER = 1.01;
const LOG_WIDER = Math.log(WIDER);
/** Half a microsecond and less is as good as nothing. */
const ZERO = -764;
const SPARE = 64;

const bucketOf = (ms: number): number => Math.max(ZERO, Math.ceil(Math.log(ms) / LOG_WIDER));
/** Most durations are whole and short. */
const BUCKETS_OF_WHOLE = Int16Array.from({ length: 8_192 }, (_, ms) => bucketOf(ms));

export const addDuration = (group: Group, ms: number, withQuantiles: boolean): void => {
  group.timed++;
  group.sumMs += ms;
  if (!withQuantiles) return;
  const bucket = BUCKETS_OF_WHOLE[ms] ?? bucketOf(ms);
  const { first, counts } = (group.sketch = withRoom(group.sketch, bucket));
  counts[bucket - first]!++;
};

const withRoom = (sketch: Sketch | null, bucket: number): Sketch => {
  if (sketch === null) return { first: bucket - SPARE, counts: new Uint32Array(2 * SPARE) };
  const { first, counts } = sketch;
  const end = first + counts.length;
  if (bucket >= first && bucket < end) return sketch;
  const newFirst = Math.min(first, bucket - SPARE);
  const wider = new Uint32Array(Math.max(end, bucket + SPARE) - newFirst);
  wider.set(counts, first - newFirst);
  return { first: newFirst, counts: wider };
};

/** The middle of the bucket that has the nearest rank. */
const quantileOf = ({ sketch, timed }: Group, percent: number): number | null => {
  if (sketch === null) return null;
  const rank = Math.max(1, Math.ceil((percent / 100) * timed));
  let below = 0;
  const at = sketch.counts.findIndex((count) => (below += count) >= rank);
  const bucket = sketch.first + at;
  return bucket <= ZERO ? 0 : (2 * WIDER ** bucket) / (WIDER + 1);
};

type GroupedReply = Required<Pick<QueryReply, 'groups' | 'found' | 'totalGroups' | 'uncounted'>>;

export const presentGroups = (
  { all, found, uncounted }: ReturnType<typeof startGroups>,
  {
    by,
    figures,
    limit,
  }: { readonly by: string | undefined; readonly figures: ReadonlySet<QueryFigure>; readonly limit: number },
): GroupedReply => {
  const groups = [...all.values()].filter(({ count }) => count > 0);
  const newestFirst = by === 'day';
  groups.sort((a, b) => (newestFirst ? 0 : b.count - a.count) || compareKeys(a.key, b.key) * (newestFirst ? -1 : 1));
  return {
    groups: groups.slice(0, limit).map((group) => presentGroup(group, found, figures)),
    found,
    totalGroups: groups.length,
    uncounted,
  };
};

const presentGroup = (group: Group, found: number, figures: ReadonlySet<QueryFigure>): QueryGroupRow => {
  const { key, count, timed, sumMs } = group;
  const row: QueryGroupRow = { key, count };
  if (figures.has('share')) row.share = count / found;
  if (!figures.has('sum') && !figures.has('quantiles')) return row;
  row.duration = { count: timed, sum: sumMs };
  if (!figures.has('quantiles')) return row;
  row.duration.p50 = quantileOf(group, 50);
  row.duration.p90 = quantileOf(group, 90);
  row.duration.p99 = quantileOf(group, 99);
  return row;
};

/** Texts by code units; what has no key comes last. */
const compareKeys = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;

/** The day in UTC that a time is on. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
