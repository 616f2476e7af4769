import type { Session } from '@assay/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectError } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import {
  type Accounts,
  bodyOf,
  call,
  cookieOf,
  isSignedIn,
  newPerson,
  newSession,
  openAccounts,
  PASSWORD,
  post,
  SECRET,
  startWithAccounts,
} from './people.ts';

const DAY_MS = 86_400_000;

let accounts: Accounts;
beforeAll(async () => (accounts = await openAccounts()));
afterAll(() => accounts.stop());

const sessionsOf = async (cookie: string): Promise<Session[]> =>
  (await bodyOf<{ sessions: Session[] }>(call(accounts, '/api/auth/sessions', { cookie }))).sessions;

const end = (cookie: string, id: number | string): Promise<Response> =>
  call(accounts, `/api/auth/sessions/${id}`, { method: 'DELETE', cookie });

describe('a session', () => {
  it('tells who is signed in', async () => {
    const { id, username, cookie } = await newPerson(accounts, 'reporter');
    expect(await bodyOf(call(accounts, '/api/auth/me', { cookie }))).toEqual({
      authenticated: true,
      user: { id, username, role: 'reporter', name: null },
    });
  });

  it('is found among other cookies', async () => {
    const { cookie } = await newPerson(accounts, 'user');
    expect(await isSignedIn(accounts, `a=b; ${cookie}; c=d`)).toBe(true);
    expect(await isSignedIn(accounts, `a="b;c"; ${cookie}`)).toBe(true);
  });

  it('ends on the server at logout: a copy of the cookie no longer works, others do', async () => {
    const person = await newPerson(accounts, 'administrator');
    const other = await newSession(accounts, person);
    expect(await bodyOf(post(accounts, '/api/auth/logout', undefined, { cookie: person.cookie }))).toEqual({
      success: true,
    });
    expect(await isSignedIn(accounts, person.cookie)).toBe(false);
    const { cookie } = person;
    await expectError(await call(accounts, '/api/admin/stats', { cookie }), 401, 'authentication_required');
    expect(await isSignedIn(accounts, other)).toBe(true);
  });

  it('that has ended can be ended again', async () => {
    const { cookie } = await newPerson(accounts, 'user');
    for (const _ of [1, 2]) await bodyOf(post(accounts, '/api/auth/logout', undefined, { cookie }));
  });

  it('is a new one at each login: a cookie that was there before is not taken over', async () => {
    const person = await newPerson(accounts, 'user');
    const planted = person.cookie;
    const response = await post(accounts, '/api/auth/login', person, { cookie: planted });
    expect(response.headers.getSetCookie()[0]!.split(';')[0]).not.toBe(planted);
  });
});

