import type { Queries } from '../../db/database.ts';
import type { News } from '../../statistics/explain-failures.ts';
import { listParts } from './shards.ts';

/** What a run, or a shard of it, ran in and with. */
export interface Conditions {
  /** By shard, where shards differ. */
  readonly ofShard: ReadonlyMap<number, Readonly<Record<News['of'], string | null>>>;
  /** What all of the run has and none of the runs before it had. */
  readonly news: readonly News[];
}

export const NO_CONDITIONS: Conditions = { ofShard: new Map(), news: [] };

/** Runs before that are looked at: their metadata may be large. */
const MOST_EARLIER = 10;
const MOST_FACTS = 20;
const LONGEST_VALUE = 100;

/** From the metadata of the run, of its shards and of the runs before it, newest first. */
export const readConditions = async (
  queries: Queries,
  run: { readonly id: number },
  earlier: readonly { readonly id: number }[],
): Promise<Conditions> => {
  const before = earlier.slice(0, MOST_EARLIER).map(({ id }) => id);
  const rows = await queries
    .selectFrom('runs')
    .select(['id', 'metadata'])
    .where('id', 'in', [run.id, ...before])
    .execute();
  const factsOfRun = new Map(rows.map(({ id, metadata }) => [id, factsOf(metadata)]));
  const shards = (await listParts(queries, [run.id])).map(({ shard, metadata }) => ({
    shard,
    facts: factsOf(metadata),
  }));
  const names = new Set(shards.flatMap(({ facts }) => [...facts.keys()]));
  const differing = new Set([...names].filter((name) => new Set(shards.map(({ facts }) => facts.get(name))).size > 1));
  return {
    ofShard:
      differing.size === 0
        ? NO_CONDITIONS.ofShard
        : new Map(shards.map(({ shard, facts }) => [shard, conditionsOf(facts, differing)])),
    news: newsOf(
      new Map([...(factsOfRun.get(run.id) ?? [])].filter(([name]) => !differing.has(name))),
      before.flatMap((id) => factsOfRun.get(id) ?? []),
    ),
  };
};

/** `environment`, and versions by the name of what they are of. */
type Facts = ReadonlyMap<string, string>;

const ENVIRONMENT = 'environment';

const conditionsOf = (facts: Facts, names: ReadonlySet<string>) => {
  const versions = [...facts].filter(([name]) => names.has(name) && name !== ENVIRONMENT);
  return {
    environment: names.has(ENVIRONMENT) ? (facts.get(ENVIRONMENT) ?? null) : null,
    version: versions.length === 0 ? null : versions.map(([name, value]) => `${name} ${value}`).join(', '),
  };
};

const newsOf = (facts: Facts, earlier: readonly Facts[]): News[] =>
  [...facts].flatMap(([name, value]): News[] => {
    const known = earlier.flatMap((those) => those.get(name) ?? []);
    // A tool of which nobody told before may have been there.
    if (known.includes(value) || earlier.length === 0 || (name !== ENVIRONMENT && known.length === 0)) return [];
    const before = known[0] ?? null;
    return name === ENVIRONMENT
      ? [{ of: 'environment', value, before }]
      : [{ of: 'version', value: `${name} ${value}`, before }];
  });

/** Such as `{"playwright": {"version": "1.50.0"}, "nodeVersion": "24.1.0", "versions": {"chrome": "130"}}`. */
const factsOf = (metadata: string | null): Facts => {
  const facts = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '' || facts.size === MOST_FACTS) return;
    facts.set(name, String(value).slice(0, LONGEST_VALUE));
  };
  for (const [name, value] of Object.entries(fieldsOf(metadata === null ? null : JSON.parse(metadata)))) {
    if (name === ENVIRONMENT) add(name, value);
    else if (name === 'versions') for (const [tool, version] of Object.entries(fieldsOf(value))) add(tool, version);
    else if (/.[-_ ]?version$/i.test(name)) add(name.replace(/[-_ ]?version$/i, ''), value);
    else add(name, fieldsOf(value)['version']);
  }
  return facts;
};

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
