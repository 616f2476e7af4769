import { endpoints, type Endpoint, type EndpointName, urlOf } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runStart, submission } from '../conformance/build.ts';
import { inDatabase } from '../in-database.ts';
import { startTestServer, type TestServer } from '../server.ts';
import {
  type Accounts,
  bodyOf,
  call,
  newKey,
  newPerson,
  newSession,
  openAccounts,
  type Person,
  type Request,
} from './people.ts';

const CREDENTIALS = [
  'none',
  'user session',
  'reporter session',
  'administrator session',
  'user key',
  'reporter key',
  'administrator key',
  'invalid key',
  'expired key',
  'revoked key',
] as const;
type Credentials = (typeof CREDENTIALS)[number];

/** `passes` is any answer but 401 and 403: the request got as far as what it asks for. */
const MEANING = {
  ok: 'passes',
  in: '401 authentication_required',
  bad: '401 invalid_api_key',
  no: '403 insufficient_permissions',
} as const;
type Cell = keyof typeof MEANING;
type Row = readonly Cell[];

// In the order of CREDENTIALS: none | user, reporter, administrator | keys of the three | invalid, expired, revoked.
// Where no key is accepted none is looked at: a good and a bad one are answered alike.
const OPEN: Row = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'];
const SESSION: Row = ['in', 'ok', 'ok', 'ok', 'in', 'in', 'in', 'in', 'in', 'in'];
const SUBMIT: Row = ['in', 'no', 'ok', 'ok', 'no', 'ok', 'ok', 'bad', 'bad', 'bad'];
const MERGE: Row = ['in', 'no', 'ok', 'ok', 'in', 'in', 'in', 'in', 'in', 'in'];
const ADMIN: Row = ['in', 'no', 'no', 'ok', 'in', 'in', 'in', 'in', 'in', 'in'];
const OWN: Row = SESSION;
const ANOTHERS: Row = ADMIN;

const NOBODY = 999_999_999;

interface Line {
  readonly row: Row;
  readonly what?: string;
  readonly input?: (self: number) => { params?: object; body?: unknown };
}

const nothing = { params: { id: NOBODY } };
const runForm = (): FormData => {
  const form = new FormData();
  form.set('projectName', 'matrix');
  form.set('testRun', JSON.stringify({ status: 'passed', startTime: '2026-03-01T10:00:00Z' }));
  return form;
};
const partForm = (): FormData => {
  const form = new FormData();
  form.set('part', String(NOBODY));
  return form;
};

