import { timingSafeEqual } from 'node:crypto';
import type { Access, Endpoint, Role, User } from '@assay/contract';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../../db/database.ts';
import type { UserRow } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { clientAddress } from '../../http/client-address.ts';
import type { Caller } from '../../http/endpoint.ts';
import type { Writer } from '../../writer/writer.ts';
import { accountCommands } from './commands.ts';
import { type CookieSealer, hashToken, readSessionCookie } from './session-cookie.ts';
import { presentUser } from './users.ts';

const KEY = /^pd_[0-9a-f]{64}$/;
const TOUCHED_EVERY_MS = 60_000;
const LONGEST_USER_AGENT = 300;

export interface Identifier {
  /** Where a request comes from, without asking who sends it. */
  anyone(request: FastifyRequest): Caller;
  /** Who asks, by the session; nobody when there is none, or authentication is off. */
  bySession(request: FastifyRequest): Promise<Caller>;
  /** Who asks, by an API key; throws when it is not a valid one. */
  byKey(key: string): Promise<User>;
}

type UserColumns = Pick<UserRow, 'id' | 'username' | 'role' | 'name'>;

export const createIdentifier = (
  { prepare, queries }: Database,
  writer: Writer,
  cookies: CookieSealer | null,
): Identifier => {
  const findSession = prepare((database) =>
    database
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.token_hash', 'sessions.expires_at', 'users.id', 'users.username', 'users.role', 'users.name'])
      .where('sessions.id', '=', 0),
  );
  const findKey = prepare((database) =>
    database
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .select(['api_keys.id as keyId', 'api_keys.expires_at', 'api_keys.last_used_at'])
      .select(['users.id', 'users.username', 'users.role', 'users.name'])
      .where('api_keys.hash', '=', new Uint8Array()),
  );
  const anyone = (request: FastifyRequest): Caller => ({
    user: null,
    sessionId: null,
    address: clientAddress(request),
    userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
  });
  return {
    anyone,
    async bySession(request) {
      const nobody = anyone(request);
      const sealed = readSessionCookie(request.headers.cookie, request.protocol === 'https');
      const ticket = sealed === null ? null : (cookies?.open(sealed) ?? null);
      if (ticket === null) return nobody;
      const [session] = (await findSession(queries, [ticket.sessionId])) as (UserColumns & {
        token_hash: Uint8Array;
        expires_at: number;
      })[];
      if (!session || !timingSafeEqual(session.token_hash, hashToken(ticket.token))) return nobody;
      if (session.expires_at <= Date.now()) return nobody;
      return { ...nobody, user: presentUser(session), sessionId: ticket.sessionId };
    },
    async byKey(key) {
      const [found] = KEY.test(key)
        ? ((await findKey(queries, [hashToken(key)])) as (UserColumns & {
            keyId: number;
            expires_at: number | null;
            last_used_at: number | null;
          })[])
        : [];
      const now = Date.now();
      if (!found || (found.expires_at !== null && found.expires_at <= now)) {
        throw new AppError('invalid_api_key', 'The API key is not valid: it is wrong, expired or revoked');
      }
      if (found.last_used_at === null || Math.abs(now - found.last_used_at) >= TOUCHED_EVERY_MS) {
        writer.execute(accountCommands.touchApiKey, { keyId: found.keyId }).catch(() => undefined);
      }
      return presentUser(found);
    },
  };
};

/** The key that a request carries; present though malformed is present. */
export const readKey = ({ headers }: FastifyRequest): string | null => {
  const bearer = /^bearer(?:\s+(.*))?$/is.exec(headers.authorization ?? '');
  if (bearer) return bearer[1]?.trim() ?? '';
  const header = headers['x-api-key'];
  return header === undefined ? null : String(header).trim();
};

const ROLES: Record<Exclude<Access, 'public' | 'owner'>, readonly Role[]> = {
  'signed-in': ['administrator', 'reporter', 'user'],
  submitter: ['administrator', 'reporter'],
  'submitter-session': ['administrator', 'reporter'],
  administrator: ['administrator'],
};

/** Whether a user may call an endpoint; `params` are those of the path. */
export const mayCall = ({ access }: Endpoint, user: User, params: Readonly<Record<string, unknown>>): boolean => {
  if (access === 'public' || user.role === 'administrator') return true;
  return access === 'owner' ? String(user.id) === String(params['id']) : ROLES[access].includes(user.role);
};
