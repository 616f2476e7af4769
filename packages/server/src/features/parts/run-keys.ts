import type { Queries } from '../../db/database.ts';

/** What a key has named before. */
export interface KnownKey {
  readonly key: string;
  readonly run_id: number;
  readonly project_id: number;
  readonly part_id: number | null;
}

const REQUEST = 'request:';

/** The two kinds of key are apart: a header may happen to equal the run key of another run. */
export const keysOf = (runKey: string | null, idempotencyKey: string | null): string[] => [
  ...(idempotencyKey === null ? [] : [`${REQUEST}${idempotencyKey}`]),
  ...(runKey === null ? [] : [`run:${runKey}`]),
];

export const findKeys = (transaction: Queries, projectName: string, keys: readonly string[]): Promise<KnownKey[]> =>
  transaction
    .selectFrom('run_keys')
    .innerJoin('projects', 'projects.id', 'run_keys.project_id')
    .select(['run_keys.key', 'run_keys.run_id', 'run_keys.project_id', 'run_keys.part_id'])
    .where('projects.name', '=', projectName)
    .where('run_keys.key', 'in', keys)
    .execute();

export const requestKeyAmong = (known: readonly KnownKey[]): KnownKey | undefined =>
  known.find(({ key }) => key.startsWith(REQUEST));

/** Lets keys name a run or a part of it; one that named another of its run names this one from now on, and never one of another run. */
export const nameByKeys = async (
  transaction: Queries,
  keys: readonly string[],
  part: { readonly project_id: number; readonly run_id: number; readonly part_id: number | null },
): Promise<void> => {
  for (const key of keys) {
    await transaction
      .insertInto('run_keys')
      .values({ ...part, key })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'key'])
          .doUpdateSet({ part_id: part.part_id })
          .where('run_keys.run_id', '=', part.run_id),
      )
      .execute();
  }
};
