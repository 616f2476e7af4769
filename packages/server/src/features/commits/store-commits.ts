import { deflateSync } from 'node:zlib';
import { type Commit, type CommitsReply, type CommitsSent, MAX_SPELLED_FILES, parseTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { findDefaultBranch } from '../projects/default-branch.ts';
import { newRevision, raiseRevision } from '../projects/raise-revision.ts';

/** As many rows as one statement may have. */
const ROWS_AT_ONCE = 100;

export interface StoredCommits extends CommitsReply {
  readonly projectId: number;
  /** Whether any answer is another than before. */
  readonly changed: boolean;
}

/** Stores what a sender tells of the history of the code, and says what it lacks. */
export const storeCommits = async (
  transaction: Queries,
  { projectName, branch, history = [], commits = [], owners }: CommitsSent,
  now: number,
): Promise<StoredCommits> => {
  const project = await transaction
    .selectFrom('projects')
    .select('id')
    .where('name', '=', projectName)
    .executeTakeFirst();
  if (!project) throw new AppError('project_not_found', `projectName names no project: there is none "${projectName}"`);
  const projectId = project.id;
  const told = await addCommits(transaction, projectId, commits);
  const { wantsOwners, changed } =
    owners === undefined
      ? { wantsOwners: false, changed: false }
      : await storeOwners(transaction, projectId, branch?.trim() || null, owners);
  if (told || changed) await raiseRevision(transaction, projectId, now);
  return {
    success: true,
    missing: await findMissing(transaction, projectId, history),
    wantsOwners,
    projectId,
    changed: told || changed,
  };
};

/** A commit never changes; only what a shallow clone did not know of it is added. Answers whether anything was. */
const addCommits = async (transaction: Queries, projectId: number, commits: readonly Commit[]): Promise<boolean> => {
  let changed = 0n;
  for (let first = 0; first < commits.length; first += ROWS_AT_ONCE) {
    const rows = commits
      .slice(first, first + ROWS_AT_ONCE)
      .map(({ hash, parents, time, author, subject, files, moreFiles = 0 }) => ({
        project_id: projectId,
        hash,
        parents: parents.join(' '),
        time: parseTime(time)!,
        author,
        subject,
        files: files && deflateSync(JSON.stringify(files)),
        more_files: moreFiles,
      }));
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('commits')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'hash'])
          .doUpdateSet(({ ref }) => ({ files: ref('excluded.files'), more_files: ref('excluded.more_files') }))
          .where('commits.files', 'is', null)
          .where('excluded.files', 'is not', null),
      )
      .executeTakeFirst();
    changed += numInsertedOrUpdatedRows;
  }
  return changed > 0n;
};

const findMissing = async (transaction: Queries, projectId: number, history: readonly string[]): Promise<string[]> => {
  if (history.length === 0) return [];
  const known = await transaction
    .selectFrom('commits')
    .select('hash')
    .where('project_id', '=', projectId)
    .where('hash', 'in', history)
    .where('files', 'is not', null)
    .execute();
  const hashes = new Set(known.map(({ hash }) => hash));
  return history.filter((hash) => !hashes.has(hash));
};

/** The file of the default branch counts; that of any other only while nothing better is known. */
const storeOwners = async (
  transaction: Queries,
  projectId: number,
  branch: string | null,
  owners: NonNullable<CommitsSent['owners']> | null,
): Promise<{ wantsOwners: boolean; changed: boolean }> => {
  const stored = await transaction
    .selectFrom('codeowners')
    .select('hash')
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  const mayChange = !stored || branch === (await findDefaultBranch(transaction, projectId));
  if (owners === null) {
    const isGone = mayChange && stored !== undefined;
    if (isGone) await transaction.deleteFrom('codeowners').where('project_id', '=', projectId).execute();
    return { wantsOwners: false, changed: isGone };
  }
  const { hash, text } = owners;
  const isOther = mayChange && stored?.hash !== hash;
  if (isOther && text === undefined) return { wantsOwners: true, changed: false };
  const spelled = await storeSpelledFiles(transaction, projectId, owners.files ?? []);
  if (!isOther && !spelled) return { wantsOwners: false, changed: false };
  if (isOther && text !== undefined) {
    const row = { hash, text, revision: newRevision() };
    await transaction
      .insertInto('codeowners')
      .values({ project_id: projectId, ...row })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
      .execute();
  } else {
    await transaction
      .updateTable('codeowners')
      .set({ revision: newRevision() })
      .where('project_id', '=', projectId)
      .execute();
  }
  return { wantsOwners: false, changed: true };
};

/** Answers whether any is told differently from before. */
const storeSpelledFiles = async (
  transaction: Queries,
  projectId: number,
  files: readonly { readonly file: string; readonly path: string | null }[],
): Promise<boolean> => {
  let changed = 0n;
  const each = [...new Map(files.map(({ file, path }) => [file, path]))];
  for (let first = 0; first < Math.min(each.length, MAX_SPELLED_FILES); first += ROWS_AT_ONCE) {
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('spelled_files')
      .values(each.slice(first, first + ROWS_AT_ONCE).map(([file, path]) => ({ project_id: projectId, file, path })))
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'file'])
          .doUpdateSet(({ ref }) => ({ path: ref('excluded.path') }))
          .whereRef('spelled_files.path', 'is distinct from', 'excluded.path' as 'spelled_files.path'),
      )
      .executeTakeFirst();
    changed += numInsertedOrUpdatedRows;
  }
  return changed > 0n;
};
