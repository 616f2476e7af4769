import type { AuditEntry, User } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysAgo, submission } from '../conformance/build.ts';
import { expectError } from '../conformance/wire.ts';
import { sharedServer } from '../server.ts';
import {
  type Accounts,
  bodyOf,
  call,
  newKey,
  newPerson,
  newSession,
  openAccounts,
  PASSWORD,
  post,
  type Request,
} from './people.ts';

const ADDRESS = '198.51.100.7';

let accounts: Accounts;
beforeAll(async () => (accounts = await openAccounts({ trustProxy: true })));
afterAll(() => accounts.stop());

const audit = (query = '', server: Accounts = accounts): Promise<AuditEntry[]> =>
  bodyOf(call(server, `/api/admin/audit${query}`, { cookie: server.administrator.cookie }));

/** As the first Administrator, from an address of its own. */
const act = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, rest: Request = {}): Promise<Response> =>
  call(accounts, path, {
    method,
    body,
    cookie: accounts.administrator.cookie,
    headers: { 'x-forwarded-for': ADDRESS },
    ...rest,
  });

const newestId = async (): Promise<number> => (await audit('?limit=1'))[0]?.id ?? 0;

/** The entries that an act adds. */
const entriesOf = async (acting: () => Promise<Response>): Promise<AuditEntry[]> => {
  const before = await newestId();
  const response = await acting();
  await response.text();
  return (await audit('?limit=20')).filter(({ id }) => id > before);
};

const expectOne = (entries: AuditEntry[]): AuditEntry => {
  expect(entries).toHaveLength(1);
  const entry = entries[0]!;
  const { id, username } = accounts.administrator;
  expect(entry).toMatchObject({ userId: id, username, address: ADDRESS });
  expect(entry.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(entry.action).toMatch(/^[a-z]+(\.[a-z_-]+)+$/);
  return entry;
};

const submitOld = async (): Promise<number> => {
  const body = submission({ projectName: 'old', startTime: daysAgo(400) });
  const { cookie } = accounts.administrator;
  const run = await bodyOf<{ testRunId: number }>(post(accounts, '/api/test-runs/submit', body, { cookie }));
  return run.testRunId;
};

describe('one entry with who, what, when and from where is written', () => {
  it('when the first Administrator is made', async () => {
    await using server = await openAccounts();
    const entries = await audit('', server);
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries[0])).toContain(server.administrator.username);
    expect(entries[0]!.address).toMatch(/127\.0\.0\.1|::1/);
  });

  it('when a user is made, changed and deleted', async () => {
    const created = expectOne(
      await entriesOf(() =>
        act('POST', '/api/users', { username: 'to be audited', password: PASSWORD, role: 'reporter' }),
      ),
    );
    expect(created).toMatchObject({ action: 'user.create', subject: expect.stringContaining('to be audited') });
    expect(JSON.stringify(created.details)).toContain('reporter');
    const { cookie } = accounts.administrator;
    const { users } = await bodyOf<{ users: User[] }>(call(accounts, '/api/users', { cookie }));
    const { id } = users.find(({ username }) => username === 'to be audited')!;
    const path = `/api/users/${id}`;
    const promoted = expectOne(await entriesOf(() => act('PUT', path, { role: 'administrator' })));
    expect(promoted.subject).toContain(String(id));
    expect(JSON.stringify(promoted.details)).toContain('administrator');
    const reset = expectOne(await entriesOf(() => act('PUT', path, { password: 'changed by another' })));
    expect(JSON.stringify(reset)).toMatch(/password/);
    const both = { role: 'user', password: 'changed once more' };
    expectOne(await entriesOf(() => act('PUT', path, both)));
    const deleted = expectOne(await entriesOf(() => act('DELETE', path)));
    expect(deleted).toMatchObject({ action: 'user.delete', subject: expect.stringContaining('to be audited') });
  });

  it('when someone changes their own password', async () => {
    const person = await newPerson(accounts, 'user');
    const headers = { 'x-forwarded-for': ADDRESS };
    const entries = await entriesOf(() =>
      act('PUT', `/api/users/${person.id}`, { password: 'my new password' }, { cookie: person.cookie, headers }),
    );
    expect(entries).toMatchObject([{ userId: person.id, username: person.username, address: ADDRESS }]);
  });

  it('when a key is made and revoked', async () => {
    const person = await newPerson(accounts, 'reporter');
    const path = `/api/users/${person.id}/api-keys`;
    let key = { id: 0, key: '' };
    const made = expectOne(
      await entriesOf(async () => {
        const response = await act('POST', path, { name: 'audited key' });
        key = (await response.clone().json()) as typeof key;
        return response;
      }),
    );
    expect(JSON.stringify(made)).toContain('audited key');
    expect(JSON.stringify(made)).not.toContain(key.key.slice(12));
    const revoked = expectOne(await entriesOf(() => act('DELETE', `${path}/${key.id}`)));
    expect(revoked.action).not.toBe(made.action);
    expect(JSON.stringify(revoked)).toContain(person.username);
  });

  it('when a run is deleted', async () => {
    const id = await submitOld();
    const entry = expectOne(await entriesOf(() => act('DELETE', `/api/test-runs/${id}`)));
    expect(entry).toMatchObject({ action: 'run.delete', subject: expect.stringContaining(String(id)) });
  });

  it('when old runs are cleaned up', async () => {
    await submitOld();
    await submitOld();
    const entry = expectOne(await entriesOf(() => act('DELETE', '/api/admin/cleanup', { olderThanDays: 300 })));
    expect(JSON.stringify(entry)).toContain('2 runs');
  });

  it('with authentication disabled too, by nobody', async () => {
    const server = await sharedServer();
    const { testRunId } = await server.client.submitRun({ body: submission() });
    const newest = (limit: number) => server.client.listAudit({ query: { limit } });
    const before = await newest(1);
    await server.client.deleteRun({ params: { id: testRunId } });
    expect(await newest(1 + before.length)).toMatchObject([
      { action: 'run.delete', userId: null, username: null, address: expect.stringMatching(/127\.0\.0\.1|::1/) },
      ...before,
    ]);
  });
});

