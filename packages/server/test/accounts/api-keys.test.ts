import { createHash } from 'node:crypto';
import type { ApiKey, NewApiKey } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, expectIssue } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import {
  type Accounts,
  bodyOf,
  call,
  newKey,
  newPerson,
  sharedAccounts,
  type Person,
  post,
  type Request,
} from './people.ts';
import { UPLOAD, smallForm, submitTo } from './submitting.ts';

let accounts: Accounts;
let reporter: Person;
beforeAll(async () => {
  accounts = await sharedAccounts();
  reporter = await newPerson(accounts, 'reporter');
});

const submit = (request: Request): Promise<Response> => submitTo(accounts, request);
const listKeys = async (userId: number, cookie = accounts.administrator.cookie): Promise<ApiKey[]> =>
  (await bodyOf<{ apiKeys: ApiKey[] }>(call(accounts, `/api/users/${userId}/api-keys`, { cookie }))).apiKeys;
const revoke = (userId: number, keyId: number | string, cookie = accounts.administrator.cookie): Promise<Response> =>
  call(accounts, `/api/users/${userId}/api-keys/${keyId}`, { method: 'DELETE', cookie });

describe('a new key', () => {
  it('is pd_ and 64 hexadecimal characters, with its first 8 as its prefix', async () => {
    const made = await newKey(accounts, reporter.id, { name: 'nightly' });
    expect(Object.keys(made).sort()).toEqual(['expiresAt', 'id', 'key', 'name', 'prefix']);
    expect(made.key).toMatch(/^pd_[0-9a-f]{64}$/);
    expect(made.prefix).toBe(made.key.slice(3, 11));
    expect(made).toMatchObject({ name: 'nightly', expiresAt: null });
  });

  it('is shown once; the list has its prefix', async () => {
    const made = await newKey(accounts, reporter.id);
    const keys = await listKeys(reporter.id);
    expect(keys.find(({ id }) => id === made.id)).toEqual({
      id: made.id,
      name: 'CI',
      keyPrefix: made.prefix,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      lastUsedAt: null,
      expiresAt: null,
    });
    expect(JSON.stringify(keys)).not.toContain(made.key.slice(12));
  });

  it('is stored as its SHA-256 alone', async () => {
    const { id, key, prefix } = await newKey(accounts, reporter.id);
    const [row] = await inDatabase(accounts.dataDir, 'SELECT * FROM api_keys WHERE id = ?', id);
    const texts = Object.values(row!).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value),
    );
    expect(texts).toContain(createHash('sha256').update(key).digest('hex'));
    for (const text of texts) expect(text === prefix || !text.includes(key.slice(3, 12))).toBe(true);
  });

  it('differs from all others', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => newKey(accounts, reporter.id)));
    expect(new Set(keys.map(({ key }) => key.slice(3, 35))).size).toBe(20);
    expect(new Set(keys.map(({ key }) => key.slice(35))).size).toBe(20);
  });

  const bodies: [string, unknown, string][] = [
    ['no name', {}, '/name'],
    ['an empty name', { name: '' }, '/name'],
    ['a long name', { name: 'n'.repeat(201) }, '/name'],
    ['an expiry in the past', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
    ['an expiry a moment ago', { name: 'x', expiresAt: new Date(Date.now() - 1_000).toISOString() }, '/expiresAt'],
    ['an expiry that is no time', { name: 'x', expiresAt: 'tomorrow' }, '/expiresAt'],
    ['an expiry on no day', { name: 'x', expiresAt: '2099-02-30T00:00:00Z' }, '/expiresAt'],
    ['an expiry that is a number', { name: 'x', expiresAt: 4_000_000_000_000 }, '/expiresAt'],
  ];
  it.each(bodies)('with %s is refused', async (_, body, pointer) => {
    const { cookie } = accounts.administrator;
    await expectIssue(await post(accounts, `/api/users/${reporter.id}/api-keys`, body, { cookie }), pointer);
  });

  it('with a name of blanks is refused', async () => {
    const { cookie } = accounts.administrator;
    await expectIssue(await post(accounts, `/api/users/${reporter.id}/api-keys`, { name: '   ' }, { cookie }), '/name');
  });

  it('takes an expiry with any offset and answers it in UTC', async () => {
    const made = await newKey(accounts, reporter.id, { name: 'x', expiresAt: '2199-01-01T01:30:00+01:30' });
    expect(made.expiresAt).toBe('2199-01-01T00:00:00.000Z');
    expect((await submit({ key: made.key })).status).toBe(200);
  });

  it('is not kept by caches', async () => {
    const { cookie } = accounts.administrator;
    const response = await post(accounts, `/api/users/${reporter.id}/api-keys`, { name: 'x' }, { cookie });
    expect(response.headers.get('cache-control') ?? '').toMatch(/no-store/);
  });
});

