import type { Queries } from '../../db/database.ts';
import type { News } from '../../statistics/explain-failures.ts';
import { readMetadataOf } from './queries.ts';
import { listParts } from './shards.ts';
import { toolVersions } from './tool-versions.ts';

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

/** From the metadata of the run, of its shards and of the runs before it, newest first. */
export const readConditions = async (
  queries: Queries,
  run: { readonly id: number },
  earlier: readonly { readonly id: number }[],
): Promise<Conditions> => {
  const before = earlier.slice(0, MOST_EARLIER).map(({ id }) => id);
  const metadata = await readMetadataOf(queries, [run.id, ...before]);
  const factsOfRun = new Map([...metadata].map(([id, told]) => [id, factsOf(told)]));
  const shards = (await listParts(queries, [run.id])).map(({ shard, metadata: given }) => ({
    shard,
    facts: factsOf(given === null ? null : JSON.parse(given)),
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

const factsOf = (metadata: unknown): Facts => {
  const { environment } = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as {
    environment?: unknown;
  };
  const versions = toolVersions(metadata);
  return typeof environment === 'string' ? new Map([...versions, [ENVIRONMENT, environment]]) : versions;
};
