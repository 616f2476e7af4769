import type { Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';

/** The environments of a project, and the runs of each in their order. */
export const runsByEnvironment: Migration = {
  name: 'runs-by-environment',
  async up({ schema }: Queries) {
    await schema
      .createIndex('runs_by_environment')
      .on('runs')
      .columns(['project_id', 'environment', 'start_time'])
      .where('environment', 'is not', null)
      .execute();
  },
};
