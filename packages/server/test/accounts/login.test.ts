import { scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectIssue } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import { readConfig } from '../tested-service.ts';
import { forgetPeople } from './forget-people.ts';
import {
  type Accounts,
  bodyOf,
  logIn,
  newPerson,
  openAccounts,
  PASSWORD,
  type Person,
  post,
  QUICK_COST,
  sharedAccounts,
} from './people.ts';

let accounts: Accounts;
let person: Person;
beforeAll(async () => {
  accounts = await sharedAccounts();
  person = await newPerson(accounts, 'user');
});

const attributesOf = (response: Response): string[] => {
  const [cookie] = response.headers.getSetCookie();
  return cookie!
    .split(';')
    .slice(1)
    .map((attribute) => attribute.trim().toLowerCase())
    .sort();
};

const PLAIN = ['httponly', 'max-age=604800', 'path=/', 'samesite=lax'];
const SECURE = [...PLAIN, 'secure'].sort();

describe('the cookie', () => {
  it('is HttpOnly, SameSite=Lax, for the whole site, for 7 days, and not Secure by HTTP', async () => {
    const response = await logIn(accounts, person.username, person.password);
    expect(attributesOf(response)).toEqual(PLAIN);
    expect(await response.json()).toEqual({
      success: true,
      user: { id: person.id, username: person.username, role: 'user', name: null },
    });
  });

  it('tells nothing: neither who it is of nor twice the same', async () => {
    const cookies = await Promise.all(
      [1, 2].map(async () => (await logIn(accounts, person.username, person.password)).headers.getSetCookie()[0]!),
    );
    expect(cookies[0]).not.toBe(cookies[1]);
    for (const cookie of cookies) {
      const value = decodeURIComponent(cookie.split(';')[0]!.split('=').slice(1).join('='));
      const readable = value.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      for (const text of [value, ...readable]) {
        expect(text).not.toContain(person.username);
        expect(text).not.toMatch(/"(id|user|role|session)/i);
      }
    }
  });

  it.each(['https', 'HTTPS', 'https,http', 'http'])('ignores X-Forwarded-Proto: %s of a stranger', async (proto) => {
    const headers = { 'x-forwarded-proto': proto, forwarded: 'proto=https', 'x-forwarded-ssl': 'on' };
    expect(attributesOf(await logIn(accounts, person.username, person.password, headers))).toEqual(PLAIN);
  });

  describe('behind a proxy', () => {
    let behind: Accounts;
    beforeAll(async () => (behind = await openAccounts({ trustProxy: true })));
    afterAll(() => behind.stop());

    it('is Secure when a trusted proxy says HTTPS, and only then', async () => {
      const by = (headers: Record<string, string>): Promise<Response> =>
        logIn(behind, behind.administrator.username, PASSWORD, headers);
      expect(attributesOf(await by({ 'x-forwarded-proto': 'https' }))).toEqual(SECURE);
      expect(attributesOf(await by({ 'x-forwarded-proto': 'http' }))).toEqual(PLAIN);
      expect(attributesOf(await by({}))).toEqual(PLAIN);
    });

    it('that logout takes back has the attributes of the one that it replaces', async () => {
      const { cookie } = behind.administrator;
      const response = await post(behind, '/api/auth/logout', undefined, {
        cookie,
        headers: { 'x-forwarded-proto': 'https' },
      });
      expect(response.headers.getSetCookie()[0]).toMatch(/^[^=]+=;/);
      expect(attributesOf(response)).toEqual(['httponly', 'max-age=0', 'path=/', 'samesite=lax', 'secure']);
    });

    it('of setup is Secure as well', async () => {
      await forgetPeople(behind);
      const headers = { 'x-forwarded-proto': 'https' };
      const body = { username: 'other', password: PASSWORD };
      expect(attributesOf(await post(behind, '/api/auth/setup', body, { headers }))).toEqual(SECURE);
    });
  });

  it('is not kept by caches', async () => {
    const response = await logIn(accounts, person.username, person.password);
    expect(response.headers.get('cache-control') ?? '').toMatch(/no-store/);
  });
});

describe('who cannot sign in', () => {
  it('gets one answer for an unknown user and for a wrong password', async () => {
    const unknown = await expectError(await logIn(accounts, 'nobody-at-all', person.password), 401);
    const wrong = await expectError(await logIn(accounts, person.username, 'a wrong password'), 401);
    expect({ ...unknown, requestId: '' }).toEqual({ ...wrong, requestId: '' });
    expect(unknown.code).toBe('invalid_credentials');
  });

  it('gets the same headers for both', async () => {
    const names = async (username: string): Promise<string[]> => {
      const response = await logIn(accounts, username, 'a wrong password');
      expect(response.headers.getSetCookie()).toEqual([]);
      return [...response.headers.keys()].sort();
    };
    expect(await names('nobody-again')).toEqual(await names(person.username));
  });

  it.each([
    ['an empty password', ''],
    ['a password with a blank more', 'BLANK'],
    ['a password in capital letters', 'CAPITALS'],
    ['a password of 100,000 characters', 'x'.repeat(100_000)],
  ])('has %s', async (_, password) => {
    const other = await newPerson(accounts, 'user');
    const variants: Record<string, string> = {
      BLANK: `${other.password} `,
      CAPITALS: other.password.toUpperCase(),
    };
    const response = await logIn(accounts, other.username, variants[password] ?? password);
    expect([400, 401]).toContain(response.status);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['/username', { password: 'password' }],
    ['/password', { username: 'someone' }],
    ['/username', { username: { $gt: '' }, password: 'password' }],
    ['/password', { username: 'someone', password: ['password'] }],
    ['/username', { username: null, password: 'password' }],
  ])('is told that %s is wrong: %j', async (pointer, body) => {
    await expectIssue(await post(accounts, '/api/auth/login', body), pointer);
  });

  it('gains nothing by SQL', async () => {
    for (const username of ["' OR 1=1 --", `${person.username}' --`, '%', '_'.repeat(6)]) {
      await expectError(await logIn(accounts, username, person.password), 401, 'invalid_credentials');
    }
  });
});

describe('a username', () => {
  it('is the same in capital and small letters', async () => {
    for (const username of [person.username.toUpperCase(), person.username.toLowerCase()]) {
      const { user } = await bodyOf<{ user: object }>(logIn(accounts, username, person.password));
      expect(user).toMatchObject({ id: person.id, username: person.username });
    }
  });
});

describe('a password', () => {
  it('has a salt of its own, and its parameters beside the hash', async () => {
    const same = { password: 'the very same password', role: 'user' };
    for (const username of ['twin one', 'twin two']) {
      await bodyOf(post(accounts, '/api/users', { ...same, username }, { cookie: accounts.administrator.cookie }));
    }
    const rows = await inDatabase(accounts.dataDir, "SELECT password FROM users WHERE username LIKE 'twin%'");
    const stored = rows.map(({ password }) => String(password));
    expect(stored).toHaveLength(2);
    expect(stored[0]).not.toBe(stored[1]);
    for (const text of stored) {
      expect(text).toMatch(/scrypt/i);
      expect(text).not.toContain(same.password);
    }
  });

  it('that is no Unicode text is refused, or opens by itself alone', async () => {
    const other = { username: 'half a pair', password: 'password \ud800', role: 'user' };
    const made = await post(accounts, '/api/users', other, { cookie: accounts.administrator.cookie });
    if (made.status === 400) return;
    expect((await logIn(accounts, other.username, 'password \udbff')).status).toBe(401);
  });

  it('is hashed with the work of N = 2^17 in 32 MiB unless a test says otherwise', async () => {
    const { passwordCost } = readConfig({});
    await using server = await openAccounts({ passwordCost });
    const [user] = await inDatabase(server.dataDir, 'SELECT password FROM users');
    const [, cost, blockSize, passes] = String(user!['password']).split('$').map(Number);
    expect(2 ** cost! * blockSize! * passes!).toBe(2 ** 17 * 8);
    expect(128 * 2 ** cost! * blockSize!).toBe(32 * 1024 * 1024);
  });

  it('opens by a hash with other parameters, which a login replaces when it takes more memory', async () => {
    const password = 'an older password';
    const salt = Buffer.from('sixteen of bytes');
    const key = scryptSync(password, salt, 32, { N: 2 ** 12, r: 8, p: 1 });
    const old = ['scrypt', 12, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$');
    const person = await newPerson(accounts, 'user');
    await inDatabase(accounts.dataDir, 'UPDATE users SET password = ? WHERE id = ?', old, person.id);
    expect((await logIn(accounts, person.username, 'another password')).status).toBe(401);
    for (let login = 0; login < 2; login++) expect((await logIn(accounts, person.username, password)).status).toBe(200);
    const [user] = await inDatabase(accounts.dataDir, 'SELECT password FROM users WHERE id = ?', person.id);
    expect(String(user!['password']).split('$').slice(0, 4)).toEqual(['scrypt', String(QUICK_COST), '8', '4']);
  });

  it('is hashed anew at the next login when the cost has risen', async () => {
    const hashes = (dataDir: string): Promise<unknown[]> => inDatabase(dataDir, 'SELECT password FROM users');
    const cheap = await openAccounts({ passwordCost: 10 });
    const { dataDir } = cheap;
    const before = await hashes(dataDir);
    const row = (await inDatabase(dataDir, 'SELECT * FROM users'))[0]!;
    await using dear = await openAccounts({ passwordCost: 11 });
    await inDatabase(dear.dataDir, 'UPDATE users SET password = ?', String(row['password']));
    expect(await hashes(dear.dataDir)).toEqual(before);
    await bodyOf(logIn(dear, dear.administrator.username, PASSWORD));
    expect(await hashes(dear.dataDir)).not.toEqual(before);
    const risen = await hashes(dear.dataDir);
    await bodyOf(logIn(dear, dear.administrator.username, PASSWORD));
    expect(await hashes(dear.dataDir)).toEqual(risen);
    await cheap.stop();
  });
});

describe('many logins at once', () => {
  it('are all answered, right and wrong ones each as they should', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => newPerson(accounts, 'user')));
    const answers = await Promise.all(
      people.flatMap(({ username, password }) => [
        logIn(accounts, username, password),
        logIn(accounts, username, `not ${password}`),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(people.flatMap(() => [200, 401]));
  });
});