describe('a cookie that was not made by the service', () => {
  const refused = async (cookie: string): Promise<void> => {
    const response = await call(accounts, '/api/admin/stats', { cookie });
    const text = await response.text();
    expect(response.status, `${cookie}: ${text}`).toBe(401);
    expect(JSON.parse(text), cookie).toMatchObject({ code: 'authentication_required' });
  };

  const allRefused = async (cookies: string[]): Promise<void> => {
    for (let at = 0; at < cookies.length; at += 40) await Promise.all(cookies.slice(at, at + 40).map(refused));
  };

  it('is refused when any single bit of its text differs', async () => {
    const { cookie } = await newPerson(accounts, 'administrator');
    expect((await call(accounts, '/api/admin/stats', { cookie })).status).toBe(200);
    const start = cookie.indexOf('=') + 1;
    const flipped = Array.from({ length: (cookie.length - start) * 8 }, (_, bit) => {
      const bytes = Buffer.from(cookie, 'latin1');
      bytes[start + (bit >> 3)]! ^= 1 << (bit & 7);
      return bytes.toString('latin1');
    });
    // No header can carry these; semicolons end the value, which the shortened cookies below cover.
    const sendable = flipped.filter((text) => /^[\x21-\x7e\x80-\xff]+$/.test(text));
    expect(sendable.length).toBeGreaterThan(cookie.length * 5);
    await allRefused(sendable);
    expect((await call(accounts, '/api/admin/stats', { cookie })).status).toBe(200);
  });

  it('is refused when any single bit of what is sealed differs', async () => {
    const { cookie } = await newPerson(accounts, 'administrator');
    const parts = cookie.split(/(?<=[=.])/);
    const sealed = Buffer.from(parts.at(-1)!, 'base64url');
    expect(sealed.length).toBeGreaterThan(28);
    const flipped = Array.from({ length: sealed.length * 8 }, (_, bit) => {
      const bytes = Buffer.from(sealed);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      return [...parts.slice(0, -1), bytes.toString('base64url')].join('');
    });
    await allRefused(flipped);
  });

  it('is refused when it is shortened, lengthened or empty', async () => {
    const { cookie } = await newPerson(accounts, 'administrator');
    const start = cookie.indexOf('=') + 1;
    for (let length = start; length < cookie.length; length += 5) await refused(cookie.slice(0, length));
    await refused(cookie.slice(0, -1));
    for (const more of ['A', 'AAAA', 'AAAAAAAA']) await refused(cookie + more);
    await refused(`${cookie.slice(0, start)}${'A'.repeat(4_000)}`);
    await refused(cookie.replace('.', '..'));
  });

  it.each(['=', '!', '~'])('is refused with %s behind it', async (more) => {
    const { cookie } = await newPerson(accounts, 'administrator');
    await refused(cookie + more);
  });

  it.each(['.', '.AAAA'])('is refused with %s behind it', async (more) => {
    const { cookie } = await newPerson(accounts, 'administrator');
    await refused(cookie + more);
  });

  it('is refused when a service with the same secret and other data made it', async () => {
    await using other = await openAccounts();
    expect(await isSignedIn(other, accounts.administrator.cookie)).toBe(false);
    expect(await isSignedIn(accounts, other.administrator.cookie)).toBe(false);
  });
});

describe('a new secret', () => {
  it('opens the sessions of the previous one, if it is told, and seals its own', async () => {
    using folder = newFolder();
    const next = 'the secret that comes next: fedcba9876543210';
    const start = (...authSecrets: string[]) => startWithAccounts({ dataDir: folder.path, authSecrets });
    let old: string;
    let young: string;
    {
      await using server = await openAccounts({ dataDir: folder.path });
      old = server.administrator.cookie;
    }
    {
      // Refused, though its row is there.
      await using server = await start(`${SECRET}!`);
      expect(await isSignedIn(server, old)).toBe(false);
      await expectError(await call(server, '/api/admin/stats', { cookie: old }), 401, 'authentication_required');
    }
    {
      await using server = await start(next, SECRET);
      expect(await isSignedIn(server, old)).toBe(true);
      young = await newSession(server, { username: 'first-administrator', password: PASSWORD });
    }
    await using server = await start(next);
    expect(await isSignedIn(server, old)).toBe(false);
    expect(await isSignedIn(server, young)).toBe(true);
  });
});

