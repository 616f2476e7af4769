import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { allProjectsRevision } from '../projects/queries.ts';
import { presentProjectName } from '../runs/present-run.ts';
import { errorsRevision, findErrors } from './find-errors.ts';
import { findRuns } from './find-runs.ts';
import { findTests } from './find-tests.ts';
import { hasAllWords, wordsOf } from './words.ts';

const DEFAULT_LIMIT = 8;
const MOST_PROJECTS = 10_000;
const NOTHING_LEFT_OUT = { runs: null, tests: null, errors: null };

export const searchRoutes = ({ config, queries, clusterIndex }: Context): Route[] => [
  read(endpoints.searchEverything, {
    revision: async () => `${await allProjectsRevision(queries)}.${await errorsRevision({ queries, clusterIndex })}`,
    async answer({ query: { q, limit = DEFAULT_LIMIT } }) {
      const words = wordsOf(q);
      if (words.length === 0) {
        return { body: { projects: [], runs: [], tests: [], errors: [], searchedNewest: NOTHING_LEFT_OUT } };
      }
      const limits = { most: limit, mostSearched: config.mostSearched };
      const projects = await findProjects(queries, words, limit);
      const runs = await findRuns(queries, words, limits);
      const tests = await findTests(queries, words, limits);
      const errors = await findErrors(queries, words, limits);
      const searchedNewest = {
        runs: runs.searchedNewest,
        tests: tests.searchedNewest,
        errors: errors.searchedNewest,
      };
      return {
        body: { projects, runs: [...runs.found], tests: [...tests.found], errors: [...errors.found], searchedNewest },
      };
    },
  }),
];

const findProjects = async (queries: Queries, words: readonly string[], limit: number) => {
  const projects = await queries
    .selectFrom('projects')
    .select(['id', 'name', 'label'])
    .where('archived_at', 'is', null)
    .orderBy('active_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_PROJECTS)
    .execute();
  return projects
    .filter(({ name, label }) => hasAllWords(words, [name, label]))
    .slice(0, limit)
    .map(presentProjectName);
};
