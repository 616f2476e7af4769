import type { QueryGroup, QueryOver, ViewQuery } from '@assay/contract';
import { CLUSTER_FIELDS, type Filterable, RESULT_FIELDS, RUN_FIELDS, TEST_FIELDS } from '@assay/contract/filter';

export const OVERS: readonly { readonly value: QueryOver; readonly label: string }[] = [
  { value: 'results', label: 'Results' },
  { value: 'runs', label: 'Runs' },
  { value: 'tests', label: 'Tests' },
  { value: 'clusters', label: 'Clusters' },
];

export const FIELDS: Readonly<Record<QueryOver, Filterable>> = {
  results: RESULT_FIELDS,
  runs: RUN_FIELDS,
  tests: TEST_FIELDS,
  clusters: CLUSTER_FIELDS,
};

const GROUP_LABELS: Readonly<Record<QueryGroup, string>> = {
  day: 'Day',
  status: 'Status',
  cause: 'Cause',
  owner: 'Owner',
  branch: 'Branch',
  file: 'File',
  environment: 'Environment',
};

const GROUPS: Readonly<Record<QueryOver, readonly QueryGroup[]>> = {
  results: ['day', 'status', 'cause', 'owner', 'branch', 'file', 'environment'],
  runs: ['day', 'status', 'branch', 'environment'],
  tests: ['status', 'owner', 'file'],
  clusters: ['status'],
};

interface Option {
  readonly value: string;
  readonly label: string;
}

export const groupsOf = (over: QueryOver): Option[] => [
  { value: '', label: 'Not grouped' },
  ...GROUPS[over].map((group) => ({ value: group, label: `By ${GROUP_LABELS[group].toLowerCase()}` })),
];

export const labelOfGroup = (group: QueryGroup): string => GROUP_LABELS[group];

const ORDERS: Readonly<Record<QueryOver, readonly Option[]>> = {
  results: [
    { value: '', label: 'Newest first' },
    { value: 'started', label: 'Oldest first' },
    { value: '-duration', label: 'Slowest first' },
    { value: 'duration', label: 'Fastest first' },
  ],
  runs: [
    { value: '', label: 'Newest first' },
    { value: 'started', label: 'Oldest first' },
    { value: '-failed', label: 'Most failures first' },
    { value: '-duration', label: 'Longest first' },
  ],
  tests: [
    { value: '', label: 'Newest first' },
    { value: '-failed', label: 'Most failures first' },
    { value: 'passrate', label: 'Lowest pass rate first' },
    { value: '-flakyrate', label: 'Flakiest first' },
    { value: '-p90', label: 'Slowest first' },
    { value: '-lastrun', label: 'Last run first' },
  ],
  clusters: [
    { value: '', label: 'Last seen first' },
    { value: '-first', label: 'Newest first' },
    { value: '-failures', label: 'Most failures first' },
    { value: '-runs', label: 'Most runs first' },
  ],
};

/** One that nobody is offered, but that a link names, stays. */
export const ordersOf = (over: QueryOver, chosen: string): readonly Option[] =>
  ORDERS[over].some(({ value }) => value === chosen)
    ? ORDERS[over]
    : [...ORDERS[over], { value: chosen, label: `Order ${chosen}` }];

export const DEFAULT_DAYS = 30;
const DAYS = [1, 7, 30, 90, 365, 3_650];

export const daysOf = (chosen: number): Option[] =>
  [...new Set([...DAYS, chosen])]
    .sort((a, b) => a - b)
    .map((days) => ({
      value: String(days),
      label: days === 1 ? 'Today' : days === 3_650 ? 'Last ten years' : `Last ${days} days`,
    }));

/** What is asked of the service. A day begins and ends in UTC, as groups by day do. */
export const askedOf = ({ days = DEFAULT_DAYS, ...query }: ViewQuery, project: number, now: Date) => {
  const since = new Date(now);
  since.setUTCHours(0, 0, 0, 0);
  since.setUTCDate(since.getUTCDate() - days + 1);
  return { ...query, project, since: since.toISOString() };
};

type Parts = Readonly<Record<string, string | undefined>>;

/** A query as parts of an address. */
export const addressOf = ({ over, filter, order, by, branch, days }: ViewQuery, view?: number): Parts => ({
  over: over === 'results' ? undefined : over,
  filter: filter || undefined,
  order,
  by,
  branch,
  days: days === undefined || days === DEFAULT_DAYS ? undefined : String(days),
  view: view === undefined ? undefined : String(view),
});

/** What an address asks; what makes no sense in it is left out. */
export const readAddress = (search: URLSearchParams): ViewQuery => {
  const over = OVERS.find(({ value }) => value === search.get('over'))?.value ?? 'results';
  const by = GROUPS[over].find((group) => group === search.get('by'));
  const days = Number(search.get('days') ?? DEFAULT_DAYS);
  const filter = search.get('filter');
  const order = search.get('order');
  const branch = search.get('branch');
  return {
    over,
    ...(filter && { filter }),
    ...(order && !by && { order }),
    ...(by && { by }),
    ...(branch && { branch }),
    ...(Number.isInteger(days) && days > 0 && days <= 3_650 && days !== DEFAULT_DAYS && { days }),
  };
};

/** Counts of the last days, oldest first, with nothing where a day has none. */
export const daily = (
  groups: readonly { readonly key: string | null; readonly count: number }[],
  days: number,
  now: Date,
): number[] => {
  const counts = new Map(groups.map(({ key, count }) => [key, count]));
  return Array.from({ length: days }, (_, at) => {
    const day = new Date(now);
    day.setUTCDate(day.getUTCDate() - (days - 1 - at));
    return counts.get(day.toISOString().slice(0, 10)) ?? 0;
  });
};
