import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { freePort, newFolder, spawnService, startServiceProcess } from '../robustness/service-process.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { readConfig } from '../tested-service.ts';
import { bodyOf, call, cookieOf, isSignedIn, PASSWORD, post, QUICK_COST } from './people.ts';

vi.setConfig({ testTimeout: 60_000 });

const ENABLED = { SERVICE_AUTH_ENABLED: 'true' };
const GOOD = 'f3a9'.repeat(16);
const NEXT = '07bd'.repeat(16);

const secretFile = (folder: string, text: string): Record<string, string> => {
  const path = join(folder, 'secret');
  writeFileSync(path, text);
  return { SERVICE_AUTH_SECRET_FILE: path };
};

/** A service with these settings, and the lines of its log. */
const start = async (dataDir: string, settings: Record<string, string>): Promise<TestServer & { log: string[] }> => {
  const log: string[] = [];
  const config = { ...readConfig({ ...settings, PORT: '0' }), dataDir, passwordCost: QUICK_COST };
  return { ...(await startTestServer(config, { write: (line) => log.push(line) })), log };
};

const refusalOf = async (settings: Record<string, string>): Promise<string> => {
  using folder = newFolder();
  const PORT = String(await freePort());
  await using service = spawnService({ PORT, SERVICE_DATA_DIR: folder.path, ...settings });
  const { code } = await service.exited;
  expect(code, service.stderr()).toBeGreaterThan(0);
  expect(service.stdout()).toBe('');
  expect(service.stderr()).toMatch(/^assay-server: .+\n$/);
  return service.stderr();
};

it('enabled with a short secret, the start is refused with one line that has the command for a secret', async () => {
  const line = await refusalOf({ ...ENABLED, SERVICE_AUTH_SECRET: `${'q7'.repeat(15)}z` });
  expect(line).toContain('SERVICE_AUTH_SECRET');
  expect(line).toContain('openssl rand -hex 32');
  expect(line).not.toContain('q7q7');
});

describe('a setting of authentication that cannot be used is refused', () => {
  it('no secret', () => {
    expect(() => readConfig(ENABLED)).toThrow(/SERVICE_AUTH_SECRET.*openssl rand -hex 32/);
  });

  it('a secret that is given twice, without telling it', () => {
    using folder = newFolder();
    const settings = { ...ENABLED, SERVICE_AUTH_SECRET: GOOD, ...secretFile(folder.path, GOOD) };
    expect(() => readConfig(settings)).toThrow(/^(?!.*f3a9).*SERVICE_AUTH_SECRET_FILE/);
  });

  it('a file of the secret that is not there', () => {
    const settings = { ...ENABLED, SERVICE_AUTH_SECRET_FILE: '/nowhere/at-all' };
    expect(() => readConfig(settings)).toThrow(/^(?=.*SERVICE_AUTH_SECRET_FILE).*\/nowhere\/at-all/);
  });

  it.each(['', ' '.repeat(40), 'z'.repeat(31), `${'z'.repeat(20)}${' '.repeat(20)}`])('the secret %j', (secret) => {
    expect(() => readConfig({ ...ENABLED, SERVICE_AUTH_SECRET: secret })).toThrow(/SERVICE_AUTH_SECRET.*openssl rand/);
  });

  it.each(['', '\n', `too-short-a-secret${'\n'.repeat(40)}`])('a file with the secret %j', (text) => {
    using folder = newFolder();
    expect(() => readConfig({ ...ENABLED, ...secretFile(folder.path, text) })).toThrow(/openssl rand -hex 32/);
  });

  it.each(['', 'too-short-a-secret'])('a file with the secret %j, by the name of its setting', (text) => {
    using folder = newFolder();
    expect(() => readConfig({ ...ENABLED, ...secretFile(folder.path, text) })).toThrow(/SERVICE_AUTH_SECRET_FILE/);
  });

  it.each(['perhaps', '-1', '1.5', '999.1.1.1', '10.0.0.1/x'])('SERVICE_TRUST_PROXY=%s', (value) => {
    expect(() => readConfig({ SERVICE_TRUST_PROXY: value })).toThrow(/SERVICE_TRUST_PROXY/);
  });

  it.each(['10.0.0.0/99', '::1/129'])('SERVICE_TRUST_PROXY=%s', (value) => {
    expect(() => readConfig({ SERVICE_TRUST_PROXY: value })).toThrow(/SERVICE_TRUST_PROXY/);
  });

  it('a previous secret of 5 characters', () => {
    const settings = { ...ENABLED, SERVICE_AUTH_SECRET: GOOD, SERVICE_AUTH_SECRET_PREVIOUS: 'short' };
    expect(() => readConfig(settings)).toThrow(/SERVICE_AUTH_SECRET_PREVIOUS/);
  });
});

