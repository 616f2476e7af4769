import { changeInJson } from '../../scm.ts';
import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

const AT_ONCE = 100;
/** Metadata that was stored before there was a limit may be huge. */
const MOST_CHARACTERS = 65_536;

/** Who made the change that a run tested, and its message: in the metadata, which lists do not read. */
export const authors: Migration = {
  name: 'authors',
  async up(queries: Queries) {
    await queries.schema.alterTable('runs').addColumn('author', 'text').execute();
    await queries.schema.alterTable('runs').addColumn('commit_message', 'text').execute();
    for (let after = 0; ;) {
      const rows = await queries
        .selectFrom('runs')
        .select(['id', 'metadata'])
        .where('id', '>', after)
        .where((eb) => eb(eb.fn<number>('length', ['metadata']), '<=', MOST_CHARACTERS))
        .orderBy('id')
        .limit(AT_ONCE)
        .execute();
      for (const { id, metadata } of rows) {
        const change = changeInJson(metadata);
        if (change.author === null && change.commit_message === null) continue;
        await queries.updateTable('runs').set(change).where('id', '=', id).execute();
      }
      if (rows.length < AT_ONCE) return;
      after = rows.at(-1)!.id;
    }
  },
};