describe('no entry is written', () => {
  it('for what was refused or was not there', async () => {
    const person = await newPerson(accounts, 'user');
    const { id } = accounts.administrator;
    const { cookie } = person;
    const before = await newestId();
    await act('DELETE', '/api/test-runs/999999');
    await act('DELETE', '/api/users/999999');
    await act('DELETE', `/api/users/${person.id}/api-keys/999999`);
    await act('POST', '/api/users', { username: 'x' });
    await act('POST', '/api/users', { username: person.username, password: PASSWORD, role: 'user' });
    await act('DELETE', `/api/users/${id}`, undefined, { cookie });
    await act('PUT', `/api/users/${id}`, { role: 'user' }, { cookie });
    await act('PUT', `/api/users/${person.id}`, { role: 'administrator' }, { cookie });
    await act(
      'POST',
      '/api/users',
      { username: 'sly', password: PASSWORD, role: 'user' },
      { headers: { origin: 'null' } },
    );
    await act('DELETE', '/api/admin/cleanup', { olderThanDays: 0 });
    expect(await newestId()).toBe(before);
  });

  it('when the last Administrator stays', async () => {
    await using server = await openAccounts();
    const { id, cookie } = server.administrator;
    const before = (await audit('', server)).length;
    await call(server, `/api/users/${id}`, { method: 'DELETE', cookie });
    await call(server, `/api/users/${id}`, { method: 'PUT', body: { role: 'user' }, cookie });
    expect(await audit('', server)).toHaveLength(before);
  });
});