describe('SERVICE_TRUST_PROXY', () => {
  it.each([
    ['false', false],
    ['2', 2],
    ['loopback', 'loopback'],
    ['loopback, 10.0.0.0/8,2001:db8::1', 'loopback,10.0.0.0/8,2001:db8::1'],
    ['uniquelocal,linklocal', 'uniquelocal,linklocal'],
  ])('takes %s', (value, expected) => {
    expect(readConfig({ SERVICE_TRUST_PROXY: value }).trustProxy).toBe(expected);
  });

  const addressSeen = async (setting: string, forwarded: string): Promise<{ address: string; warnings: string[] }> => {
    using folder = newFolder();
    const settings = { ...ENABLED, SERVICE_AUTH_SECRET: GOOD, SERVICE_TRUST_PROXY: setting };
    await using service = await start(folder.path, settings);
    const headers = { 'x-forwarded-for': forwarded };
    const body = { username: 'first', password: PASSWORD };
    const cookie = cookieOf(await post(service, '/api/auth/setup', body, { headers }));
    const { sessions } = await bodyOf<{ sessions: { address: string }[] }>(
      call(service, '/api/auth/sessions', { cookie }),
    );
    const warnings = service.log.filter((line) => line.includes('"level":40'));
    return { address: sessions[0]!.address, warnings };
  };

  it('by addresses believes what the nearest of them says, without a warning', async () => {
    const { address, warnings } = await addressSeen('loopback,10.0.0.0/8', '203.0.113.1, 203.0.113.2, 10.1.2.3');
    expect(address).toBe('203.0.113.2');
    expect(warnings).toEqual([]);
  });

  it('by true believes every client, and one line says what to set instead', async () => {
    const { address, warnings } = await addressSeen('true', '203.0.113.1, 203.0.113.2');
    expect(address).toBe('203.0.113.1');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/SERVICE_TRUST_PROXY=true.*SERVICE_TRUST_PROXY=loopback/);
  });

  it('is asked for where the public address is HTTPS', async () => {
    using folder = newFolder();
    const settings = { ...ENABLED, SERVICE_AUTH_SECRET: GOOD, SERVICE_PUBLIC_URL: 'https://assay.test' };
    await using service = await startServiceProcess(folder.path, settings);
    expect(service.stdout()).toMatch(/"level":40.*cookies are not Secure.*SERVICE_TRUST_PROXY/);
  });
});

describe('one data folder, started in turn', () => {
  const OFF = /authentication is (off|disabled|not enabled)/i;

  it('enabled with a secret in a file, disabled, and enabled with a new secret, keeps its accounts', async () => {
    using folder = newFolder();
    using secrets = newFolder();
    let cookie: string;
    {
      const settings = { ...ENABLED, ...secretFile(secrets.path, `${GOOD}\n`) };
      await using service = await start(folder.path, settings);
      cookie = cookieOf(await post(service, '/api/auth/setup', { username: 'first', password: PASSWORD }));
      expect(await isSignedIn(service, cookie)).toBe(true);
      expect(service.log.join('')).not.toMatch(OFF);
    }
    {
      await using service = await start(folder.path, { SERVICE_AUTH_SECRET: GOOD });
      expect(service.log.join('')).toMatch(OFF);
      expect(await isSignedIn(service, cookie)).toBe(false);
      expect(await service.client.getStats()).toMatchObject({ totalRuns: 0 });
    }
    const settings = { ...ENABLED, SERVICE_AUTH_SECRET: NEXT, SERVICE_AUTH_SECRET_PREVIOUS: GOOD };
    await using service = await start(folder.path, settings);
    expect(await isSignedIn(service, cookie)).toBe(true);
    await bodyOf(post(service, '/api/auth/login', { username: 'first', password: PASSWORD }));
    await expect(service.client.getStats()).rejects.toMatchObject({ status: 401 });
  });
});

describe('the default of HOST', () => {
  it('is every address with authentication and this machine without', () => {
    expect(readConfig({}).host).toBe('127.0.0.1');
    expect(readConfig({ SERVICE_AUTH_ENABLED: 'false' }).host).toBe('127.0.0.1');
    const enabled = { ...ENABLED, SERVICE_AUTH_SECRET: GOOD };
    expect(readConfig(enabled).host).toBe('0.0.0.0');
    expect(readConfig({ ...enabled, HOST: '127.0.0.2' }).host).toBe('127.0.0.2');
  });
});
