import type { FoundTest } from '@assay/contract';
import { type SqlBool, sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { archivedProjects, projectNames } from './find-runs.ts';
import { type ScanLimits, type Scanned, scanNewest } from './scan-newest.ts';
import { hasAllWords, likePattern } from './words.ts';

/** By title or file. */
export const findTests = async (
  queries: Queries,
  words: readonly string[],
  limits: ScanLimits,
): Promise<Scanned<FoundTest>> => {
  const { found, searchedNewest } = await scanNewest(queries, 'tests', limits, async (from, to) => {
    const rows = await queries
      .selectFrom('tests')
      .select(['id', 'project_id', 'title', 'file', 'browser'])
      .where('id', '>=', from)
      .where('id', '<', to)
      .where('project_id', 'not in', archivedProjects(queries))
      .where((eb) =>
        eb.and(
          words
            .map(likePattern)
            .map((pattern) =>
              eb.or([sql<SqlBool>`title like ${pattern} escape '\\'`, sql<SqlBool>`file like ${pattern} escape '\\'`]),
            ),
        ),
      )
      .orderBy('id', 'desc')
      .execute();
    return rows.filter(({ title, file }) => hasAllWords(words, [title, file]));
  });
  const names = await projectNames(
    queries,
    found.map((test) => test.project_id),
  );
  return {
    found: found.map(({ id, project_id, title, file, browser }) => ({
      id,
      title,
      filePath: file,
      browser,
      project: names.get(project_id)!,
    })),
    searchedNewest,
  };
};
