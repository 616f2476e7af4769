import { ErrorBody } from '@assay/contract';
import { type Random, createRandom, draws } from '@assay/testkit';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { richCase, submission, testCase } from '../conformance/build.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { randomBytes } from './mutate.ts';
import { type RawAnswer, exchange, sendBehind } from './raw-http.ts';

const SEED = process.env['ROBUSTNESS_SEED'] ?? process.env['ASSAY_SEED'] ?? 'requests';
const AT_ONCE = 20;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  for (let run = 0; run < 3; run++) await server.client.submitRun({ body: submission({ testCases: [richCase()] }) });
});
afterAll(() => server.stop());

const words = (text: string): string[] => text.trim().split(/\s+/);

const METHODS = words('GET GET GET GET HEAD POST PUT DELETE PATCH OPTIONS TRACE PROPFIND');
const ODD_METHODS = ['', 'G\u0000T', ...words('CONNECT QUERY M-SEARCH SOURCE get NONSENSE')];
const PATHS = words(`
  /api/projects /api/projects/ID /api/projects/ID/performance /api/projects/ID/slow-tests /api/projects/ID/test-cases
  /api/test-runs/ID /api/test-runs/ID/network-requests /api/test-cases/ID /api/test-runs/submit /api/test-runs/upload
  /api/files/ID /api/admin/stats /api/admin/cleanup /api/users/ID/api-keys/ID /api/auth/me /api/openapi.json
  /api/ID /ID /docs /tests/ID /projects/ID/flaky /metrics /healthz
`);
const IDS = [
  ...words(
    '1 2 0 -1 01 1.5 1e3 0x1 +1 %31 %20 NaN null undefined 1048577 2147483648 9007199254740991 9007199254740992',
  ),
  ...words('%00 1%00 %ff % %E0%A4%A %u0031 .. ../.. ..%2f..%2fetc%2fpasswd %2e%2e%2f // . ; 1;x=y 1#x 1/ * :id {id}'),
  ...words('__proto__ constructor toString \\ %5c \xff\xfe'),
  ' ',
  '9'.repeat(400),
  'a'.repeat(3_000),
];
const QUERY_NAMES = ['', ...words('limit cursor runs details __proto__ constructor limit[] x toString')];
const QUERY_VALUES = [
  ...words('0 1 1 2 -1 1001 1e3 NaN true false TRUE null %00 % %ff %E0%A4%A 1&limit=2 = && ? MDow MTox'),
  '',
  '9'.repeat(50),
  '_'.repeat(500),
  'OTk5OTk5OTk5OTk5OTk5OjE',
];
const HEADERS = `If-None-Match: *
If-None-Match: W/"
If-None-Match: ${'"a",'.repeat(500)}
If-None-Match: \xff
Content-Type: application/json
Content-Type: application/json; charset=utf-16
Content-Type: nonsense
Content-Type: ;
Content-Type: text/html;charset=
Content-Length: 0
Content-Length: 5
Content-Length: -1
Content-Length: 1e3
Transfer-Encoding: chunked
Transfer-Encoding: gzip
Content-Encoding: gzip
Range: bytes=0-1
Range: bytes=9-1,-
Accept: text/html
Accept: */*;q=2
Accept-Encoding: x
Accept-Version: 1.x
Origin: null
Host: a:b:c
X-Forwarded-For: \x01
Cookie: a=b; ;; =
Authorization: Bearer
X-API-Key: \x00
Idempotency-Key:
Idempotency-Key: ${'k'.repeat(500)}
Expect: 100-continue
Expect: nonsense
Upgrade: h2c
Connection: upgrade
X-Request-Id: {{7*7}}
X-Long: ${'h'.repeat(20_000)}
no colon
: no name`.split('\n');

const buildRequest = (random: Random): string => {
  const method = random.chance(0.95) ? random.pick(METHODS) : random.pick(ODD_METHODS);
  const path = random.pick(PATHS).replaceAll('ID', () => random.pick(IDS));
  const query = Array.from(
    { length: random.pick([0, 0, 1, 1, 2, 5]) },
    () => `${random.pick(QUERY_NAMES)}=${random.pick(QUERY_VALUES)}`,
  ).join('&');
  const origin = random.pick(['', '', '', '', '', 'http://other.test', 'http://a:99999', 'https://[', '/', 'ftp://x']);
  const headers = Array.from({ length: random.pick([0, 0, 1, 1, 2, 4]) }, () => random.pick(HEADERS));
  const target = `${origin}${path}${query === '' ? '' : `?${query}`}`;
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n');
};

