import { type Session, type User, endpoints, formatTime } from '@assay/contract';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type Caller, type Route, action } from '../../http/endpoint.ts';
import { actorOf } from '../audit/audit.ts';
import { requireNoUsers } from './change-users.ts';
import { accountCommands } from './commands.ts';
import type { Charge } from './login-limits.ts';
import { newSession } from './new-session.ts';
import { type SessionTicket, writeSessionCookie } from './session-cookie.ts';
import { presentUser, usernameKey } from './users.ts';
import { withinLimits } from './within-limits.ts';

export const accountRoutes = (context: Context): Route[] => {
  const { queries, writer, accounts } = context;
  const { passwords } = accounts;
  /** The guard lets nobody in here while authentication is disabled, which is when there are none. */
  const cookies = accounts.cookies!;
  const openSession = async (
    { username, password }: { readonly username: string; readonly password: string },
    charges: readonly Charge[],
    asking: Caller,
  ): Promise<{ user: User; ticket: SessionTicket }> => {
    const row = await queries
      .selectFrom('users')
      .selectAll()
      .where('username_key', '=', usernameKey(username))
      .executeTakeFirst();
    const matches = await passwords.verify(password, row?.password ?? null);
    if (!row || !matches) throw new AppError('invalid_credentials', 'The username or the password is wrong');
    const { token, session } = newSession(asking);
    const user = presentUser(row);
    const sessionId = await writer.execute(accountCommands.openSession, {
      userId: row.id,
      charges,
      session,
      verified: row.password,
      password: passwords.isOutdated(row.password) ? await passwords.hash(password) : null,
      actor: actorOf({ ...asking, user, sessionId: null }),
    });
    // Changed meanwhile: what counts is the password that holds now.
    return sessionId === null
      ? openSession({ username, password }, charges, asking)
      : { user, ticket: { sessionId, token } };
  };
  return [
    action(endpoints.getSession, async ({ caller }) => {
      const { user } = await caller();
      return user ? { authenticated: true as const, user } : { authenticated: false as const, user: null };
    }),
    action(endpoints.setUp, async ({ body, caller, secure, setHeader }) => {
      await requireNoUsers(queries);
      const asking = await caller();
      const { token, session } = newSession(asking);
      const attempt = { act: 'set up', address: asking.address } as const;
      const { user, sessionId } = await withinLimits(context, attempt, async () =>
        writer.execute(accountCommands.setUp, {
          user: {
            username: body.username,
            name: body.name ?? null,
            role: 'administrator',
            password: await passwords.hash(body.password),
          },
          session,
          actor: actorOf(asking),
        }),
      );
      setHeader('set-cookie', writeSessionCookie(cookies.seal({ sessionId, token }), secure));
      return { success: true as const, user };
    }),
    action(endpoints.logIn, async ({ body, caller, secure, setHeader }) => {
      const asking = await caller();
      const attempt = { act: 'sign in', usernameKey: usernameKey(body.username), address: asking.address } as const;
      const { user, ticket } = await withinLimits(context, attempt, (charges) => openSession(body, charges, asking));
      setHeader('set-cookie', writeSessionCookie(cookies.seal(ticket), secure));
      return { success: true as const, user };
    }),
    action(endpoints.logOut, async ({ caller, secure, setHeader }) => {
      const asking = await caller();
      const { user, sessionId } = asking;
      if (user && sessionId !== null) {
        const actor = actorOf(asking);
        await writer.execute(accountCommands.endSession, { sessionId, userId: user.id, actor }).catch(ignoreEnded);
      }
      setHeader('set-cookie', writeSessionCookie(null, secure));
      return { success: true as const };
    }),
    action(endpoints.listSessions, async ({ caller }) => {
      const { user, sessionId } = await caller();
      const rows = await queries
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', user!.id)
        .where('expires_at', '>', Date.now())
        .orderBy('id', 'desc')
        .execute();
      const sessions = rows.map((row): Session => ({
        id: row.id,
        createdAt: formatTime(row.created_at),
        expiresAt: formatTime(row.expires_at),
        address: row.address,
        userAgent: row.user_agent,
        current: row.id === sessionId,
      }));
      return { sessions };
    }),
    action(endpoints.endSession, async ({ params, caller }) => {
      const asking = await caller();
      await writer.execute(accountCommands.endSession, {
        sessionId: params.id,
        userId: asking.user!.id,
        actor: actorOf(asking),
      });
      return { success: true as const };
    }),
  ];
};

/** Two sign-outs at once have both what they want. */
const ignoreEnded = (error: unknown): void => {
  if (!(error instanceof AppError && error.code === 'authentication_required')) throw error;
};
