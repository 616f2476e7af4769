import { createHash } from 'node:crypto';
import type { Queries } from '../../db/database.ts';
import { networkOf } from '../../http/client-address.ts';

/*
 * Leaky buckets against brute force. A failed sign-in fills one bucket for the address and one for the account; a full
 * bucket refuses. The account's bucket does not apply to addresses from which its owner signed in before, so that
 * strangers cannot lock the owner out. Buckets are rows, so that all replicas share them; empty ones are deleted.
 */

/** A drop in a bucket, which can be taken back. */
export interface Charge {
  readonly key: string;
  readonly leakMs: number;
}

interface Bucket extends Charge {
  readonly capacity: number;
}

const ADDRESS_CAPACITY = 20;
const ADDRESS_LEAK_MS = 10_000;
const ACCOUNT_CAPACITY = 10;
const ACCOUNT_LEAK_MS = 20_000;
/** Every bucket has leaked dry by then. */
const FORGOTTEN_AFTER_MS = 10 * 60 * 1000;
const MAX_ROWS = 50_000;
const ADDRESSES_PER_USER = 50;

/** What may be guessed at, or takes much effort to answer. */
export type Attempt =
  | { readonly act: 'sign in' | 'change password'; readonly usernameKey: string; readonly address: string }
  | { readonly act: 'set up'; readonly address: string };

export type Charged = { readonly charges: readonly Charge[] } | { readonly waitSeconds: number };

/** Counts an attempt before it is made; returns how many seconds to wait if it is refused. */
export const chargeAttempt = async (transaction: Queries, attempt: Attempt, now: number): Promise<Charged> => {
  await forget(transaction, now);
  const buckets = await bucketsOf(transaction, attempt);
  const levels: number[] = [];
  for (const bucket of buckets) {
    const level = await levelOf(transaction, bucket, now);
    const excess = level + 1 - bucket.capacity;
    if (excess > 0) return { waitSeconds: Math.max(1, Math.ceil((excess * bucket.leakMs) / 1000)) };
    levels.push(level);
  }
  for (const [index, bucket] of buckets.entries()) await setLevel(transaction, bucket.key, levels[index]! + 1, now);
  return { charges: buckets.map(({ key, leakMs }) => ({ key, leakMs })) };
};

/** Takes back an attempt that succeeded or was never checked. */
export const refundAttempt = async (transaction: Queries, charges: readonly Charge[], now: number): Promise<void> => {
  for (const charge of charges) {
    const level = await levelOf(transaction, charge, now);
    if (level > 1) await setLevel(transaction, charge.key, level - 1, now);
    else await transaction.deleteFrom('login_attempts').where('key', '=', charge.key).execute();
  }
};

const bucketsOf = async (transaction: Queries, attempt: Attempt): Promise<Bucket[]> => {
  const { act, address } = attempt;
  // Brute force must not block setup or password changes: these have their own buckets.
  if (act === 'set up') return [addressBucket('setup', address)];
  const { usernameKey } = attempt;
  if (act === 'change password') return [accountBucket('change', usernameKey)];
  const buckets = [addressBucket('address', address)];
  if (!(await isKnown(transaction, usernameKey, address))) buckets.push(accountBucket('account', usernameKey));
  return buckets;
};

/** Takes an address for one of the user's own. */
export const rememberAddress = async (
  transaction: Queries,
  userId: number,
  address: string,
  now: number,
): Promise<void> => {
  await transaction
    .insertInto('known_addresses')
    .values({ user_id: userId, address: networkOf(address), seen_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ seen_at: now }))
    .execute();
  const oldest = await transaction
    .selectFrom('known_addresses')
    .select('address')
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .offset(ADDRESSES_PER_USER)
    .limit(ADDRESSES_PER_USER)
    .execute();
  if (oldest.length === 0) return;
  await transaction
    .deleteFrom('known_addresses')
    .where('user_id', '=', userId)
    .where(
      'address',
      'in',
      oldest.map((row) => row.address),
    )
    .execute();
};

const addressBucket = (what: string, address: string): Bucket => ({
  key: `${what} ${networkOf(address)}`,
  capacity: ADDRESS_CAPACITY,
  leakMs: ADDRESS_LEAK_MS,
});

/** Hashed: people type their passwords into the field for their name. */
const accountBucket = (what: string, usernameKey: string): Bucket => ({
  key: `${what} ${createHash('sha256').update(usernameKey).digest('base64url')}`,
  capacity: ACCOUNT_CAPACITY,
  leakMs: ACCOUNT_LEAK_MS,
});

const isKnown = async (transaction: Queries, usernameKey: string, address: string): Promise<boolean> => {
  const row = await transaction
    .selectFrom('known_addresses')
    .innerJoin('users', 'users.id', 'known_addresses.user_id')
    .select('known_addresses.user_id')
    .where('users.username_key', '=', usernameKey)
    .where('known_addresses.address', '=', networkOf(address))
    .executeTakeFirst();
  return row !== undefined;
};

const levelOf = async (transaction: Queries, { key, leakMs }: Charge, now: number): Promise<number> => {
  const row = await transaction.selectFrom('login_attempts').selectAll().where('key', '=', key).executeTakeFirst();
  return row ? Math.max(0, row.level - Math.max(0, now - row.changed_at) / leakMs) : 0;
};

const setLevel = async (transaction: Queries, key: string, level: number, now: number): Promise<void> => {
  await transaction
    .insertInto('login_attempts')
    .values({ key, level, changed_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ level, changed_at: now }))
    .execute();
};

const forget = async (transaction: Queries, now: number): Promise<void> => {
  // The clock was set back: without this a bucket would leak only once the clock has caught up.
  await transaction.updateTable('login_attempts').set({ changed_at: now }).where('changed_at', '>', now).execute();
  await transaction
    .deleteFrom('login_attempts')
    .where('changed_at', '<', now - FORGOTTEN_AFTER_MS)
    .execute();
  const { count } = await transaction
    .selectFrom('login_attempts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count < MAX_ROWS) return;
  // The emptiest first: who comes from ever new addresses must not wash the full ones away.
  const emptiest = transaction
    .selectFrom('login_attempts')
    .select('key')
    .orderBy('level')
    .orderBy('changed_at')
    .limit(count - MAX_ROWS + MAX_ROWS / 10);
  await transaction.deleteFrom('login_attempts').where('key', 'in', emptiest).execute();
};
