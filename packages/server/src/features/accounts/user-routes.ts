import { randomBytes } from 'node:crypto';
import { type ApiKey, endpoints, formatTime, parseTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { ApiKeyRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { type Caller, type Route, action } from '../../http/endpoint.ts';
import { refusal } from '../../validation.ts';
import { actorOf } from '../audit/audit.ts';
import { accountCommands } from './commands.ts';
import { newSession } from './new-session.ts';
import { hashToken, writeSessionCookie } from './session-cookie.ts';
import { getUserRow, presentUser } from './users.ts';
import { withinLimits } from './within-limits.ts';

const KEY_BYTES = 32;
const SHOWN_CHARACTERS = 8;
const RECENT_MS = 10 * 60 * 1000;

export const userRoutes = (context: Context): Route[] => {
  const { queries, writer, accounts, config } = context;
  const { passwords, cookies } = accounts;
  const { authEnabled } = config;
  /** A user who has just signed in has proved knowledge of the password; a session left open or stolen has not. */
  const requireRecentSignIn = async ({ sessionId }: Caller): Promise<void> => {
    const session = await queries
      .selectFrom('sessions')
      .select('created_at')
      .where('id', '=', sessionId)
      .executeTakeFirst();
    const ageMs = session ? Date.now() - session.created_at : Infinity;
    // A sign-in of the future is from before the clock was set back.
    if (ageMs >= 0 && ageMs < RECENT_MS) return;
    throw currentPasswordIssue('is needed: you signed in more than 10 minutes ago');
  };
  const seesAll = ({ user }: Caller): boolean => !authEnabled || user?.role === 'administrator';
  return [
    action(endpoints.listUsers, async ({ caller }) => {
      const asking = await caller();
      const rows = await queries.selectFrom('users').selectAll().orderBy('username_key').execute();
      const visible = seesAll(asking) ? rows : rows.filter(({ id }) => id === asking.user?.id);
      return { users: visible.map(presentUser), authEnabled };
    }),
    action(endpoints.createUser, async ({ body: { username, password, role, name }, caller }) => {
      const user = { username, role, name: name ?? null, password: await passwords.hash(password) };
      return {
        success: true as const,
        user: await writer.execute(accountCommands.createUser, { user, actor: actorOf(await caller()) }),
      };
    }),
    action(endpoints.updateUser, async ({ params, body, caller, secure, setHeader }) => {
      const { name, role, password, currentPassword } = body;
      const before = await getUserRow(queries, params.id);
      const asking = await caller();
      if (role !== undefined && !seesAll(asking) && role !== asking.user?.role) {
        throw new AppError('insufficient_permissions', 'Only Administrators change roles');
      }
      const isOwn = asking.user?.id === params.id;
      if (isOwn && password !== undefined && currentPassword === undefined) await requireRecentSignIn(asking);
      const { token, session } = newSession(asking);
      const update = async () => {
        if (isOwn && currentPassword !== undefined && !(await passwords.verify(currentPassword, before.password))) {
          throw currentPasswordIssue('is not your password');
        }
        return writer.execute(accountCommands.updateUser, {
          userId: params.id,
          edit: { name, role, password: password === undefined ? undefined : await passwords.hash(password) },
          session: isOwn && cookies ? session : null,
          actor: actorOf(asking),
        });
      };
      const attempt = { act: 'change password', usernameKey: before.username_key, address: asking.address } as const;
      const { user, sessionId } =
        isOwn && (password ?? currentPassword) !== undefined
          ? await withinLimits(context, attempt, update)
          : await update();
      if (sessionId !== null) {
        setHeader('set-cookie', writeSessionCookie(cookies!.seal({ sessionId, token }), secure));
      }
      return { success: true as const, user };
    }),
    action(endpoints.deleteUser, async ({ params, caller }) => {
      await writer.execute(accountCommands.deleteUser, { userId: params.id, actor: actorOf(await caller()) });
      return { success: true as const };
    }),
    action(endpoints.listApiKeys, async ({ params }) => {
      await getUserRow(queries, params.id);
      const rows = await queries
        .selectFrom('api_keys')
        .selectAll()
        .where('user_id', '=', params.id)
        .orderBy('id')
        .execute();
      return { apiKeys: rows.map(presentApiKey) };
    }),
    action(endpoints.createApiKey, async ({ params, body, caller }) => {
      const secret = randomBytes(KEY_BYTES).toString('hex');
      const key = `pd_${secret}`;
      const created = await writer.execute(accountCommands.createApiKey, {
        userId: params.id,
        hash: hashToken(key),
        prefix: secret.slice(0, SHOWN_CHARACTERS),
        name: body.name.trim(),
        expiresAt: expiryOf(body.expiresAt ?? null),
        actor: actorOf(await caller()),
      });
      return { ...created, key };
    }),
    action(endpoints.revokeApiKey, async ({ params, caller }) => {
      await writer.execute(accountCommands.revokeApiKey, {
        userId: params.id,
        keyId: params.keyId,
        actor: actorOf(await caller()),
      });
      return { success: true as const };
    }),
  ];
};

const currentPasswordIssue = (message: string): AppError =>
  refusal('invalid_body', [{ path: '/currentPassword', message }]);

const expiryOf = (text: string | null): number | null => {
  if (text === null) return null;
  const time = parseTime(text);
  if (time !== null && time > Date.now()) return time;
  throw refusal('invalid_body', [{ path: '/expiresAt', message: 'must be an ISO 8601 time in the future' }]);
};

const presentApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  keyPrefix: row.prefix,
  createdAt: formatTime(row.created_at),
  lastUsedAt: row.last_used_at === null ? null : formatTime(row.last_used_at),
  expiresAt: row.expires_at === null ? null : formatTime(row.expires_at),
});
