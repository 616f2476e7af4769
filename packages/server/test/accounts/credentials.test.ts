import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { submission } from '../conformance/build.ts';
import { expectError } from '../conformance/wire.ts';
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
import { SUBMIT, UPLOAD, smallForm, submitTo } from './submitting.ts';

let accounts: Accounts;
let reporter: Person;
beforeAll(async () => {
  accounts = await sharedAccounts();
  reporter = await newPerson(accounts, 'reporter');
});

const submit = (request: Request): Promise<Response> => submitTo(accounts, request);

describe('credentials side by side', () => {
  const WRONG = `pd_${'f'.repeat(64)}`;

  it('a bad key is 401, whatever the cookie', async () => {
    const { cookie } = accounts.administrator;
    await expectError(await submit({ key: WRONG, cookie }), 401, 'invalid_api_key');
    await expectError(await submit({ headers: { 'x-api-key': WRONG }, cookie }), 401, 'invalid_api_key');
  });

  it('a good key is used and the cookie is not looked at', async () => {
    const { key } = await newKey(accounts, reporter.id);
    const user = await newPerson(accounts, 'user');
    expect((await submit({ key, cookie: user.cookie })).status).toBe(200);
    const { key: userKey } = await newKey(accounts, user.id);
    const { cookie } = accounts.administrator;
    await expectError(await submit({ key: userKey, cookie }), 403, 'insufficient_permissions');
  });

  it('also where neither is needed: what is public is then read as by nobody', async () => {
    const { key } = await newKey(accounts, reporter.id);
    const { cookie } = accounts.administrator;
    expect(await bodyOf(call(accounts, '/api/auth/me', { cookie }))).toMatchObject({ authenticated: true });
    expect(await bodyOf(call(accounts, '/api/auth/me', { key, cookie }))).toEqual({ authenticated: false, user: null });
    expect(await bodyOf(call(accounts, '/api/users', { key, cookie }))).toMatchObject({ users: [] });
  });

  it('a bad key in either header is never made good by the other', async () => {
    const { key } = await newKey(accounts, reporter.id);
    const outcomes = await Promise.all(
      [
        { authorization: `Bearer ${WRONG}`, 'x-api-key': key },
        { authorization: `Bearer ${key}`, 'x-api-key': WRONG },
      ].map(async (headers) => (await submit({ headers })).status),
    );
    expect(outcomes).toContain(401);
    expect((await submit({ headers: { authorization: `Bearer ${key}`, 'x-api-key': key } })).status).toBe(200);
  });
});

describe('what is no key is 401', () => {
  let key: string;
  beforeAll(async () => ({ key } = await newKey(accounts, reporter.id)));

  const malformed: [string, (key: string) => Record<string, string>][] = [
    ['in capital letters', (key) => ({ 'x-api-key': key.toUpperCase() })],
    ['without pd_', (key) => ({ 'x-api-key': key.slice(3) })],
    ['one character short', (key) => ({ 'x-api-key': key.slice(0, -1) })],
    ['one character long', (key) => ({ 'x-api-key': `${key}0` })],
    ['its prefix alone', (key) => ({ 'x-api-key': key.slice(0, 11) })],
    ['its SHA-256', (key) => ({ 'x-api-key': `pd_${createHash('sha256').update(key).digest('hex')}` })],
    ['twice', (key) => ({ 'x-api-key': `${key}, ${key}` })],
    ['a very long text', () => ({ 'x-api-key': 'pd_'.repeat(2_000) })],
    ['Bearer with two', (key) => ({ authorization: `Bearer ${key} ${key}` })],
    ['Bearer with a comma', (key) => ({ authorization: `Bearer ${key},` })],
    ['Bearer with quotes', (key) => ({ authorization: `Bearer "${key}"` })],
    ['Bearer joined', (key) => ({ authorization: `Bearer${key}` })],
    ['Bearer without a key', () => ({ authorization: 'Bearer' })],
    ['Bearer of an empty key', () => ({ authorization: 'Bearer  ' })],
    ['Basic', (key) => ({ authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` })],
    ['Token', (key) => ({ authorization: `Token ${key}` })],
    ['no scheme', (key) => ({ authorization: key })],
    ['an empty header', () => ({ 'x-api-key': '' })],
    ['a session cookie as a key', () => ({ authorization: `Bearer ${reporter.cookie.split('=')[1]}` })],
  ];
  it.each(malformed)('%s', async (_, headers) => {
    await expectError(await submit({ headers: headers(key) }), 401);
  });

  it('also in the query or as a cookie', async () => {
    await expectError(await post(accounts, `${SUBMIT}?api_key=${key}&key=${key}`, submission()), 401);
    await expectError(await submit({ cookie: `assay_session=${key}` }), 401, 'authentication_required');
  });

  it('and every changed character of a key', async () => {
    for (let at = 3; at < key.length; at++) {
      const other = key[at] === '0' ? '1' : '0';
      const changed = key.slice(0, at) + other + key.slice(at + 1);
      await expectError(await submit({ key: changed }), 401, 'invalid_api_key');
    }
  });
});

describe('a Reporter with credentials', () => {
  it('logs in and submits and uploads with the cookie', async () => {
    const { cookie } = reporter;
    expect(await bodyOf(submit({ cookie }))).toMatchObject({ success: true });
    expect(await bodyOf(post(accounts, UPLOAD, smallForm(), { cookie }))).toMatchObject({ success: true });
  });

  it('changes nothing else', async () => {
    const { cookie } = reporter;
    const { testRunId, projectId } = await bodyOf<{ testRunId: number; projectId: number }>(submit({ cookie }));
    for (const [method, path, body] of [
      ['PUT', `/api/projects/${projectId}`, { label: 'x' }],
      ['DELETE', `/api/test-runs/${testRunId}`, undefined],
      ['DELETE', '/api/admin/cleanup', { olderThanDays: 1 }],
      ['POST', '/api/users', { username: 'friend', password: 'password', role: 'administrator' }],
      ['POST', `/api/users/${reporter.id}/api-keys`, { name: 'x' }],
      ['DELETE', `/api/users/${reporter.id}`, undefined],
    ] as const) {
      await expectError(await call(accounts, path, { method, body, cookie }), 403, 'insufficient_permissions');
    }
    expect((await call(accounts, `/api/test-runs/${testRunId}`)).status).toBe(200);
  });
});