describe('after 7 days', () => {
  afterEach(() => void vi.useRealTimers());

  it('a session is dead by the clock', async () => {
    const { cookie } = await newPerson(accounts, 'administrator');
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start + 7 * DAY_MS - 60_000 });
    expect(await isSignedIn(accounts, cookie)).toBe(true);
    vi.setSystemTime(start + 7 * DAY_MS + 60_000);
    expect(await isSignedIn(accounts, cookie)).toBe(false);
    await expectError(await call(accounts, '/api/admin/stats', { cookie }), 401, 'authentication_required');
  });

  it('a session from when the clock was ahead lasts no longer than one of now', async () => {
    using folder = newFolder();
    const ahead = await openAccounts({ dataDir: folder.path });
    await ahead.stop();
    await inDatabase(folder.path, 'UPDATE sessions SET expires_at = expires_at + ?', 400 * DAY_MS);
    await using server = await startWithAccounts({ dataDir: folder.path });
    const expiresAt = async (): Promise<number> =>
      Number((await inDatabase(folder.path, 'SELECT expires_at FROM sessions'))[0]!['expires_at']);
    // It is capped a moment after the start.
    await expect.poll(expiresAt).toBeLessThan(Date.now() + 8 * DAY_MS);
    expect(await isSignedIn(server, ahead.administrator.cookie)).toBe(true);
  });

  it('a session is dead by its row', async () => {
    const person = await newPerson(accounts, 'administrator');
    await inDatabase(
      accounts.dataDir,
      'UPDATE sessions SET expires_at = ? WHERE user_id = ?',
      Date.now() - 1,
      person.id,
    );
    expect(await isSignedIn(accounts, person.cookie)).toBe(false);
    const fresh = await newSession(accounts, person);
    expect(await sessionsOf(fresh)).toHaveLength(1);
  });

  it('a session whose row is gone is dead', async () => {
    const person = await newPerson(accounts, 'administrator');
    await inDatabase(accounts.dataDir, 'DELETE FROM sessions WHERE user_id = ?', person.id);
    expect(await isSignedIn(accounts, person.cookie)).toBe(false);
  });

  it('rows of dead sessions do not pile up', async () => {
    const person = await newPerson(accounts, 'administrator');
    for (let count = 0; count < 5; count++) await newSession(accounts, person);
    const { dataDir } = accounts;
    const expiresAt = Date.now() - 30 * DAY_MS;
    await inDatabase(dataDir, 'UPDATE sessions SET expires_at = ? WHERE user_id = ?', expiresAt, person.id);
    await newSession(accounts, person);
    expect(await inDatabase(dataDir, 'SELECT id FROM sessions WHERE user_id = ?', person.id)).toHaveLength(1);
  });
});

describe('all sessions of a user end', () => {
  const put = (id: number, body: object, cookie: string) =>
    call(accounts, `/api/users/${id}`, { method: 'PUT', body, cookie });

  it('when an Administrator changes their password', async () => {
    const person = await newPerson(accounts, 'user');
    const cookies = [person.cookie, await newSession(accounts, person)];
    await bodyOf(put(person.id, { password: 'a new password' }, accounts.administrator.cookie));
    for (const cookie of cookies) expect(await isSignedIn(accounts, cookie)).toBe(false);
    await newSession(accounts, { username: person.username, password: 'a new password' });
  });

  it('when they change their own password: they go on with a new one, and the old password is dead', async () => {
    const person = await newPerson(accounts, 'user');
    const other = await newSession(accounts, person);
    const response = await put(person.id, { password: 'a new password' }, person.cookie);
    await bodyOf(response.clone());
    for (const cookie of [person.cookie, other]) expect(await isSignedIn(accounts, cookie)).toBe(false);
    expect(await isSignedIn(accounts, cookieOf(response))).toBe(true);
    const login = (password: string) => post(accounts, '/api/auth/login', { username: person.username, password });
    await expectError(await login(person.password), 401, 'invalid_credentials');
    expect((await login('a new password')).status).toBe(200);
  });

  it('when they are deleted', async () => {
    const person = await newPerson(accounts, 'administrator');
    const { cookie } = accounts.administrator;
    await bodyOf(call(accounts, `/api/users/${person.id}`, { method: 'DELETE', cookie }));
    expect(await isSignedIn(accounts, person.cookie)).toBe(false);
  });

  it.each(['reporter', 'user'] as const)('when an Administrator becomes a %s', async (role) => {
    const person = await newPerson(accounts, 'administrator');
    await bodyOf(put(person.id, { role }, accounts.administrator.cookie));
    const { cookie } = person;
    expect(await isSignedIn(accounts, cookie)).toBe(false);
    await expectError(await call(accounts, '/api/admin/stats', { cookie }), 401, 'authentication_required');
  });

  it('but not when only the name changes', async () => {
    const person = await newPerson(accounts, 'user');
    await bodyOf(put(person.id, { name: 'Other' }, accounts.administrator.cookie));
    expect(await isSignedIn(accounts, person.cookie)).toBe(true);
  });

  it('and those of others stay', async () => {
    const [one, two] = [await newPerson(accounts, 'user'), await newPerson(accounts, 'user')];
    await bodyOf(put(one.id, { password: 'a new password' }, accounts.administrator.cookie));
    expect(await isSignedIn(accounts, two.cookie)).toBe(true);
  });

  it('and a deleted user is not met again under a new one of the same name', async () => {
    const { cookie } = accounts.administrator;
    const person = await newPerson(accounts, 'administrator');
    await bodyOf(call(accounts, `/api/users/${person.id}`, { method: 'DELETE', cookie }));
    const body = { username: person.username, password: person.password, role: 'administrator' };
    const { user } = await bodyOf<{ user: { id: number } }>(post(accounts, '/api/users', body, { cookie }));
    expect(user.id).not.toBe(person.id);
    expect(await isSignedIn(accounts, person.cookie)).toBe(false);
  });
});