const errorBody = Compile(ErrorBody);

const expectNoFault = ({ status, head, body }: RawAnswer, sent: string): void => {
  const name = `seed ${SEED}: ${JSON.stringify(sent.slice(0, 1_000))} was answered ${head}\n${body.slice(0, 500)}`;
  if (status === null) return;
  expect(status, name).toBeLessThan(500);
  if (status < 400 || body === '' || !/^content-type: application\/json/im.test(head)) return;
  expect([...errorBody.Errors(JSON.parse(body))], name).toEqual([]);
};

const sendAll = async (count: number, build: (random: Random) => string): Promise<(number | null)[]> => {
  const statuses: (number | null)[] = [];
  for (let start = 0; start < count; start += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, async (_, offset) => {
      const sent = build(createRandom(SEED).fork(start + offset));
      const answer = await exchange(server.url, Buffer.from(sent, 'latin1'));
      expectNoFault(answer, sent);
      return answer.status;
    });
    statuses.push(...(await Promise.all(batch)));
  }
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  return statuses;
};

it('odd paths, ids, queries, headers and methods are never a server error, and always get an answer', async () => {
  const statuses = await sendAll(draws(600, 4_000), buildRequest);
  expect(new Set(statuses)).toContain(200);
  expect(new Set(statuses)).toContain(404);
});

it('bytes that are no request are refused or cut off', async () => {
  const statuses = await sendAll(draws(100), (random) => {
    const noise = Buffer.from(randomBytes(random, 200)).toString('latin1');
    return random.chance(0.5) ? noise : `GET /api/projects HTTP/1.1\r\n${noise}\r\n\r\n`;
  });
  for (const status of statuses) expect([null, 200, 400]).toContain(status);
});

it.each([
  'http://other.test/api/projects?limit=1',
  'http://a:99999/api/projects?limit=1',
  'http://[/api/projects?limit=1',
  '//api/projects?limit=1',
])('a request for the address %s is no server error', async (target) => {
  const sent = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  const answer = await exchange(server.url, sent);
  expect(answer.status).not.toBeNull();
  expectNoFault(answer, sent);
});

it.each(['zz\r\n', '5\r\n{"pro\r\nzz\r\n', '5\r\n{"prozz'])(
  'a body in chunks that are none is refused: %j',
  async (chunks) => {
    const head = 'POST /api/test-runs/submit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const answer = await exchange(server.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    expect(answer.status).toBe(400);
    expectNoFault(answer, chunks);
  },
);

it.each([
  ['without a host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
  [
    'with two hosts',
    'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
    400,
    'invalid_request',
  ],
  ['that expects the unknown', 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n', 417, 'expectation_failed'],
] as const)('a request %s gets an error that says so', async (_, sent, status, code) => {
  const answer = await exchange(server.url, sent);
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(`"code":"${code}"`);
});

it('a request of HTTP/1.0 needs no host', async () => {
  expect((await exchange(server.url, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
});

it('bytes that are no request, behind one whose answer has not begun, are not answered in its place', async () => {
  const received = await exchange(server.url, 'GET /api/projects HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n');
  expect([null, 200]).toContain(received.status);
});

it('bytes that are no request never get into the answer of the request before them', async () => {
  const testCases = Array.from({ length: 15_000 }, (_, index) =>
    testCase({ title: `case ${index}`, status: 'failed', error: 'x'.repeat(300) }),
  );
  const { testRunId } = await server.client.submitRun({ body: submission({ testCases }) });
  const received = await sendBehind(
    server.url,
    `GET /api/test-runs/${testRunId} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    'nonsense\r\n\r\n',
  );
  const [answer, ...others] = received.split(/(?=HTTP\/1\.1 \d{3} )/);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  // Either the connection is cut, or the answer is whole before anything else comes.
  if (others.length > 0) expect(answer?.slice(-7)).toBe('\r\n0\r\n\r\n');
});
