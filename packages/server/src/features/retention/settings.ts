import {
  type InstallationRetention,
  type ProjectRetention,
  type RetentionInput,
  type RetentionSettings,
  formatTime,
} from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { getProjectRow } from '../projects/queries.ts';
import { raiseRevision } from '../projects/raise-revision.ts';
import { NO_LIMITS } from './rules.ts';

export const completeSettings = ({ days, runs, bytes, fileDays, keepBranches }: RetentionInput): RetentionSettings => ({
  days: days ?? null,
  runs: runs ?? null,
  bytes: bytes ?? null,
  fileDays: fileDays ?? null,
  keepBranches: [...new Set((keepBranches ?? []).map((branch) => branch.trim().toWellFormed()).filter(Boolean))],
});

export const readSettings = (json: string | null): RetentionSettings | null =>
  json === null ? null : completeSettings(JSON.parse(json) as RetentionInput);

export const readInstallationSettings = async (queries: Queries): Promise<RetentionSettings> => {
  const { retention } = await queries.selectFrom('installation').select('retention').executeTakeFirstOrThrow();
  return readSettings(retention) ?? NO_LIMITS;
};

export const presentInstallation = async (queries: Queries): Promise<InstallationRetention> => {
  const { retention, retention_at } = await queries
    .selectFrom('installation')
    .select(['retention', 'retention_at'])
    .executeTakeFirstOrThrow();
  const own = await queries
    .selectFrom('projects')
    .select(['id', 'name', 'label', 'retention'])
    .where('retention', 'is not', null)
    .orderBy('id')
    .execute();
  return {
    settings: readSettings(retention) ?? NO_LIMITS,
    lastRunAt: retention_at === null ? null : formatTime(retention_at),
    projects: own.map(({ id, name, label, retention: json }) => ({ id, name, label, settings: readSettings(json)! })),
  };
};

export const presentOfProject = async (queries: Queries, projectId: number): Promise<ProjectRetention> => {
  const { retention } = await getProjectRow(queries, projectId);
  return { settings: readSettings(retention), installation: await readInstallationSettings(queries) };
};

export interface SetRetention {
  /** Null for the installation. */
  readonly projectId: number | null;
  readonly settings: RetentionSettings | null;
  readonly actor: Actor;
}

export const setRetention = async (
  transaction: Queries,
  { projectId, settings, actor }: SetRetention,
  now: number,
): Promise<void> => {
  const retention = settings && JSON.stringify(settings);
  let subject = 'installation';
  if (projectId === null) {
    await transaction.updateTable('installation').set({ retention }).execute();
  } else {
    subject = `project ${(await getProjectRow(transaction, projectId)).name}`;
    await transaction.updateTable('projects').set({ retention }).where('id', '=', projectId).execute();
    await raiseRevision(transaction, projectId, now);
  }
  const details = { ...(projectId === null ? {} : { projectId }), settings };
  await audit(transaction, actor, { action: 'retention.update', subject, details }, now);
};