/** What the specification and its decisions say of every endpoint. An endpoint without a line does not compile. */
const MATRIX: Record<EndpointName, readonly Line[]> = {
  submitRun: [{ row: SUBMIT, input: () => ({ body: submission() }) }],
  uploadRun: [{ row: SUBMIT, input: () => ({ body: runForm() }) }],
  importReports: [{ row: SUBMIT, input: () => ({ body: runForm() }) }],
  startRun: [{ row: SUBMIT, input: () => ({ body: runStart({ projectName: 'matrix' }) }) }],
  addResults: [{ row: SUBMIT, input: () => ({ ...nothing, body: { part: NOBODY, batch: 0, testCases: [] } }) }],
  addFiles: [{ row: SUBMIT, input: () => ({ ...nothing, body: partForm() }) }],
  finishRun: [{ row: SUBMIT, input: () => ({ ...nothing, body: { part: NOBODY, status: 'passed' } }) }],
  sendCommits: [{ row: SUBMIT, input: () => ({ body: { projectName: 'matrix' } }) }],
  listCommits: [{ row: OPEN, input: () => nothing }],
  listOwners: [{ row: OPEN, input: () => nothing }],
  listProjects: [{ row: OPEN }],
  createProject: [{ row: ADMIN, input: () => ({ body: {} }) }],
  getProject: [{ row: OPEN, input: () => nothing }],
  updateProject: [{ row: ADMIN, input: () => ({ ...nothing, body: { label: 'x' } }) }],
  getPerformance: [{ row: OPEN, input: () => nothing }],
  listCauses: [{ row: OPEN, input: () => nothing }],
  listCauseTests: [{ row: OPEN, input: () => nothing }],
  listClusters: [{ row: OPEN, input: () => nothing }],
  getCluster: [{ row: OPEN, input: () => nothing }],
  listViews: [{ row: OPEN, input: () => nothing }],
  createView: [{ row: MERGE, input: () => ({ ...nothing, body: { name: 'v', query: { over: 'runs' } } }) }],
  getView: [{ row: OPEN, input: () => nothing }],
  updateView: [{ row: MERGE, input: () => ({ ...nothing, body: { pinned: true } }) }],
  deleteView: [{ row: MERGE, input: () => nothing }],
  exportView: [{ row: OPEN, input: () => nothing }],
  getViewBadge: [{ row: OPEN, input: () => nothing }],
  updateCluster: [{ row: MERGE, input: () => ({ ...nothing, body: { note: 'known' } }) }],
  listRunClusters: [{ row: OPEN, input: () => nothing }],
  getWindow: [{ row: OPEN, input: () => nothing }],
  listBranches: [{ row: OPEN, input: () => nothing }],
  listSlowTests: [{ row: OPEN, input: () => nothing }],
  listFlakyTests: [{ row: OPEN, input: () => nothing }],
  getFlakeCost: [{ row: OPEN, input: () => nothing }],
  listTests: [{ row: OPEN, input: () => nothing }],
  getTest: [{ row: OPEN, input: () => nothing }],
  getTestSince: [{ row: OPEN, input: () => nothing }],
  listChangedTests: [{ row: OPEN, input: () => nothing }],
  listFlakeFactors: [{ row: OPEN, input: () => nothing }],
  getRun: [{ row: OPEN, input: () => nothing }],
  exportRun: [{ row: OPEN, input: () => nothing }],
  findRun: [{ row: OPEN }],
  listRunRequests: [{ row: OPEN, input: () => nothing }],
  compareRun: [{ row: OPEN, input: () => nothing }],
  explainRun: [{ row: OPEN, input: () => nothing }],
  judgeFailures: [{ row: OPEN, input: () => nothing }],
  listDifferences: [{ row: OPEN, input: () => nothing }],
  mergeReports: [{ row: MERGE, input: () => nothing }],
  updateRun: [{ row: MERGE, input: () => ({ ...nothing, body: { pinned: true } }) }],
  deleteRun: [{ row: ADMIN, input: () => nothing }],
  deleteProject: [{ row: ADMIN, input: () => nothing }],
  getTestCase: [{ row: OPEN, input: () => nothing }],
  getFirstDifference: [{ row: OPEN, input: () => nothing }],
  getFile: [{ row: OPEN, input: () => ({ params: { path: 'reports/9999/index.html' } }) }],
  searchEverything: [{ row: OPEN }],
  query: [{ row: OPEN }],
  postQuery: [{ row: OPEN, input: () => ({ body: { over: 'runs' } }) }],
  listAudit: [{ row: ADMIN }],
  getStats: [{ row: ADMIN }],
  getStorage: [{ row: ADMIN }],
  previewCleanup: [{ row: ADMIN }],
  cleanUp: [{ row: ADMIN, input: () => ({ body: { olderThanDays: 36_500 } }) }],
  getRetention: [{ row: ADMIN }],
  setRetention: [{ row: ADMIN, input: () => ({ body: {} }) }],
  previewRetention: [{ row: ADMIN, input: () => ({ body: {} }) }],
  runRetention: [{ row: ADMIN }],
  getProjectRetention: [{ row: ADMIN, input: () => nothing }],
  setProjectRetention: [{ row: ADMIN, input: () => ({ ...nothing, body: { settings: null } }) }],
  previewProjectRetention: [{ row: ADMIN, input: () => ({ ...nothing, body: { settings: null } }) }],
  getForecast: [{ row: ADMIN }],
  getService: [{ row: OPEN }],
  streamEvents: [{ row: OPEN }],
  getSession: [{ row: OPEN }],
  setUp: [
    { row: OPEN, input: () => ({ body: {} }), what: 'with an invalid body' },
    { row: OPEN, input: () => ({ body: { username: 'second', password: 'password', name: 'S' } }) },
  ],
  logIn: [{ row: OPEN, input: () => ({ body: {} }) }],
  listSessions: [{ row: SESSION }],
  endSession: [{ row: SESSION, input: () => nothing }],
  logOut: [{ row: OPEN }],
  listUsers: [{ row: OPEN }],
  createUser: [{ row: ADMIN, input: () => ({ body: {} }) }],
  updateUser: [
    { row: OWN, what: 'own name', input: (id) => ({ params: { id }, body: { name: 'Me' } }) },
    { row: ANOTHERS, what: 'of another', input: () => ({ ...nothing, body: { name: 'You' } }) },
  ],
  deleteUser: [
    { row: ADMIN, what: 'another', input: () => nothing },
    { row: ADMIN, what: 'oneself', input: (id) => ({ params: { id } }) },
  ],
  listApiKeys: [
    { row: OWN, what: 'own', input: (id) => ({ params: { id } }) },
    { row: ANOTHERS, what: 'of another', input: () => nothing },
  ],
  createApiKey: [
    { row: ADMIN, what: 'for oneself', input: (id) => ({ params: { id }, body: { name: 'mine' } }) },
    { row: ADMIN, what: 'for another', input: () => ({ ...nothing, body: { name: 'yours' } }) },
  ],
  revokeApiKey: [
    { row: OWN, what: 'own', input: (id) => ({ params: { id, keyId: NOBODY } }) },
    { row: ANOTHERS, what: 'of another', input: () => ({ params: { id: NOBODY, keyId: NOBODY } }) },
  ],
};

