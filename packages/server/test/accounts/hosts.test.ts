import { describe, expect, it } from 'vitest';
import { type RawReply, rawRequest } from '../files/form.ts';
import { type TestServer, sharedServer, startTestServer } from '../server.ts';
import { type Config, readConfig } from '../tested-service.ts';
import { startWithAccounts } from './people.ts';

const ask = (
  server: TestServer,
  host: string,
  headers: Record<string, string> = {},
  path = '/api/projects',
): Promise<RawReply> => rawRequest(server, path, { host, ...headers });

const statusOf = async (server: TestServer, host: string, headers: Record<string, string> = {}): Promise<number> =>
  (await ask(server, host, headers)).status;

const expectRefused = async (server: TestServer, hosts: readonly string[]): Promise<void> => {
  for (const host of hosts) expect(await statusOf(server, host), host).toBe(421);
};

const expectAnswered = async (server: TestServer, hosts: readonly string[]): Promise<void> => {
  for (const host of hosts) expect(await statusOf(server, host), host).toBe(200);
};

const LOCAL = [
  'localhost',
  'LOCALHOST:3000',
  'localhost.',
  'assay.localhost:1',
  '127.0.0.1',
  '127.1.2.3:80',
  '[::1]:9',
];
const STRANGE = [
  'evil.test',
  'evil.test:3000',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  'localhost@evil.test',
  'evil.test/localhost',
  'not a host',
];

describe('without authentication, on this machine only', () => {
  it('the service answers to names of this machine and to no name of a stranger', async () => {
    const server = await sharedServer();
    await expectAnswered(server, LOCAL);
    await expectRefused(server, STRANGE);
  });

  it('addresses and names without a dot are answered, which no stranger can point anywhere', async () => {
    const server = await sharedServer();
    await expectAnswered(server, ['assay', 'evil-localhost', '10.0.0.1', '[2001:db8::1]']);
  });

  it('a stranger learns which setting there is, and nothing else, whatever is asked for', async () => {
    const server = await sharedServer();
    const { headers, body } = await ask(server, 'evil.test');
    expect(headers['content-type']).toMatch(/^application\/json/);
    const { message, ...rest } = JSON.parse(String(body)) as { message: string };
    expect(rest).toEqual({ statusCode: 421, code: 'host_not_allowed', requestId: headers['x-request-id'] });
    expect(message).toContain('evil.test');
    expect(message).toContain('SERVICE_ALLOWED_HOSTS');
    for (const path of ['/', '/docs', '/metrics', '/trace-viewer/', '/api/openapi.json', '/api/files/traces/1', '/x']) {
      expect((await ask(server, 'evil.test', {}, path)).status, path).toBe(421);
    }
    const run = await server.client.submitRun({
      body: { projectName: 'shop', status: 'passed', startTime: '2026-01-31T09:00:00Z' },
    });
    const path = `/api/test-runs/${run.testRunId}`;
    const origin = 'http://evil.test';
    expect((await rawRequest(server, path, { host: 'evil.test', origin }, 'DELETE')).status).toBe(421);
    expect((await ask(server, 'localhost', {}, path)).status).toBe(200);
  });

  it('probes are answered by any name', async () => {
    const server = await sharedServer();
    for (const path of ['/healthz', '/readyz', '/readyz?full']) {
      expect((await ask(server, 'evil.test', {}, path)).status, path).toBe(200);
    }
  });

  it('the hosts of its addresses and those that a setting lists are answered', async () => {
    await using server = await startTestServer({
      publicUrl: 'https://assay.test:8443',
      allowedHosts: ['one.test', 'two.test'],
    });
    await expectAnswered(server, ['assay.test', 'assay.test:8443', 'One.Test:80', 'two.test', 'localhost']);
    await expectRefused(server, ['three.test', 'sub.one.test']);
  });

  it('any host is answered when a setting says so', async () => {
    await using server = await startTestServer({ allowedHosts: ['*'] });
    await expectAnswered(server, ['evil.test', 'localhost']);
  });

  it('a page cannot pass by a forwarded host, and a proxy cannot pass a stranger on', async () => {
    await using server = await startTestServer({ trustProxy: 'loopback', publicUrl: 'https://assay.test' });
    const forwarded = (host: string) => ({ 'x-forwarded-host': host });
    expect(await statusOf(server, 'evil.test', forwarded('localhost'))).toBe(421);
    expect(await statusOf(server, 'localhost', forwarded('evil.test'))).toBe(421);
    expect(await statusOf(server, '127.0.0.1:3000', forwarded('assay.test'))).toBe(200);
  });
});

describe('without authentication, on every address', () => {
  const startOpen = (overrides: Partial<Config> = {}): Promise<TestServer> =>
    startTestServer({ host: '0.0.0.0', ...overrides });

  it('any host is answered, as a container needs it', async () => {
    await using server = await startOpen();
    await expectAnswered(server, ['evil.test', 'assay', '10.0.0.1', 'localhost']);
  });

  it.each<[string, Partial<Config>]>([
    ['its address', { publicUrl: 'https://assay.test' }],
    ['its hosts', { allowedHosts: ['assay.test'] }],
  ])('told %s, it answers to it and to what no stranger can point anywhere', async (_, overrides) => {
    await using server = await startOpen(overrides);
    await expectAnswered(server, ['assay.test', 'assay:3000', '10.0.0.1:3000', '[2001:db8::1]', ...LOCAL]);
    await expectRefused(server, ['evil.test', 'localhost.evil.test', '10.0.0.1.evil.test']);
  });
});

describe('with authentication', () => {
  it('any host is answered, unless a setting lists them', async () => {
    await using server = await startWithAccounts({ publicUrl: 'https://assay.test' });
    await expectAnswered(server, ['other.test', 'localhost']);
    await using strict = await startWithAccounts({ allowedHosts: ['assay.test'] });
    await expectAnswered(strict, ['assay.test', 'localhost']);
    await expectRefused(strict, ['other.test']);
  });
});

describe('SERVICE_ALLOWED_HOSTS', () => {
  it('is a list of names', () => {
    expect(readConfig({}).allowedHosts).toEqual([]);
    const given = { SERVICE_ALLOWED_HOSTS: ' Assay.Example.org, [::1],10.0.0.1 ,' };
    expect(readConfig(given).allowedHosts).toEqual(['assay.example.org', '[::1]', '10.0.0.1']);
    expect(readConfig({ SERVICE_ALLOWED_HOSTS: '*' }).allowedHosts).toEqual(['*']);
  });

  it.each(['https://assay.test', 'assay.test:80', 'assay.test:3000', 'assay.test/x', 'a b', '::1', 'a@b'])(
    'is not %s',
    (value) => {
      expect(() => readConfig({ SERVICE_ALLOWED_HOSTS: value })).toThrow(/SERVICE_ALLOWED_HOSTS must list host names/);
    },
  );
});
