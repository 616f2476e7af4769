import { inflateSync } from 'node:zlib';
import { type ChangedFile, type Commit, type CommitsBetween, MOST_COMMITS_BETWEEN, formatTime } from '@assay/contract';
import type { Selectable } from 'kysely';
import type { Queries } from '../../db/database.ts';
import type { CommitsTable } from '../../db/tables.ts';
import { nextTurn } from '../../turns.ts';

type Row = Selectable<CommitsTable>;
type Link = Pick<Row, 'hash' | 'parents'>;

/** How far back the history of the older commit is looked at. */
const MOST_LOOKED_AT = 5_000;
const AT_ONCE = 200;
const ASKS_PER_TURN = 50;
const COMMITS_PER_TURN = 10;
/** Of the paths in an answer; files beyond these are only counted. */
const MOST_PATH_LETTERS = 2_000_000;

/**
 * The commits that one contains and the other does not. Where the history has gaps it may look as if the other did not
 * contain a commit that it does; the answer is complete only where that cannot be.
 */
export const commitsBetween = async (
  queries: Queries,
  projectId: number,
  fromGiven: string | null,
  toGiven: string,
): Promise<CommitsBetween> => {
  const to = await findHash(queries, projectId, toGiven);
  const from = fromGiven === null ? null : await findHash(queries, projectId, fromGiven);
  if (to === null || (from === null && fromGiven !== null)) return UNKNOWN;
  const older = from === null ? EMPTY : await walk(queries, projectId, from, MOST_LOOKED_AT, EMPTY.links);
  const newer = await walk(queries, projectId, to, MOST_COMMITS_BETWEEN, older.links);
  const isSure = older.isWhole || countDescendants(from!, newer.links) === newer.links.size;
  const endsAt = newer.endsAt ?? (isSure ? null : older.endsAt);
  return {
    commits: await readCommits(queries, projectId, [...newer.links.keys()]),
    complete: newer.isWhole && isSure,
    endsAt,
    shallow: endsAt !== null && (await isWithoutFiles(queries, projectId, endsAt)),
  };
};

const UNKNOWN: CommitsBetween = { commits: [], complete: false, endsAt: null, shallow: false };

interface Walked {
  readonly links: ReadonlyMap<string, readonly string[]>;
  /** Whether all that is behind it was seen. */
  readonly isWhole: boolean;
  /** A commit that has a parent which is not known. */
  readonly endsAt: string | null;
}

const EMPTY: Walked = { links: new Map(), isWhole: true, endsAt: null };

/** A commit and all behind it, except for those that are known already. */
const walk = async (
  queries: Queries,
  projectId: number,
  start: string,
  most: number,
  known: ReadonlyMap<string, readonly string[]>,
): Promise<Walked> => {
  const links = new Map<string, readonly string[]>();
  const childOf = new Map<string, string | null>(known.has(start) ? [] : [[start, null]]);
  let endsAt: string | null = null;
  let asks = 0;
  for (let frontier = [...childOf.keys()]; frontier.length > 0;) {
    if (asks++ % ASKS_PER_TURN === 0) await nextTurn();
    const asked = frontier.slice(0, AT_ONCE);
    const found = await readLinks(queries, projectId, asked);
    const next = frontier.slice(AT_ONCE);
    for (const hash of asked) {
      const link = found.get(hash);
      if (!link) endsAt ??= childOf.get(hash) ?? null;
      else if (links.size >= most) return { links, isWhole: false, endsAt };
      else {
        const parents = link.parents === '' ? [] : link.parents.split(' ');
        links.set(hash, parents);
        for (const parent of parents) {
          if (known.has(parent) || childOf.has(parent)) continue;
          childOf.set(parent, hash);
          next.push(parent);
        }
      }
    }
    frontier = next;
  }
  return { links, isWhole: endsAt === null, endsAt };
};

/** How many of the commits have it behind them: none of those can be behind it too. */
const countDescendants = (ancestor: string, links: Walked['links']): number => {
  const childrenOf = new Map<string, string[]>();
  for (const [hash, parents] of links) {
    for (const parent of parents) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), hash]);
  }
  const found = new Set([ancestor]);
  for (const hash of found) for (const child of childrenOf.get(hash) ?? []) found.add(child);
  return found.size - 1;
};

const newestFirst = (a: Row, b: Row): number => b.time - a.time || (a.hash < b.hash ? -1 : 1);

/** By its first characters; null when none or several begin with them. */
const findHash = async (queries: Queries, projectId: number, given: string): Promise<string | null> => {
  const found = await queries
    .selectFrom('commits')
    .select('hash')
    .where('project_id', '=', projectId)
    .where('hash', '>=', given)
    // After all that begin with it.
    .where('hash', '<=', `${given}g`)
    .limit(2)
    .execute();
  return found.length === 1 ? found[0]!.hash : null;
};

const readLinks = async (
  queries: Queries,
  projectId: number,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Link>> => {
  const rows = await queries
    .selectFrom('commits')
    .select(['hash', 'parents'])
    .where('project_id', '=', projectId)
    .where('hash', 'in', hashes)
    .execute();
  return new Map(rows.map((row) => [row.hash, row]));
};

const isWithoutFiles = async (queries: Queries, projectId: number, hash: string): Promise<boolean> => {
  const row = await queries
    .selectFrom('commits')
    .select('hash')
    .where('project_id', '=', projectId)
    .where('hash', '=', hash)
    .where('files', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
};

/** The newest first. */
const readCommits = async (queries: Queries, projectId: number, hashes: readonly string[]): Promise<Commit[]> => {
  const rows: Row[] = [];
  for (let first = 0; first < hashes.length; first += AT_ONCE) {
    const some = await queries
      .selectFrom('commits')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('hash', 'in', hashes.slice(first, first + AT_ONCE))
      .execute();
    rows.push(...some);
  }
  const commits: Commit[] = [];
  let letters = 0;
  for (const [nth, row] of rows.sort(newestFirst).entries()) {
    if (nth % COMMITS_PER_TURN === 0) await nextTurn();
    const files = filesOf(row);
    const told = files?.filter(({ path, from = '' }) => (letters += path.length + from.length) <= MOST_PATH_LETTERS);
    commits.push(presentCommit(row, told ?? null, (files?.length ?? 0) - (told?.length ?? 0)));
  }
  return commits;
};

const filesOf = ({ files }: Row): ChangedFile[] | null =>
  files && (JSON.parse(inflateSync(files).toString()) as ChangedFile[]);

const presentCommit = (
  { hash, parents, time, author, subject, more_files }: Row,
  files: ChangedFile[] | null,
  untold: number,
): Commit => ({
  hash,
  parents: parents === '' ? [] : parents.split(' '),
  time: formatTime(time),
  author,
  subject,
  files,
  ...(more_files + untold > 0 ? { moreFiles: more_files + untold } : {}),
});
