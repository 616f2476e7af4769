import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { nextTurn } from '../../turns.ts';

/** The parents of each commit that is known. */
export type Links = ReadonlyMap<string, readonly string[]>;

const MOST_COMMITS = 4_000;
const LINE_AT_ONCE = 500;
const SIDES_AT_ONCE = 200;
const MOST_ASKS = 300;

/**
 * The history behind a commit, as far as it takes to reach all that are wanted: along first parents many at a time, then
 * what was merged.
 */
export const readKnownHistory = async (
  queries: Queries,
  projectId: number,
  start: string,
  wanted: ReadonlySet<string>,
): Promise<Links> => {
  const links = new Map<string, readonly string[]>();
  const missing = new Set(wanted);
  const add = (hash: string, parents: string): void => {
    links.set(hash, parents === '' ? [] : parents.split(' '));
    missing.delete(hash);
  };
  let next: string | undefined = start;
  while (next !== undefined && !links.has(next) && missing.size > 0 && links.size < MOST_COMMITS) {
    const line = await readLine(queries, projectId, next);
    for (const { hash, parents } of line) add(hash, parents);
    next = line.length === 0 ? undefined : links.get(line.at(-1)!.hash)![0];
  }
  let frontier = [...links.values()].flatMap((parents) => parents.slice(1));
  const asked = new Set<string>();
  for (let asks = 0; asks < MOST_ASKS && links.size < MOST_COMMITS; asks++) {
    frontier = frontier.filter((hash) => !links.has(hash) && !asked.has(hash));
    if (frontier.length === 0) break;
    await nextTurn();
    const some = frontier.slice(0, SIDES_AT_ONCE);
    frontier = frontier.slice(SIDES_AT_ONCE);
    for (const hash of some) asked.add(hash);
    const rows = await queries
      .selectFrom('commits')
      .select(['hash', 'parents'])
      .where('project_id', '=', projectId)
      .where('hash', 'in', some)
      .execute();
    for (const { hash, parents } of rows) {
      add(hash, parents);
      frontier.push(...links.get(hash)!);
    }
  }
  return links;
};

/** A commit and its first parents, the newest first. */
const readLine = async (
  queries: Queries,
  projectId: number,
  start: string,
): Promise<{ hash: string; parents: string }[]> => {
  const { rows } = await sql<{ hash: string; parents: string }>`
    WITH RECURSIVE line (hash, parents, nth) AS (
      SELECT hash, parents, 1 FROM commits WHERE project_id = ${projectId} AND hash = ${start}
      UNION ALL
      SELECT commits.hash, commits.parents, line.nth + 1 FROM line
      JOIN commits ON commits.project_id = ${projectId} AND commits.hash = substr(line.parents, 1, length(line.hash))
      WHERE line.nth < ${LINE_AT_ONCE}
    )
    SELECT hash, parents FROM line ORDER BY nth`.execute(queries);
  return rows;
};
