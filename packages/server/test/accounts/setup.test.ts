import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectError, expectIssue } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import type { TestServer } from '../server.ts';
import { forgetPeople } from './forget-people.ts';
import { bodyOf, call, cookieOf, isSignedIn, PASSWORD, post, startWithAccounts } from './people.ts';

const SETUP = '/api/auth/setup';
const first = (overrides: object = {}): object => ({ username: 'first', password: PASSWORD, name: 'A', ...overrides });

describe('setup with a body that cannot be used', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startWithAccounts({ trustProxy: true })));
  afterAll(() => server.stop());

  const invalid: [what: string, body: unknown, pointer: string][] = [
    ['a username of 2 characters', first({ username: 'ab' }), '/username'],
    ['a username of 65 characters', first({ username: 'a'.repeat(65) }), '/username'],
    ['a username of blanks', first({ username: '     ' }), '/username'],
    ['a username with a control character', first({ username: 'ab\u0000cd' }), '/username'],
    ['a username with a line break', first({ username: 'ab\ncd' }), '/username'],
    ['a username that turns the direction of text', first({ username: 'ab\u202Ecd' }), '/username'],
    ['a username that is a number', first({ username: 12345 }), '/username'],
    ['no username', first({ username: undefined }), '/username'],
    ['a password of 7 characters', first({ password: '1234567' }), '/password'],
    ['a password of 257 characters', first({ password: 'p'.repeat(257) }), '/password'],
    ['a password that is null', first({ password: null }), '/password'],
    ['no password', first({ password: undefined }), '/password'],
    ['a name that is a number', first({ name: 5 }), '/name'],
  ];

  it.each(invalid)('%s is refused with the field named', async (what, body, pointer) => {
    const response = await post(server, SETUP, body, { headers: { 'x-forwarded-for': `10.1.0.${what.length}` } });
    expect(response.headers.getSetCookie()).toEqual([]);
    const error = await expectIssue(response, pointer);
    expect(await inDatabase(server.dataDir, 'SELECT id FROM users')).toEqual([]);
    expect(JSON.stringify(error)).not.toContain('1234567');
  });

  it.each(['null', '[]', '"text"', '{"username":', ''])('the body %j is refused', async (text) => {
    const headers = { 'content-type': 'application/json' };
    await expectError(await fetch(server.url + SETUP, { method: 'POST', headers, body: text }), 400, 'invalid_body');
  });

  it('another type of content is 415', async () => {
    const body = new URLSearchParams({ username: 'first', password: PASSWORD });
    await expectError(await fetch(server.url + SETUP, { method: 'POST', body }), 415, 'unsupported_media_type');
  });
});

describe('setup', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startWithAccounts({ trustProxy: true })));
  beforeEach(() => forgetPeople(server));
  afterAll(() => server.stop());

  const accepted: [string, { username: string; password: string; name?: string | null }][] = [
    ['the shortest', { username: 'abc', password: '12345678' }],
    ['the longest', { username: 'ü'.repeat(64), password: '\u{1F511}'.repeat(128), name: null }],
    ['a name with blanks inside', { username: 'Ann van Dyk', password: ' pass word ', name: 'Ann' }],
  ];
  it.each(accepted)('takes %s username and password, and signs in', async (_, body) => {
    const response = await post(server, SETUP, body);
    const { user, success } = await bodyOf<{ success: boolean; user: unknown }>(response.clone());
    expect(success).toBe(true);
    const expected = {
      id: expect.any(Number),
      username: body.username,
      role: 'administrator',
      name: body.name ?? null,
    };
    expect(user).toEqual(expected);
    expect(await isSignedIn(server, cookieOf(response))).toBe(true);
    const again = await post(server, '/api/auth/login', { username: body.username, password: body.password });
    expect(again.status).toBe(200);
  });

  it('works once, whatever is sent, and later ones change nothing', async () => {
    const cookie = cookieOf(await post(server, SETUP, first()));
    for (const username of ['first', 'second']) {
      const response = await post(server, SETUP, first({ username, password: 'another password' }));
      expect(response.headers.getSetCookie()).toEqual([]);
      await expectError(response, 400, 'setup_done');
    }
    const { users } = await bodyOf<{ users: unknown[] }>(call(server, '/api/users', { cookie }));
    expect(users).toHaveLength(1);
    expect((await post(server, '/api/auth/login', { username: 'first', password: PASSWORD })).status).toBe(200);
  });

  it.each([2, 20])('has one winner when %i are made at once', async (count) => {
    const responses = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        post(server, SETUP, first({ username: `person ${index}` }), {
          headers: { 'x-forwarded-for': `10.0.0.${index + 1}` },
        }),
      ),
    );
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const response of responses) {
      if (response.status === 200) continue;
      expect(response.headers.getSetCookie()).toEqual([]);
      await expectError(response, 400, 'setup_done');
    }
    const users = await inDatabase(server.dataDir, 'SELECT username FROM users');
    const { user } = await bodyOf<{ user: { username: string } }>(winners[0]!);
    expect(users.map(({ username }) => username)).toEqual([user.username]);
  });

  it('has one winner when two with the same name are made at once', async () => {
    const responses = await Promise.all([post(server, SETUP, first()), post(server, SETUP, first())]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('stays closed after a restart', async () => {
    using folder = newFolder();
    {
      await using own = await startWithAccounts({ dataDir: folder.path });
      await bodyOf(post(own, SETUP, first()));
    }
    await using own = await startWithAccounts({ dataDir: folder.path });
    await expectError(await post(own, SETUP, first({ username: 'second' })), 400, 'setup_done');
  });

  it('stays closed while any user is there, whatever their role', async () => {
    await bodyOf(post(server, SETUP, first()));
    await inDatabase(server.dataDir, "UPDATE users SET role = 'user'");
    await expectError(await post(server, SETUP, first({ username: 'second' })), 400, 'setup_done');
  });
});
