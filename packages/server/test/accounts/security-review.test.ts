import { mkdtempSync, statSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp } from '../../src/features/admin/clean-up.ts';
import { openDatabaseOf } from '../in-database.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { type Config, readConfig, startService } from '../tested-service.ts';
import { forgetPeople } from './forget-people.ts';

const PASSWORD = 'a long passphrase';

const startGuarded = (overrides: Partial<Config> = {}): Promise<TestServer> =>
  startTestServer({ authEnabled: true, authSecrets: ['s'.repeat(32)], passwordCost: 6, ...overrides });

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly authenticated?: boolean;
    readonly user?: { readonly id: number };
    readonly id?: number;
    readonly key?: string;
  };
}

interface Sent {
  readonly cookie?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Sends all but the end of a body; the rest goes out when the answer is asked for. */
const hold = ({ url }: TestServer, method: string, path: string, { cookie, headers, body }: Sent) => {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const sending: ClientRequest = request(`${url}${path}`, {
    method,
    headers: {
      ...(bytes.length > 0 ? { 'content-type': 'application/json' } : {}),
      'content-length': bytes.length,
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sending.on('response', resolve).on('error', reject);
  });
  sending.flushHeaders();
  return async (): Promise<Answer> => {
    sending.end(bytes);
    const answer = await answered;
    const said = await text(answer);
    return { status: answer.statusCode!, headers: answer.headers, body: said === '' ? {} : JSON.parse(said) };
  };
};

const send = (server: TestServer, method: string, path: string, sent: Sent = {}): Promise<Answer> =>
  hold(server, method, path, sent)();

const cookieOf = ({ headers }: Answer): string => headers['set-cookie']![0]!.split(';', 1)[0]!;

const setUp = async (server: TestServer): Promise<string> =>
  cookieOf(await send(server, 'POST', '/api/auth/setup', { body: { username: 'ann', password: PASSWORD } }));

const logIn = (server: TestServer, username: string, password = PASSWORD): Promise<Answer> =>
  send(server, 'POST', '/api/auth/login', { body: { username, password } });

const addUser = async (server: TestServer, admin: string, username: string, role: string): Promise<number> => {
  const body = { username, password: PASSWORD, role };
  const answer = await send(server, 'POST', '/api/users', { cookie: admin, body });
  return answer.body.user!.id;
};

const isSignedIn = async (server: TestServer, cookie: string): Promise<boolean> =>
  (await send(server, 'GET', '/api/auth/me', { cookie })).body.authenticated === true;

let server: TestServer;
beforeAll(async () => (server = await startGuarded()));
beforeEach(() => forgetPeople(server));
afterAll(() => server.stop());

describe('a sign-in', () => {
  it('does not keep the service busy with a text that takes long to normalise', async () => {
    await setUp(server);
    const slow = `a${'\u0301'.repeat(100_000)}${'\u0323'.repeat(100_000)}`;
    expect((await logIn(server, slow)).status).toBe(400);
    expect((await logIn(server, 'ann', slow)).status).toBe(400);
  });

  it('opens no session by a password that is changed at the same moment', async () => {
    await using own = await startGuarded({ passwordCost: 11 });
    let cookie = await setUp(own);
    for (let round = 0; round < 3; round++) {
      const old = round === 0 ? PASSWORD : `the passphrase of round ${round - 1}`;
      const change = send(own, 'PUT', '/api/users/1', {
        cookie,
        body: { password: `the passphrase of round ${round}` },
      });
      const attempts = Promise.all([0, 1, 2].map(() => logIn(own, 'ann', old)));
      cookie = cookieOf(await change);
      for (const attempt of await attempts) {
        if (attempt.status === 200) expect(await isSignedIn(own, cookieOf(attempt))).toBe(false);
        else expect(attempt.status).toBe(401);
      }
    }
  });

  it('is ended by two sign-outs at once, for both of them', async () => {
    const cookie = await setUp(server);
    const answers = await Promise.all([1, 2].map(() => send(server, 'POST', '/api/auth/logout', { cookie })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await isSignedIn(server, cookie)).toBe(false);
  });
});

describe('rights that end while a request is under way', () => {
  it('end with the session for a password change', async () => {
    const admin = await setUp(server);
    const id = await addUser(server, admin, 'ben', 'user');
    const stolen = cookieOf(await logIn(server, 'ben'));
    const finish = hold(server, 'PUT', `/api/users/${id}`, { cookie: stolen, body: { password: 'of somebody else' } });
    await send(server, 'PUT', `/api/users/${id}`, { cookie: admin, body: { password: 'another passphrase' } });
    expect((await finish()).status).toBe(401);
    expect((await logIn(server, 'ben', 'another passphrase')).status).toBe(200);
  });

  it('end with the user for a new Administrator', async () => {
    const admin = await setUp(server);
    const id = await addUser(server, admin, 'ben', 'administrator');
    const body = { username: 'eve', password: PASSWORD, role: 'administrator' };
    const finish = hold(server, 'POST', '/api/users', { cookie: cookieOf(await logIn(server, 'ben')), body });
    await send(server, 'DELETE', `/api/users/${id}`, { cookie: admin });
    expect((await finish()).status).toBe(401);
    expect((await logIn(server, 'eve')).status).toBe(401);
  });

  it('leave one winner of two password changes by one session', async () => {
    const cookie = await setUp(server);
    const answers = await Promise.all(
      ['the first passphrase', 'the second passphrase'].map((password) =>
        send(server, 'PUT', '/api/users/1', { cookie, body: { password } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const winner = answers.find(({ status }) => status === 200)!;
    expect(await isSignedIn(server, cookieOf(winner))).toBe(true);
  });

  it('end with the key for a submission and an upload', async () => {
    const admin = await setUp(server);
    const made = await send(server, 'POST', '/api/users/1/api-keys', { cookie: admin, body: { name: 'CI' } });
    const headers = { 'x-api-key': made.body.key! };
    const run = { projectName: 'shop', status: 'passed', startTime: '2026-01-31T09:00:00Z' };
    const finishSubmission = hold(server, 'POST', '/api/test-runs/submit', { headers, body: run });
    const form = new FormData();
    form.set('projectName', 'shop');
    form.set('testRun', JSON.stringify(run));
    const encoded = new Response(form);
    const whole = new Uint8Array(await encoded.arrayBuffer());
    const revoked = Promise.withResolvers<void>();
    const upload = fetch(`${server.url}/api/test-runs/upload`, {
      method: 'POST',
      headers: { ...headers, 'content-type': encoded.headers.get('content-type')! },
      duplex: 'half',
      body: (async function* () {
        yield whole.subarray(0, 40);
        await revoked.promise;
        yield whole.subarray(40);
      })(),
    });
    // The upload is under way when its first bytes are there, which nothing outside tells.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await send(server, 'DELETE', `/api/users/1/api-keys/${made.body.id}`, { cookie: admin });
    revoked.resolve();
    expect((await finishSubmission()).status).toBe(401);
    expect((await upload).status).toBe(401);
    expect(await server.client.listProjects({})).toEqual([]);
  });
});

describe('the cookie', () => {
  it('by HTTPS is one that only this host can set, and no other is taken for it', async () => {
    await using own = await startGuarded({ trustProxy: true });
    const headers = { 'x-forwarded-proto': 'https' };
    const body = { username: 'ann', password: PASSWORD };
    const answer = await send(own, 'POST', '/api/auth/setup', { headers, body });
    expect(answer.headers['set-cookie']![0]).toMatch(/^__Host-assay_session=[^;]+; Path=\/; .*; Secure$/);
    const isKnown = async (cookie: string): Promise<boolean> =>
      (await send(own, 'GET', '/api/auth/me', { headers, cookie })).body.authenticated === true;
    const cookie = cookieOf(answer);
    expect(await isKnown(cookie)).toBe(true);
    expect(await isKnown(cookie.replace('__Host-', ''))).toBe(false);
    expect(await isKnown(`assay_session=tossed; ${cookie}`)).toBe(true);
  });
});

it('leaves nothing in a cache that is for Administrators', async () => {
  const cookie = await setUp(server);
  for (const path of ['/api/admin/audit', '/api/admin/stats', '/api/users', '/api/auth/me', '/api/auth/sessions']) {
    expect((await send(server, 'GET', path, { cookie })).headers['cache-control']).toBe('no-store');
  }
  expect((await send(server, 'GET', '/api/projects', { cookie })).headers['cache-control']).toBe('no-cache');
});

it('says of no answer that its type may be guessed, not even for a path that cannot be read', async () => {
  const answer = await send(server, 'GET', '/api/%zz<script>');
  expect([answer.status, answer.headers['x-content-type-options']]).toEqual([400, 'nosniff']);
});

it('keeps its data folder to itself', async () => {
  await using own = await startGuarded({ dataDir: join(mkdtempSync(join(tmpdir(), 'assay-test-')), 'data') });
  expect(statSync(own.dataDir).mode & 0o777).toBe(0o700);
});

it('logs where refused requests come from, and nothing of who asked', async () => {
  const lines: string[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-test-'));
  const config = { ...readConfig({ PORT: '0' }), authEnabled: true, authSecrets: ['s'.repeat(32)], passwordCost: 6 };
  const service = await startService({ ...config, dataDir }, { write: (line) => void lines.push(line) });
  const body = JSON.stringify({ username: 'a-mistyped-password', password: PASSWORD });
  await fetch(`${service.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  await service.stop();
  const logged = lines.find((line) => line.includes('/api/auth/login'))!;
  expect(JSON.parse(logged)).toMatchObject({ status: 401, address: expect.stringMatching(/127\.0\.0\.1|::1/) });
  expect(lines.join('')).not.toContain('a-mistyped-password');
});

it('has told of a clean-up that is cut off what it deleted', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-test-'));
  const own = await startTestServer({ dataDir });
  for (let run = 0; run < 70; run++) {
    await own.client.submitRun({
      body: { projectName: 'shop', status: 'passed', startTime: '2020-01-01T00:00:00Z', testCases: [] },
    });
  }
  await own.stop();
  const database = await openDatabaseOf(dataDir, 'write');
  const actor = { userId: 1, username: 'ann', address: '127.0.0.1', sessionId: null };
  await cleanUp(database, Date.now(), actor, Date.now()).next();
  const left = await database.queries.selectFrom('runs').select('id').execute();
  const entries = await database.queries.selectFrom('audit').select(['action', 'subject']).execute();
  await database.close();
  expect(entries).toEqual([{ action: 'runs.clean-up', subject: `${70 - left.length} runs` }]);
  expect(left.length).toBe(6);
});