describe('the audit log', () => {
  it('keeps the name of who has been deleted since', async () => {
    const person = await newPerson(accounts, 'administrator');
    const path = `/api/users/${(await newPerson(accounts, 'user')).id}`;
    await bodyOf(act('PUT', path, { role: 'reporter' }, { cookie: person.cookie }));
    await bodyOf(act('DELETE', `/api/users/${person.id}`));
    const entries = await audit('?limit=5');
    expect(entries.some(({ username, userId }) => username === person.username && userId === person.id)).toBe(true);
  });

  it('is newest first and pages without gaps or doubles', async () => {
    for (let count = 0; count < 3; count++) await newKey(accounts, accounts.administrator.id);
    const whole = await audit('?limit=1000');
    expect(whole.map(({ id }) => id)).toEqual(whole.map(({ id }) => id).sort((a, b) => b - a));
    const { cookie } = accounts.administrator;
    const paged: AuditEntry[] = [];
    let path: string | null = '/api/admin/audit?limit=2';
    while (path !== null) {
      const response = await call(accounts, path, { cookie });
      const page = await bodyOf<AuditEntry[]>(response.clone());
      expect(page.length).toBeLessThanOrEqual(2);
      paged.push(...page);
      path = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(paged).toEqual(whole);
  });

  it('goes on where it was though entries are added meanwhile', async () => {
    const { cookie } = accounts.administrator;
    const first = await call(accounts, '/api/admin/audit?limit=2', { cookie });
    const seen = await bodyOf<AuditEntry[]>(first.clone());
    await newKey(accounts, accounts.administrator.id);
    const next = /<([^>]+)>/.exec(first.headers.get('link')!)![1]!;
    const page = await bodyOf<AuditEntry[]>(call(accounts, next, { cookie }));
    expect(page[0]!.id).toBeLessThan(seen.at(-1)!.id);
  });

  it.each(['?limit=0', '?limit=1001', '?limit=x', '?limit=1&cursor=%00', '?cursor=nonsense', '?cursor='])(
    'refuses %s',
    async (query) => {
      const { cookie } = accounts.administrator;
      await expectError(await call(accounts, `/api/admin/audit${query}`, { cookie }), 400, 'invalid_query');
    },
  );

  it('is for Administrators only', async () => {
    await expectError(await call(accounts, '/api/admin/audit'), 401, 'authentication_required');
    for (const role of ['user', 'reporter'] as const) {
      const { cookie } = await newPerson(accounts, role);
      await expectError(await call(accounts, '/api/admin/audit', { cookie }), 403, 'insufficient_permissions');
    }
  });

  it('cannot be changed', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect([404, 405]).toContain((await act(method, '/api/admin/audit')).status);
      expect([404, 405]).toContain((await act(method, '/api/admin/audit/1')).status);
    }
  });

  it('has no entry for what changes nothing', async () => {
    const { id, name, role } = await newPerson(accounts, 'user');
    await act('PUT', `/api/users/${id}`, { name: 'As before' });
    for (const body of [{}, { name: 'As before' }, { name: ' As before ', role }]) {
      expect(await entriesOf(() => act('PUT', `/api/users/${id}`, body))).toEqual([]);
    }
    expect(await entriesOf(() => act('PUT', `/api/users/${id}`, { name: 'Other', role }))).toMatchObject([
      { action: 'user.update', details: { name: 'Other' } },
    ]);
    expect(name).not.toBe('Other');
    expect(await entriesOf(() => act('DELETE', '/api/admin/cleanup', { olderThanDays: 30_000 }))).toEqual([]);
  });

  it('has one entry for each of many acts at once', async () => {
    const cookie = await newSession(accounts, accounts.administrator);
    const before = await newestId();
    const keys = Array.from({ length: 10 }, (_, count) =>
      act('POST', `/api/users/${accounts.administrator.id}/api-keys`, { name: `k${count}` }, { cookie }),
    );
    for (const response of await Promise.all(keys)) expect(response.status).toBe(200);
    expect((await audit('?limit=30')).filter(({ id }) => id > before)).toHaveLength(10);
  });
});