describe('the list of sessions', () => {
  it('has one’s own, with where from and which one asks', async () => {
    const person = await newPerson(accounts, 'reporter');
    const phone = await newSession(accounts, person, { 'user-agent': 'phone' });
    const sessions = await sessionsOf(phone);
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toMatchObject([{ userAgent: 'phone' }]);
    for (const { createdAt, expiresAt, address } of sessions) {
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * DAY_MS);
      expect(address).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
    }
  });

  it('takes no word of a stranger for where from', async () => {
    const person = await newPerson(accounts, 'user');
    const cookie = await newSession(accounts, person, { 'x-forwarded-for': '203.0.113.9' });
    for (const { address } of await sessionsOf(cookie)) expect(address).not.toBe('203.0.113.9');
  });

  it('holds nothing that would open a session', async () => {
    const { cookie } = await newPerson(accounts, 'user');
    const text = JSON.stringify(await sessionsOf(cookie));
    expect(text).not.toContain(cookie.split('=')[1]);
    expect(text).not.toMatch(/token|hash/i);
  });

  it('ends one of them at once', async () => {
    const person = await newPerson(accounts, 'user');
    const phone = await newSession(accounts, person);
    const { id } = (await sessionsOf(phone)).find(({ current }) => current)!;
    expect(await bodyOf(end(person.cookie, id))).toEqual({ success: true });
    expect(await isSignedIn(accounts, phone)).toBe(false);
    expect(await isSignedIn(accounts, person.cookie)).toBe(true);
    await expectError(await end(person.cookie, id), 404, 'session_not_found');
  });

  it('ends the one that asks', async () => {
    const { cookie } = await newPerson(accounts, 'user');
    const [session] = await sessionsOf(cookie);
    await bodyOf(end(cookie, session!.id));
    expect(await isSignedIn(accounts, cookie)).toBe(false);
  });

  it('does not end that of another, not even for an Administrator, and does not tell that it is there', async () => {
    const victim = await newPerson(accounts, 'user');
    const [session] = await sessionsOf(victim.cookie);
    const stranger = await newPerson(accounts, 'user');
    for (const { cookie } of [stranger, accounts.administrator]) {
      const error = await expectError(await end(cookie, session!.id), 404, 'session_not_found');
      const absent = await expectError(await end(cookie, 999_999), 404, 'session_not_found');
      expect(error.message).toBe(absent.message.replace('999999', String(session!.id)));
    }
    expect(await isSignedIn(accounts, victim.cookie)).toBe(true);
  });

  it.each(['0', '-1', 'x', '1.5'])('has no session %s', async (id) => {
    await expectError(await end(accounts.administrator.cookie, id), 400, 'invalid_id');
  });
});
