import { endpoints, type Endpoint, urlOf } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { submission } from '../conformance/build.ts';
import { expectError } from '../conformance/wire.ts';
import {
  type Accounts,
  bodyOf,
  call,
  cookieOf,
  isSignedIn,
  logIn,
  newKey,
  newPerson,
  newSession,
  openAccounts,
  PASSWORD,
  post,
  startWithAccounts,
} from './people.ts';

const BOARD = 'https://board.test';
const PUBLIC = 'https://assay.example.org';

let accounts: Accounts;
beforeAll(async () => (accounts = await openAccounts({ corsOrigins: [BOARD], publicUrl: PUBLIC })));
afterAll(() => accounts.stop());

const params = { id: 999_999, keyId: 999_999 };
const all: [string, Endpoint][] = Object.entries(endpoints);
const writes = all.filter(([, { method }]) => method !== 'GET').map(([name, endpoint]) => ({ name, endpoint }));

const foreign: [what: string, headers: (host: URL) => Record<string, string>][] = [
  ['another site', () => ({ origin: 'https://evil.test' })],
  ['nowhere (null)', () => ({ origin: 'null' })],
  ['another port', (host) => ({ origin: `http://${host.hostname}:1` })],
  ['no port', (host) => ({ origin: `http://${host.hostname}` })],
  ['a longer host', (host) => ({ origin: `http://${host.host}.evil.test` })],
  ['a host that ends the same', (host) => ({ origin: `http://evil${host.host}` })],
  ['a name that holds an allowed one', () => ({ origin: `${BOARD}.evil.test` })],
  ['a port of an allowed one', () => ({ origin: `${BOARD}:8443` })],
  ['an allowed host without HTTPS', () => ({ origin: BOARD.replace('https', 'http') })],
  ['no URL', () => ({ origin: 'evil' })],
  ['a cross-site page', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['a page of a neighbour', () => ({ 'sec-fetch-site': 'same-site' })],
  ['another site that says same-origin', () => ({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.test' })],
  ['a claim of the forwarded host', () => ({ origin: 'https://evil.test', 'x-forwarded-host': 'evil.test' })],
];

const own: [what: string, headers: (host: URL) => Record<string, string>][] = [
  ['its own origin', (host) => ({ origin: host.origin, 'sec-fetch-site': 'same-origin' })],
  ['its own origin, by an old browser', (host) => ({ origin: host.origin })],
  ['its public address', () => ({ origin: PUBLIC })],
  ['the user (none)', () => ({ 'sec-fetch-site': 'none' })],
  ['an origin that a setting allows', () => ({ origin: BOARD, 'sec-fetch-site': 'cross-site' })],
  ['a program that sends neither', () => ({})],
];

const codeOf = async (response: Response): Promise<string> => {
  const text = await response.text();
  expect(response.status, text).toBeLessThan(500);
  return response.ok ? 'ok' : (JSON.parse(text) as { code: string }).code;
};

const write = async (endpoint: Endpoint, headers: Record<string, string>, cookie?: string): Promise<string> => {
  const body = endpoint.bodyType === 'multipart/form-data' ? new FormData() : endpoint.body && {};
  return codeOf(await call(accounts, urlOf(endpoint, params, {}), { method: endpoint.method, body, headers, cookie }));
};

describe('with a cookie, a state-changing request from another site is refused', () => {
  it.each(writes)('$name', async ({ endpoint }) => {
    const { cookie } = accounts.administrator;
    for (const [what, headers] of foreign) {
      expect(await write(endpoint, headers(new URL(accounts.url)), cookie), what).toBe('cross_site_request');
    }
    expect(await isSignedIn(accounts, cookie)).toBe(true);
  });
});

describe('Sec-Fetch-Site: cross-site', () => {
  it.each(writes)('is refused beside an own Origin: $name', async ({ endpoint }) => {
    const { cookie } = accounts.administrator;
    const { origin } = new URL(accounts.url);
    expect(await write(endpoint, { origin, 'sec-fetch-site': 'cross-site' }, cookie)).toBe('cross_site_request');
  });
});

describe('with a cookie, a state-changing request from its own pages passes', () => {
  it.each(writes)('$name', async ({ name, endpoint }) => {
    for (const [what, headers] of own) {
      const { administrator } = accounts;
      const cookie = name === 'logOut' ? await newSession(accounts, administrator) : administrator.cookie;
      const code = await write(endpoint, headers(new URL(accounts.url)), cookie);
      expect(['cross_site_request', 'authentication_required', 'insufficient_permissions'], what).not.toContain(code);
    }
  });
});

describe('login and setup from another site are refused without any cookie', () => {
  it.each(foreign)('login from %s', async (_, headers) => {
    const { username } = accounts.administrator;
    const response = await logIn(accounts, username, PASSWORD, headers(new URL(accounts.url)));
    expect(response.headers.getSetCookie()).toEqual([]);
    await expectError(response, 403, 'cross_site_request');
  });

  it('setup, which stays open for the right page', async () => {
    await using server = await startWithAccounts();
    const body = { username: 'first', password: PASSWORD };
    for (const [, headers] of foreign) {
      const response = await post(server, '/api/auth/setup', body, { headers: headers(new URL(server.url)) });
      expect(response.headers.getSetCookie()).toEqual([]);
      await expectError(response, 403, 'cross_site_request');
    }
    const headers = { origin: new URL(server.url).origin };
    const cookie = cookieOf(await post(server, '/api/auth/setup', body, { headers }));
    expect(await isSignedIn(server, cookie)).toBe(true);
  });
});

describe('what is refused has not happened', () => {
  it('no run, no user, no deletion, no logout', async () => {
    const person = await newPerson(accounts, 'administrator');
    const { cookie } = person;
    const headers = { origin: 'https://evil.test' };
    const { testRunId } = await bodyOf<{ testRunId: number }>(
      post(accounts, '/api/test-runs/submit', submission(), { cookie }),
    );
    const stats = () => bodyOf<{ totalRuns: number }>(call(accounts, '/api/admin/stats', { cookie }));
    const users = () => bodyOf<{ users: object[] }>(call(accounts, '/api/users', { cookie }));
    const before = { runs: (await stats()).totalRuns, users: (await users()).users };
    await post(accounts, '/api/test-runs/submit', submission(), { cookie, headers });
    await call(accounts, `/api/test-runs/${testRunId}`, { method: 'DELETE', cookie, headers });
    await call(accounts, '/api/admin/cleanup', { method: 'DELETE', body: { olderThanDays: 1 }, cookie, headers });
    const body = { username: 'foreigner', password: PASSWORD, role: 'administrator' };
    await post(accounts, '/api/users', body, { cookie, headers });
    await call(accounts, `/api/users/${person.id}`, { method: 'PUT', body: { name: 'x' }, cookie, headers });
    await post(accounts, '/api/auth/logout', undefined, { cookie, headers });
    expect({ runs: (await stats()).totalRuns, users: (await users()).users }).toEqual(before);
  });
});

describe('what no other site can forge passes', () => {
  it.each(foreign)('an API key from %s', async (_, headers) => {
    const { key } = await newKey(accounts, accounts.administrator.id);
    const request = { key, headers: headers(new URL(accounts.url)) };
    expect((await post(accounts, '/api/test-runs/submit', submission(), request)).status).toBe(200);
  });

  it('reads from anywhere', async () => {
    const { cookie } = accounts.administrator;
    for (const [, headers] of foreign) {
      const response = await call(accounts, '/api/projects', { cookie, headers: headers(new URL(accounts.url)) });
      expect(response.status).toBe(200);
    }
  });
});

describe('pages of another site may not read answers with credentials', () => {
  it('unless a setting lists them', async () => {
    const { cookie } = accounts.administrator;
    for (const origin of ['https://evil.test', 'null', PUBLIC.replace('https', 'http')]) {
      const response = await call(accounts, '/api/users', { cookie, headers: { origin } });
      expect(response.headers.get('access-control-allow-origin'), origin).toBeNull();
      expect(response.headers.get('access-control-allow-credentials'), origin).toBeNull();
    }
    const allowed = await call(accounts, '/api/users', { cookie, headers: { origin: BOARD } });
    expect(allowed.headers.get('access-control-allow-origin')).toBe(BOARD);
  });
});

describe('behind a trusted proxy that ends HTTPS', () => {
  it('the origin of the page is the one that the proxy names', async () => {
    await using server = await openAccounts({ trustProxy: true });
    const { port } = new URL(server.url);
    const by = (origin: string) =>
      logIn(server, server.administrator.username, PASSWORD, { origin, 'x-forwarded-proto': 'https' });
    expect((await by(`https://localhost:${port}`)).status).toBe(200);
    await expectError(await by('https://evil.test'), 403, 'cross_site_request');
    await expectError(await by(`http://localhost:${port}`), 403, 'cross_site_request');
  });
});
