import { changeInJson } from '../../scm.ts';
import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { fillFromMetadata } from './fill-from-metadata.ts';

/** Who made the change that a run tested, and its message: in the metadata, which lists do not read. */
export const authors: Migration = {
  name: 'authors',
  async up(queries: Queries) {
    await queries.schema.alterTable('runs').addColumn('author', 'text').execute();
    await queries.schema.alterTable('runs').addColumn('commit_message', 'text').execute();
    await fillFromMetadata(queries, (metadata) => {
      const { author, commit_message } = changeInJson(metadata);
      return { author, commit_message };
    });
  },
};
