import type { User } from '@assay/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError, expectIssue } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import { forgetPeople } from './forget-people.ts';
import {
  type Accounts,
  bodyOf,
  call,
  isSignedIn,
  logIn,
  newKey,
  newPerson,
  newSession,
  openAccounts,
  PASSWORD,
  type Person,
  post,
  setUpAccounts,
  sharedAccounts,
} from './people.ts';

let accounts: Accounts;
let boss: string;
beforeAll(async () => {
  accounts = await sharedAccounts();
  boss = accounts.administrator.cookie;
});

const create = (body: object, cookie = boss): Promise<Response> => post(accounts, '/api/users', body, { cookie });
const change = (id: number | string, body: unknown, cookie = boss): Promise<Response> =>
  call(accounts, `/api/users/${id}`, { method: 'PUT', body, cookie });
const remove = (id: number | string, cookie = boss): Promise<Response> =>
  call(accounts, `/api/users/${id}`, { method: 'DELETE', cookie });
const list = (cookie?: string): Promise<{ users: User[]; authEnabled: boolean }> =>
  bodyOf(call(accounts, '/api/users', { cookie }));
const newUser = (username: string, overrides: object = {}): object => ({
  username,
  password: PASSWORD,
  role: 'user',
  ...overrides,
});

describe('the list of users', () => {
  it('is whole for an Administrator, holds only oneself for others, and nobody without a session', async () => {
    const [user, reporter] = [await newPerson(accounts, 'user'), await newPerson(accounts, 'reporter')];
    const everyone = (await list(boss)).users.map(({ id }) => id);
    expect(everyone).toEqual(expect.arrayContaining([accounts.administrator.id, user.id, reporter.id]));
    for (const { id, cookie } of [user, reporter]) {
      const { users, authEnabled } = await list(cookie);
      expect(users.map((user) => user.id)).toEqual([id]);
      expect(authEnabled).toBe(true);
    }
    expect(await list()).toEqual({ users: [], authEnabled: true });
    expect(await list('assay_session=forged')).toEqual({ users: [], authEnabled: true });
  });

  it('holds no passwords', async () => {
    expect(JSON.stringify(await list(boss))).not.toMatch(/password|scrypt|hash/i);
  });

  it('is not what one of another credentials is given from a cache', async () => {
    const seen = await call(accounts, '/api/users', { cookie: boss });
    const tag = seen.headers.get('etag');
    const headers: Record<string, string> = tag === null ? {} : { 'if-none-match': tag };
    expect((await call(accounts, '/api/users', { headers })).status).toBe(200);
    expect(seen.headers.get('cache-control') ?? '').toMatch(/no-store|private|no-cache/);
  });
});