describe('a key opens', () => {
  let key: string;
  beforeAll(async () => ({ key } = await newKey(accounts, reporter.id)));

  const headers: [string, (key: string) => Record<string, string>][] = [
    ['Authorization: Bearer', (key) => ({ authorization: `Bearer ${key}` })],
    ['Authorization: bearer', (key) => ({ authorization: `bearer ${key}` })],
    ['X-API-Key', (key) => ({ 'x-api-key': key })],
  ];
  it.each(headers)('submissions and uploads by %s', async (_, header) => {
    expect(await bodyOf(submit({ headers: header(key) }))).toMatchObject({ success: true });
    expect(await bodyOf(post(accounts, UPLOAD, smallForm(), { headers: header(key) }))).toMatchObject({
      success: true,
    });
  });

  /** The use is written beside the submission, maybe a moment after its answer. */
  const lastUsed = async (keyId: number): Promise<string | null> =>
    (await listKeys(reporter.id)).find(({ id }) => id === keyId)!.lastUsedAt;

  it('and is then seen as used', async () => {
    const { id, key } = await newKey(accounts, reporter.id);
    await bodyOf(submit({ key }));
    await expect.poll(() => lastUsed(id)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('and the time of use is written once a minute at most', async () => {
    const { id, key } = await newKey(accounts, reporter.id);
    const use = async (): Promise<unknown> => bodyOf(submit({ key }));
    const age = (seconds: number): Promise<unknown> =>
      inDatabase(
        accounts.dataDir,
        'UPDATE api_keys SET last_used_at = last_used_at - ? WHERE id = ?',
        seconds * 1_000,
        id,
      );
    await use();
    await expect.poll(() => lastUsed(id)).not.toBeNull();
    const first = (await lastUsed(id))!;
    await age(30);
    const aged = await lastUsed(id);
    await use();
    await use();
    expect(await lastUsed(id)).toBe(aged);
    await age(60);
    await use();
    await expect.poll(async () => Date.parse((await lastUsed(id))!)).toBeGreaterThanOrEqual(Date.parse(first));
  });

  it('and is not seen as used when it was refused', async () => {
    const user = await newPerson(accounts, 'user');
    const made = await newKey(accounts, user.id);
    await inDatabase(accounts.dataDir, 'UPDATE api_keys SET expires_at = 1 WHERE id = ?', made.id);
    await expectError(await submit({ key: made.key }), 401, 'invalid_api_key');
    expect(await listKeys(user.id)).toMatchObject([{ lastUsedAt: null }]);
  });

  it('nothing else, also not for an Administrator with a cookie beside it', async () => {
    const { key } = await newKey(accounts, accounts.administrator.id);
    const { cookie } = accounts.administrator;
    for (const [method, path] of [
      ['GET', '/api/admin/stats'],
      ['GET', '/api/admin/audit'],
      ['GET', '/api/auth/sessions'],
      ['POST', '/api/users'],
      ['POST', `/api/users/${reporter.id}/api-keys`],
      ['GET', `/api/users/${reporter.id}/api-keys`],
      ['DELETE', '/api/test-runs/999999'],
      ['POST', '/api/test-runs/999999/reports/merge'],
    ] as const) {
      const request = method === 'POST' ? { method, body: { name: 'x' } } : { method };
      expect((await call(accounts, path, { ...request, key })).status, path).toBe(401);
      expect((await call(accounts, path, { ...request, key, cookie })).status, `${path} with a cookie`).toBe(401);
    }
  });

  it('no session: me and users are as without credentials', async () => {
    const { key } = await newKey(accounts, accounts.administrator.id);
    expect(await bodyOf(call(accounts, '/api/auth/me', { key }))).toEqual({ authenticated: false, user: null });
    expect(await bodyOf(call(accounts, '/api/users', { key }))).toMatchObject({ users: [] });
  });
});

describe('a key stops at once', () => {
  const stops = async ({ key }: NewApiKey, act: () => Promise<unknown>, status = 401): Promise<void> => {
    expect((await submit({ key })).status).toBe(200);
    await act();
    const code = status === 401 ? 'invalid_api_key' : 'insufficient_permissions';
    await expectError(await submit({ key }), status, code);
    await expectError(await post(accounts, UPLOAD, smallForm(), { key }), status, code);
  };

  it('when an Administrator revokes it; others of the same user go on', async () => {
    const [made, other] = [await newKey(accounts, reporter.id), await newKey(accounts, reporter.id)];
    await stops(made, () => bodyOf(revoke(reporter.id, made.id)));
    expect((await submit({ key: other.key })).status).toBe(200);
    expect((await listKeys(reporter.id)).map(({ id }) => id)).not.toContain(made.id);
    await expectError(await revoke(reporter.id, made.id), 404, 'api_key_not_found');
  });

  it('when its owner revokes it', async () => {
    const made = await newKey(accounts, reporter.id);
    expect((await listKeys(reporter.id, reporter.cookie)).map(({ id }) => id)).toContain(made.id);
    await stops(made, () => bodyOf(revoke(reporter.id, made.id, reporter.cookie)));
  });

  it('when it expires', async () => {
    const made = await newKey(accounts, reporter.id, { name: 'x', expiresAt: '2199-01-01T00:00:00Z' });
    const expire = 'UPDATE api_keys SET expires_at = ? WHERE id = ?';
    await stops(made, async () => inDatabase(accounts.dataDir, expire, Date.now() - 1, made.id));
  });

  it('when its owner is deleted', async () => {
    const person = await newPerson(accounts, 'reporter');
    const { cookie } = accounts.administrator;
    const remove = () => bodyOf(call(accounts, `/api/users/${person.id}`, { method: 'DELETE', cookie }));
    await stops(await newKey(accounts, person.id), remove);
  });

  it.each(['reporter', 'administrator'] as const)('when its owner, a %s, becomes a user', async (role) => {
    const person = await newPerson(accounts, role);
    const { cookie } = accounts.administrator;
    const body = { role: 'user' };
    const demote = () => bodyOf(call(accounts, `/api/users/${person.id}`, { method: 'PUT', body, cookie }));
    await stops(await newKey(accounts, person.id), demote, 403);
  });
});

describe('keys of another', () => {
  it('can be neither listed nor revoked, also not through one’s own path', async () => {
    const [one, two] = [await newPerson(accounts, 'reporter'), await newPerson(accounts, 'reporter')];
    const { id, key } = await newKey(accounts, two.id);
    const { cookie } = one;
    const path = `/api/users/${two.id}/api-keys`;
    await expectError(await call(accounts, path, { cookie }), 403, 'insufficient_permissions');
    await expectError(await revoke(two.id, id, cookie), 403, 'insufficient_permissions');
    await expectError(await revoke(one.id, id, cookie), 404, 'api_key_not_found');
    await expectError(await revoke(one.id, id), 404, 'api_key_not_found');
    expect((await submit({ key })).status).toBe(200);
  });

  it.each(['0', 'x', '-1'])('%s is no id of a key', async (id) => {
    await expectError(await revoke(reporter.id, id), 400, 'invalid_id');
  });
});
