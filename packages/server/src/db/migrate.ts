import { sql } from 'kysely';
import { OperatorError } from '../operator-error.ts';
import type { Database, Dialect, Queries } from './database.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { files } from './migrations/0002-files.ts';
import { accounts } from './migrations/0003-accounts.ts';
import { parts } from './migrations/0004-parts.ts';
import { heartbeats } from './migrations/0005-heartbeats.ts';
import { detailsOfBlocks } from './migrations/0006-details-of-blocks.ts';
import { damagedRuns } from './migrations/0007-damaged-runs.ts';
import { storageFigures } from './migrations/0008-storage-figures.ts';
import { stagedTests } from './migrations/0009-staged-tests.ts';
import { timedResults } from './migrations/0010-timed-results.ts';
import { defaultBranch } from './migrations/0011-default-branch.ts';
import { branchSummaries } from './migrations/0012-branch-summaries.ts';
import { authors } from './migrations/0013-authors.ts';
import { repositories } from './migrations/0014-repositories.ts';
import { toldDefaultBranch } from './migrations/0015-told-default-branch.ts';
import { separateAttempts } from './migrations/0016-separate-attempts.ts';
import { attachments } from './migrations/0017-attachments.ts';
import { runFacts } from './migrations/0018-run-facts.ts';
import { commits } from './migrations/0019-commits.ts';
import { projectTags } from './migrations/0020-project-tags.ts';
import { runsByEnvironment } from './migrations/0021-runs-by-environment.ts';
import { causeVersion } from './migrations/0022-cause-version.ts';
import { jobClaims } from './migrations/0023-job-claims.ts';
import { retention } from './migrations/0024-retention.ts';
import { copies } from './migrations/0025-copies.ts';
import { projectKeys } from './migrations/0026-project-keys.ts';
import { clusters } from './migrations/0027-clusters.ts';
import { runOutlines } from './migrations/0028-run-outlines.ts';
import { savedViews } from './migrations/0029-saved-views.ts';
import { movedRuns } from './migrations/0030-moved-runs.ts';
import { unreadRuns } from './migrations/0031-unread-runs.ts';
import { stagers } from './migrations/0032-stagers.ts';
import { recheckedRuns } from './migrations/0033-rechecked-runs.ts';

export interface Migration {
  readonly name: string;
  up(queries: Queries, dialect: Dialect): Promise<void>;
}

/** In order; the place in this list, counted from 1, is the number of the migration. */
const migrations: readonly Migration[] = [
  foundation,
  files,
  accounts,
  parts,
  heartbeats,
  detailsOfBlocks,
  damagedRuns,
  storageFigures,
  stagedTests,
  timedResults,
  defaultBranch,
  branchSummaries,
  authors,
  repositories,
  toldDefaultBranch,
  separateAttempts,
  attachments,
  runFacts,
  commits,
  projectTags,
  runsByEnvironment,
  causeVersion,
  jobClaims,
  retention,
  copies,
  projectKeys,
  clusters,
  runOutlines,
  savedViews,
  movedRuns,
  unreadRuns,
  stagers,
  recheckedRuns,
];

/**
 * Brings the schema up to date, each migration in a transaction of its own. Not by Kysely's migrator: it names migrations
 * in tables of its own, which installations do not have, and cannot say that a newer version has written the database.
 */
export const migrate = async ({ dialect, transaction, reclaimSpace }: Database): Promise<void> => {
  const applied = await transaction(async (inside) => {
    await sql`CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`.execute(
      inside,
    );
    return findApplied(inside);
  });
  if (applied > migrations.length) {
    throw new OperatorError(
      `The database was written by a newer version of Assay (schema ${applied}, this version knows ${migrations.length}). Start that version, or restore a backup.`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue;
    await transaction(async (inside) => {
      // Another replica may have applied it since.
      if ((await findApplied(inside)) > index) return;
      await migration.up(inside, dialect);
      await sql`INSERT INTO migrations (number, name, applied_at) VALUES (${index + 1}, ${migration.name}, ${Date.now()})`.execute(
        inside,
      );
    });
  }
  // A migration that writes a table anew leaves the room of the old one.
  if (applied > 0 && applied < migrations.length) for (const _ of reclaimSpace());
};

/** Whether nothing was ever stored in a database of PostgreSQL. */
export const isNewDatabase = async ({ queries }: Database): Promise<boolean> => {
  const { rows } = await sql<{ found: string | null }>`SELECT to_regclass('migrations')::text AS found`.execute(
    queries,
  );
  return rows[0]!.found === null;
};

/** For those who read a database as this version writes it, and may not change it. */
export const requireCurrent = async ({ queries }: Database): Promise<void> => {
  const applied = await findApplied(queries).catch(() => 0);
  if (applied === migrations.length) return;
  const which = applied > migrations.length ? 'a newer' : 'an older';
  throw new OperatorError(
    `The database was written by ${which} version of Assay (schema ${applied}, this version reads ${migrations.length}): use the version that the service has`,
  );
};

const findApplied = async (queries: Queries): Promise<number> => {
  const { rows } = await sql<{ number: number | null }>`SELECT max(number) AS number FROM migrations`.execute(queries);
  return rows[0]?.number ?? 0;
};