const lines = (Object.keys(MATRIX) as EndpointName[]).flatMap((name) =>
  MATRIX[name].map((line) => ({ name, line, title: line.what ? `${name} (${line.what})` : name })),
);

/** A stream of events never ends. */
const textOf = async (response: Response): Promise<string> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  await response.body?.cancel();
  return '';
};

const outcomeOf = async (response: Response): Promise<string> => {
  const text = await textOf(response);
  expect(response.status, text).toBeLessThan(500);
  if (response.status !== 401 && response.status !== 403) return MEANING.ok;
  return `${response.status} ${(JSON.parse(text) as { code: string }).code}`;
};

const ask = async (server: TestServer, name: EndpointName, line: Line, self: number, how: Request): Promise<string> => {
  const endpoint: Endpoint = endpoints[name];
  const { params = {}, body } = line.input?.(self) ?? {};
  return outcomeOf(await call(server, urlOf(endpoint, params, {}), { ...how, method: endpoint.method, body }));
};

describe('the matrix', () => {
  it('has every endpoint of the contract, and a cell for every kind of credentials', () => {
    expect(Object.keys(MATRIX).sort()).toEqual(Object.keys(endpoints).sort());
    for (const { title, line } of lines) expect(line.row, title).toHaveLength(CREDENTIALS.length);
  });
});

