import { type NewApiKey, formatTime } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { getUserRow, subjectOf } from './users.ts';

export interface CreateApiKey {
  readonly userId: number;
  readonly hash: Uint8Array;
  readonly prefix: string;
  readonly name: string;
  readonly expiresAt: number | null;
  readonly actor: Actor;
}

export const createApiKey = async (
  transaction: Queries,
  { userId, hash, prefix, name, expiresAt, actor }: CreateApiKey,
  now: number,
): Promise<Omit<NewApiKey, 'key'>> => {
  const user = await getUserRow(transaction, userId);
  const { id } = await transaction
    .insertInto('api_keys')
    .values({ user_id: userId, hash, prefix, name, created_at: now, expires_at: expiresAt, last_used_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const details = { keyId: id, prefix, name };
  await audit(transaction, actor, { action: 'key.create', subject: subjectOf(user), details }, now);
  return { id, prefix, name, expiresAt: expiresAt === null ? null : formatTime(expiresAt) };
};

export const revokeApiKey = async (
  transaction: Queries,
  { userId, keyId, actor }: { readonly userId: number; readonly keyId: number; readonly actor: Actor },
  now: number,
): Promise<void> => {
  const user = await getUserRow(transaction, userId);
  const key = await transaction
    .deleteFrom('api_keys')
    .where('id', '=', keyId)
    .where('user_id', '=', userId)
    .returning(['prefix', 'name'])
    .executeTakeFirst();
  if (!key) throw new AppError('api_key_not_found', `User ${userId} has no API key ${keyId}`);
  await audit(transaction, actor, { action: 'key.revoke', subject: subjectOf(user), details: { keyId, ...key } }, now);
};

export const touchApiKey = async (
  transaction: Queries,
  { keyId }: { readonly keyId: number },
  now: number,
): Promise<void> => {
  await transaction.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', keyId).execute();
};
