import { type AuditEntry, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { AuditRow } from '../../db/tables.ts';
import type { Caller } from '../../http/endpoint.ts';

/** Who does something, as far as it is known. */
export interface Actor {
  readonly userId: number | null;
  readonly username: string | null;
  /** Null on the command line. */
  readonly address: string | null;
  /** By which the right was shown; null when it was not by one. */
  readonly sessionId: number | null;
}

export const actorOf = ({ user, address, sessionId }: Caller): Actor => ({
  userId: user?.id ?? null,
  username: user?.username ?? null,
  address,
  sessionId,
});

export interface AuditedAct {
  readonly action:
    | 'setup'
    | 'session.open'
    | 'session.end'
    | 'user.create'
    | 'user.update'
    | 'user.delete'
    | 'key.create'
    | 'key.revoke'
    | 'project.create'
    | 'project.update'
    | 'project.archive'
    | 'project.unarchive'
    | 'project.delete'
    | 'run.delete'
    | 'run.pin'
    | 'run.unpin'
    | 'cluster.update'
    | 'view.create'
    | 'view.update'
    | 'view.delete'
    | 'runs.clean-up'
    | 'runs.retention'
    | 'retention.update';
  readonly subject: string;
  readonly details?: Record<string, unknown>;
}

/** Written in the transaction of the change it records, so that neither exists without the other. Returns its id. */
export const audit = async (
  transaction: Queries,
  { userId, username, address }: Actor,
  { action, subject, details }: AuditedAct,
  now: number,
): Promise<number> => {
  const { id } = await transaction
    .insertInto('audit')
    .values({
      time: now,
      action,
      subject,
      details: details ? JSON.stringify(details) : null,
      user_id: userId,
      username,
      address,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Newest first. */
export const listAudit = (queries: Queries, before: number | null, limit: number): Promise<AuditRow[]> => {
  const query = queries.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
  return (before === null ? query : query.where('id', '<', before)).execute();
};

export const presentAudit = (row: AuditRow): AuditEntry => ({
  id: row.id,
  time: formatTime(row.time),
  action: row.action,
  subject: row.subject,
  details: row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>),
  userId: row.user_id,
  username: row.username,
  address: row.address,
});