describe('with authentication enabled', () => {
  let accounts: Accounts;
  let people: Record<'user' | 'reporter' | 'administrator', Person>;
  let keys: Record<Extract<Credentials, `${string} key`>, string>;

  beforeAll(async () => {
    accounts = await openAccounts();
    people = {
      user: await newPerson(accounts, 'user'),
      reporter: await newPerson(accounts, 'reporter'),
      administrator: await newPerson(accounts, 'administrator'),
    };
    const { id } = people.reporter;
    const revoked = await newKey(accounts, id);
    const { cookie } = accounts.administrator;
    await bodyOf(call(accounts, `/api/users/${id}/api-keys/${revoked.id}`, { method: 'DELETE', cookie }));
    const expired = await newKey(accounts, id, { name: 'old', expiresAt: new Date(Date.now() + 3_600_000) });
    await inDatabase(accounts.dataDir, 'UPDATE api_keys SET expires_at = ? WHERE id = ?', Date.now() - 1, expired.id);
    keys = {
      'user key': (await newKey(accounts, people.user.id)).key,
      'reporter key': (await newKey(accounts, id)).key,
      'administrator key': (await newKey(accounts, people.administrator.id)).key,
      'invalid key': `pd_${'0'.repeat(64)}`,
      'expired key': expired.key,
      'revoked key': revoked.key,
    };
  });
  afterAll(() => accounts.stop());

  const present = async (credentials: Credentials, endsSession: boolean): Promise<{ self: number; how: Request }> => {
    const role = (['user', 'reporter', 'administrator'] as const).find((role) => credentials.startsWith(role));
    const self = people[role ?? 'reporter'].id;
    if (credentials === 'none') return { self, how: {} };
    if (credentials.endsWith('key')) return { self, how: { key: keys[credentials as keyof typeof keys] } };
    const { cookie } = people[role!];
    return { self, how: { cookie: endsSession ? await newSession(accounts, people[role!]) : cookie } };
  };

  const checkRow = async (name: EndpointName, line: Line): Promise<void> => {
    const expected: Record<string, string> = {};
    const seen: Record<string, string> = {};
    for (const [index, credentials] of CREDENTIALS.entries()) {
      const deletesItself = name === 'deleteUser' && line.what === 'oneself' && credentials === 'administrator session';
      if (deletesItself) continue;
      const { self, how } = await present(credentials, name === 'logOut');
      expected[credentials] = MEANING[line.row[index]!];
      seen[credentials] = await ask(accounts, name, line, self, how);
    }
    expect(seen).toEqual(expected);
  };

  it.each(lines)('$title', ({ name, line }) => checkRow(name, line));

  it('a session of any role reads what is public', async () => {
    await call(accounts, '/api/test-runs/submit', { method: 'POST', body: submission(), key: keys['reporter key'] });
    for (const { cookie } of Object.values(people)) {
      expect(await bodyOf<unknown[]>(call(accounts, '/api/projects', { cookie }))).not.toEqual([]);
    }
  });

  it('the check of access comes before the check of ids and bodies', async () => {
    const { cookie } = people.user;
    for (const [path, method] of [
      ['/api/test-runs/x', 'DELETE'],
      ['/api/users/x', 'DELETE'],
      ['/api/projects/x', 'PUT'],
      ['/api/users', 'POST'],
      ['/api/admin/cleanup', 'DELETE'],
      ['/api/test-runs/submit', 'POST'],
      ['/api/test-runs/upload', 'POST'],
    ] as const) {
      const body = { olderThanDays: 'x' };
      expect(await outcomeOf(await call(accounts, path, { method, body })), path).toBe(MEANING.in);
      expect(await outcomeOf(await call(accounts, path, { method, body, cookie })), path).toBe(MEANING.no);
    }
  });

  it.each(['/api/admin/stats', '/api/admin/audit', '/api/auth/sessions'])('HEAD %s is no way around', async (path) => {
    expect([401, 404]).toContain((await call(accounts, path, { method: 'HEAD' })).status);
  });

  it.each([
    '//api/admin/stats',
    '/api//admin/stats',
    '/api/admin/stats/',
    '/API/ADMIN/STATS',
    '/api/admin/stats;x',
    '/api/admin%2Fstats',
    '/api/%61dmin/stats',
    '/api/admin/stats%00',
    '/api/projects/../admin/stats',
    '/api/projects/%2e%2e/admin/stats',
  ])('%s is no way around', async (path) => {
    const response = await fetch(accounts.url + path, { redirect: 'manual' });
    expect(await response.text()).not.toContain('totalProjects');
  });

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])('%s is not obeyed', async (header) => {
    const { testRunId } = await bodyOf<{ testRunId: number }>(
      call(accounts, '/api/test-runs/submit', { method: 'POST', body: submission(), key: keys['reporter key'] }),
    );
    await call(accounts, `/api/test-runs/${testRunId}?_method=DELETE`, { headers: { [header]: 'DELETE' } });
    expect((await call(accounts, `/api/test-runs/${testRunId}`)).status).toBe(200);
  });

  it('what is refused is not done', async () => {
    const { cookie } = accounts.administrator;
    const before = await bodyOf<{ totalRuns: number }>(call(accounts, '/api/admin/stats', { cookie }));
    for (const how of [{}, { cookie: people.user.cookie }, { key: keys['user key'] }, { key: keys['revoked key'] }]) {
      await call(accounts, '/api/test-runs/submit', { ...how, method: 'POST', body: submission() });
      await call(accounts, '/api/test-runs/upload', { ...how, method: 'POST', body: runForm() });
    }
    const after = await bodyOf<{ totalRuns: number }>(call(accounts, '/api/admin/stats', { cookie }));
    expect(after.totalRuns).toBe(before.totalRuns);
  });
});

describe('with authentication disabled', () => {
  let server: TestServer;
  beforeAll(async () => (server = await startTestServer()));
  afterAll(() => server.stop());

  it.each(lines)('$title is open to all', async ({ name, line }) => {
    for (const how of [{}, { key: `pd_${'0'.repeat(64)}` }, { key: 'x' }, { cookie: 'assay_session=x' }]) {
      expect(await ask(server, name, line, 1, how)).toBe(MEANING.ok);
    }
  });

  it.each(['/api/auth/setup', '/api/auth/login', '/api/auth/logout'])(
    'POST %s says that authentication is not enabled, whatever is sent',
    async (path) => {
      const body = { username: 'someone', password: 'password', name: 'Some One' };
      for (const sent of [{ body }, { body: {} }, { body: { username: 'ab', password: 'short' } }, {}]) {
        const response = await call(server, path, { method: 'POST', ...sent });
        expect(response.status).toBe(400);
        expect(response.headers.getSetCookie()).toEqual([]);
        expect(await response.json()).toMatchObject({
          code: 'authentication_disabled',
          message: 'Authentication is not enabled',
        });
      }
    },
  );

  it('nobody is signed in and users can be read', async () => {
    expect(await server.client.getSession()).toEqual({ authenticated: false, user: null });
    expect(await server.client.listUsers()).toMatchObject({ authEnabled: false });
  });
});