describe('a new user', () => {
  it.each(['administrator', 'reporter', 'user'] as const)('can be a %s and sign in', async (role) => {
    const username = `new ${role}`;
    const { success, user } = await bodyOf<{ success: boolean; user: User }>(
      create(newUser(username, { role, name: 'New One' })),
    );
    expect(success).toBe(true);
    expect(user).toEqual({ id: expect.any(Number), username, role, name: 'New One' });
    const cookie = await newSession(accounts, { username, password: PASSWORD });
    expect(await bodyOf(call(accounts, '/api/auth/me', { cookie }))).toEqual({ authenticated: true, user });
  });

  const invalid: [string, object, string][] = [
    ['a short username', newUser('ab'), '/username'],
    ['a long username', newUser('a'.repeat(65)), '/username'],
    ['blanks around the username', newUser(' spaced '), '/username'],
    ['a zero-width character in the username', newUser('ad\u200Bmin'), '/username'],
    ['a short password', newUser('short password', { password: '1234567' }), '/password'],
    ['a long password', newUser('long password', { password: 'p'.repeat(257) }), '/password'],
    ['an unknown role', newUser('unknown role', { role: 'owner' }), '/role'],
    ['a role in capital letters', newUser('capital role', { role: 'Administrator' }), '/role'],
    ['no role', newUser('no role', { role: undefined }), '/role'],
    ['a long name', newUser('long name', { name: 'n'.repeat(201) }), '/name'],
  ];
  it.each(invalid)('with %s is refused', async (_, body, pointer) => {
    const before = (await list(boss)).users.length;
    await expectIssue(await create(body), pointer);
    expect((await list(boss)).users).toHaveLength(before);
  });

  it('cannot choose an id, and unknown fields do nothing', async () => {
    const { id } = accounts.administrator;
    const body = newUser('chosen id', { id, isAdmin: true, username_key: 'x' });
    const { user } = await bodyOf<{ user: User }>(create(body));
    expect(user.id).not.toBe(id);
    expect(Object.keys(user).sort()).toEqual(['id', 'name', 'role', 'username']);
  });

  const twins: [string, string, string][] = [
    ['in case', 'Someone', 'sOMEONE'],
    ['in the case of other alphabets', 'ÅNGSTRÖM', 'ångström'],
    ['in Greek case', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['in Unicode normalisation', 'Zo\u00EB-account', 'Zoe\u0308-account'],
    ['in compatibility forms', 'fi-account', '\uFB01-account'],
    ['in full-width letters', 'wide-account', '\uFF57\uFF49\uFF44\uFF45-account'],
  ];
  it.each(twins)('whose name differs only %s is the same one', async (_, first, second) => {
    await bodyOf(create(newUser(first)));
    const error = await expectError(await create(newUser(second)), 400, 'username_taken');
    expect(error.issues).toMatchObject([{ path: '/username' }]);
    expect((await logIn(accounts, second, PASSWORD)).status).toBe(200);
  });

  it('of one name is made once, however many ask at the same moment', async () => {
    const names = ['Racer', 'racer', 'RACER', 'rAcEr', 'RaCeR', 'racer'];
    const responses = await Promise.all(names.map((name) => create(newUser(name))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
    for (const response of responses) if (response.status === 400) await expectError(response, 400, 'username_taken');
  });
});

describe('everyone', () => {
  it.each(['user', 'reporter', 'administrator'] as const)('as a %s changes their own name', async (role) => {
    const { id, cookie, username } = await newPerson(accounts, role);
    const { user } = await bodyOf<{ user: User }>(change(id, { name: 'Renamed' }, cookie));
    expect(user).toEqual({ id, username, role, name: 'Renamed' });
    expect(await bodyOf(change(id, { name: null }, cookie))).toMatchObject({ user: { name: null } });
  });

  it('changes their own password', async () => {
    const { id, cookie, username } = await newPerson(accounts, 'user');
    await bodyOf(change(id, { password: 'mine from now on' }, cookie));
    expect((await logIn(accounts, username, 'mine from now on')).status).toBe(200);
  });

  it.each(['user', 'reporter'] as const)('but not their role, as a %s', async (role) => {
    const { id, cookie } = await newPerson(accounts, role);
    for (const other of ['administrator', 'reporter', 'user'] as const) {
      if (other === role) continue;
      const response = await change(id, { role: other, name: 'Sly' }, cookie);
      await expectError(response, 403, 'insufficient_permissions');
    }
    expect(await list(cookie)).toMatchObject({ users: [{ role, name: null }] });
    expect(await isSignedIn(accounts, cookie)).toBe(true);
  });

  it('but nothing of another', async () => {
    const [one, two] = [await newPerson(accounts, 'user'), await newPerson(accounts, 'user')];
    for (const body of [{ name: 'x' }, { password: 'a stolen account' }, { role: 'administrator' }, {}]) {
      await expectError(await change(two.id, body, one.cookie), 403, 'insufficient_permissions');
    }
    expect((await logIn(accounts, two.username, two.password)).status).toBe(200);
  });

  it('is not told by the answer whether a user exists', async () => {
    const { cookie } = await newPerson(accounts, 'user');
    const ask = async (id: number): Promise<unknown[]> =>
      Promise.all(
        [change(id, { name: 'x' }, cookie), remove(id, cookie)].map(async (answer) => {
          const { code, message } = await expectError(await answer, 403);
          return { code, message };
        }),
      );
    expect(await ask(accounts.administrator.id)).toEqual(await ask(987_654));
  });
});

describe('an Administrator', () => {
  it('changes role, name and password of others, each by itself', async () => {
    const person = await newPerson(accounts, 'user');
    expect(await bodyOf(change(person.id, { role: 'reporter' }))).toMatchObject({ user: { role: 'reporter' } });
    expect(await bodyOf(change(person.id, { name: 'N' }))).toMatchObject({ user: { role: 'reporter', name: 'N' } });
    expect((await logIn(accounts, person.username, person.password)).status).toBe(200);
    await bodyOf(change(person.id, { password: 'set by another' }));
    await expectError(await logIn(accounts, person.username, person.password), 401, 'invalid_credentials');
    expect((await logIn(accounts, person.username, 'set by another')).status).toBe(200);
    expect(await bodyOf(change(person.id, {}))).toMatchObject({ user: { role: 'reporter', name: 'N' } });
  });

  it('deletes a user once, with all that was theirs', async () => {
    const person = await newPerson(accounts, 'reporter');
    await newKey(accounts, person.id);
    expect(await bodyOf(remove(person.id))).toEqual({ success: true });
    await expectError(await remove(person.id), 404, 'user_not_found');
    await expectError(await logIn(accounts, person.username, person.password), 401, 'invalid_credentials');
    for (const table of ['sessions', 'api_keys', 'known_addresses']) {
      expect(await inDatabase(accounts.dataDir, `SELECT * FROM ${table} WHERE user_id = ?`, person.id)).toEqual([]);
    }
  });

  it.each([
    ['PUT', '/api/users/987654'],
    ['DELETE', '/api/users/987654'],
    ['GET', '/api/users/987654/api-keys'],
    ['POST', '/api/users/987654/api-keys'],
  ] as const)('is told that there is no such user: %s %s', async (method, path) => {
    const request = method === 'PUT' || method === 'POST' ? { body: { name: 'x' } } : {};
    await expectError(await call(accounts, path, { ...request, method, cookie: boss }), 404, 'user_not_found');
  });

  it.each(['0', '-1', 'x', '1.5', '1e3', '%20'])('is told that %s is no id', async (id) => {
    await expectError(await change(id, { name: 'x' }), 400, 'invalid_id');
    await expectError(await remove(id), 400, 'invalid_id');
  });

  it.each([
    ['/password', { password: 'short' }],
    ['/password', { password: 'p'.repeat(257) }],
    ['/role', { role: 'root' }],
    ['/role', { role: null }],
    ['/name', { name: 'n'.repeat(201) }],
    ['/name', { name: {} }],
  ])('is told that %s is wrong in a change', async (pointer, body) => {
    const { id } = await newPerson(accounts, 'user');
    await expectIssue(await change(id, body), pointer);
  });

  it('does half of a change never', async () => {
    const person = await newPerson(accounts, 'user');
    await expectIssue(await change(person.id, { name: 'Half', password: 'short' }), '/password');
    expect(await list(person.cookie)).toMatchObject({ users: [{ name: null }] });
  });
});

describe('the last Administrator', () => {
  let server: Accounts;
  beforeAll(async () => (server = await openAccounts()));
  beforeEach(async () => {
    await forgetPeople(server);
    server = await setUpAccounts(server);
  });
  afterAll(() => server.stop());

  const administratorsIn = async (dataDir: string): Promise<unknown[]> =>
    (await inDatabase(dataDir, "SELECT id FROM users WHERE role = 'administrator'")).map(({ id }) => id);

  it('can be neither deleted nor demoted, also when there are others of other roles', async () => {
    const { id, cookie } = server.administrator;
    await newPerson(server, 'reporter');
    const put = (body: object) => call(server, `/api/users/${id}`, { method: 'PUT', body, cookie });
    await expectError(await put({ role: 'user' }), 400, 'last_administrator');
    await expectError(await put({ role: 'reporter', name: 'x', password: 'not to be' }), 400, 'last_administrator');
    await expectError(await call(server, `/api/users/${id}`, { method: 'DELETE', cookie }), 400, 'last_administrator');
    expect(await bodyOf(call(server, '/api/auth/me', { cookie }))).toMatchObject({ user: { name: 'First' } });
    expect((await logIn(server, server.administrator.username, PASSWORD)).status).toBe(200);
    await bodyOf(put({ role: 'administrator', name: 'Still' }));
  });

  it('may leave once there is another', async () => {
    const { id, cookie } = server.administrator;
    const other = await newPerson(server, 'administrator');
    await bodyOf(call(server, `/api/users/${id}`, { method: 'DELETE', cookie }));
    expect(await administratorsIn(server.dataDir)).toEqual([other.id]);
  });

  const acts: [string, (by: Person, of: Person) => Promise<Response>][] = [
    [
      'demote each other',
      (by, of) => call(server, `/api/users/${of.id}`, { method: 'PUT', body: { role: 'user' }, cookie: by.cookie }),
    ],
    [
      'demote themselves',
      (by) => call(server, `/api/users/${by.id}`, { method: 'PUT', body: { role: 'user' }, cookie: by.cookie }),
    ],
    ['delete each other', (by, of) => call(server, `/api/users/${of.id}`, { method: 'DELETE', cookie: by.cookie })],
    ['delete themselves', (by) => call(server, `/api/users/${by.id}`, { method: 'DELETE', cookie: by.cookie })],
    [
      'demote and delete each other',
      (by, of) =>
        call(
          server,
          `/api/users/${of.id}`,
          by.id < of.id
            ? { method: 'DELETE', cookie: by.cookie }
            : { method: 'PUT', body: { role: 'user' }, cookie: by.cookie },
        ),
    ],
  ];
  it.each(acts)('is left when two %s at the same moment', async (_, act) => {
    let survivor = server.administrator;
    for (let round = 0; round < 3; round++) {
      const other = await newPerson({ ...server, administrator: survivor }, 'administrator');
      const answers = await Promise.all([act(survivor, other), act(other, survivor)]);
      const left = await administratorsIn(server.dataDir);
      expect(left).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      if (left[0] === other.id) survivor = other;
    }
  });
});
