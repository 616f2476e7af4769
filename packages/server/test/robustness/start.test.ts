import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { OperatorError } from '../../src/operator-error.ts';
import { submission, testCase } from '../conformance/build.ts';
import { file, textFields, uniqueBytes, upload } from '../files/form.ts';
import { configOfTests } from '../migrated-database.ts';
import { startTestServer } from '../server.ts';
import { startService } from '../tested-service.ts';
import { exchange } from './raw-http.ts';
import { freePort, newFolder, spawnService, startServiceProcess } from './service-process.ts';

vi.setConfig({ testTimeout: 60_000 });

/** Starts the service and expects it to give up with one line for the operator. */
const refusalOf = async (settings: Record<string, string>): Promise<string> => {
  await using service = spawnService({ PORT: String(await freePort()), ...settings });
  const { code, signal } = await service.exited;
  expect(signal).toBeNull();
  expect(code, service.stderr()).toBeGreaterThan(0);
  expect(service.stdout()).toBe('');
  expect(service.stderr()).toMatch(/^assay-server: .+\n$/);
  return service.stderr();
};

/** Starts the service in this process and expects the one line that a process of its own would end with. */
const refusalInProcess = async (overrides: Partial<Config>): Promise<string> => {
  const error = await startService({ ...configOfTests(), ...overrides }).then(
    () => null,
    (error: Error) => error,
  );
  // By its name: the bundle has a class of its own.
  expect(error?.constructor.name).toBe(OperatorError.name);
  expect(error?.message).toMatch(/^.+$/);
  return error!.message;
};

const refusedBy = (read: () => unknown): Error => {
  try {
    read();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('It was taken');
};

describe('a setting that cannot be used', () => {
  it('stops the start with one line that names it', async () => {
    using folder = newFolder();
    const line = await refusalOf({ SERVICE_DATA_DIR: folder.path, PORT: 'abc' });
    expect(line).toContain('PORT');
    expect(line).toContain('abc');
  });

  it.each([
    ['PORT', '70000'],
    ['SERVICE_MAX_BODY_MB', '0'],
    ['SERVICE_LOG_LEVEL', 'loud'],
    ['SERVICE_CORS_ORIGINS', 'foo'],
    ['SERVICE_AUTH_ENABLED', 'yes'],
  ])('is refused to the operator: %s=%s', (name, value) => {
    const error = refusedBy(() => readConfig({ [name]: value }));
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toMatch(/^.+$/);
    expect(error.message).toContain(name);
    expect(error.message).toContain(value);
  });
});

it('nobody else on the machine can read what is stored, also in a folder that was there', async () => {
  using folder = newFolder();
  const modes = (): string[] =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).map(
      (name) => `${name} ${(statSync(join(folder.path, name)).mode & 0o077).toString(8)}`,
    );
  {
    await using service = await startServiceProcess(folder.path);
    await upload(service, [file('trace_0', uniqueBytes(2_000)), ...textFields()]);
    expect(modes().filter((one) => !one.endsWith(' 0'))).toEqual([]);
    service.signal('SIGTERM');
    await service.exited;
  }
  for (const name of ['assay.db', 'lock']) chmodSync(join(folder.path, name), 0o644);
  for (const name of ['blobs', 'staging']) chmodSync(join(folder.path, name), 0o755);
  chmodSync(folder.path, 0o755);
  await using service = await startServiceProcess(folder.path);
  await service.client.submitRun({ body: submission() });
  expect(modes().filter((one) => !one.endsWith(' 0'))).toEqual([]);
});

describe.concurrent('a start is refused with one clear line', () => {
  it('when another process has the data folder, which goes on undisturbed', async () => {
    using folder = newFolder();
    await using first = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    await first.client.submitRun({ body: submission() });
    const line = await refusalOf({ SERVICE_DATA_DIR: folder.path });
    expect(line).toContain(folder.path);
    expect(line).toContain('in use');
    await first.client.submitRun({ body: submission() });
    expect(await first.client.getStats()).toMatchObject({ totalRuns: 2 });
  });

  it('when a newer version has written the database, which stays as it is', async () => {
    using folder = newFolder();
    {
      await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
      await server.client.submitRun({ body: submission() });
    }
    const migrations = (change: string): unknown[] => {
      const database = new DatabaseSync(join(folder.path, 'assay.db'), { timeout: 10_000 });
      if (change) database.exec(change);
      const rows = database.prepare('SELECT * FROM migrations ORDER BY number').all();
      database.close();
      return rows;
    };
    const newer = migrations("INSERT INTO migrations (number, name, applied_at) VALUES (999, 'from the future', 0)");
    const line = await refusalInProcess({ dataDir: folder.path });
    expect(line).toMatch(/newer version/);
    expect(line).toContain('999');
    expect(migrations('')).toEqual(newer);
    migrations('DELETE FROM migrations WHERE number = 999');
    await using server = await startTestServer({ dataDir: folder.path, databaseUrl: null });
    expect(await server.client.getStats()).toMatchObject({ totalRuns: 1 });
  });

  it('when the port is in use', async () => {
    using folder = newFolder();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const line = await refusalOf({ SERVICE_DATA_DIR: folder.path, PORT: String(port) });
    expect(line).toContain(String(port));
    expect(line).toContain('in use');
    await new Promise((resolve) => taken.close(resolve));
  });

  it.each([
    ['is a file', 'file'],
    ['is inside of a file', 'file/data'],
  ])('when the data folder %s', async (_, name) => {
    using folder = newFolder();
    writeFileSync(join(folder.path, 'file'), 'not a folder');
    const path = join(folder.path, name);
    expect(await refusalInProcess({ dataDir: path })).toContain(path);
  });

  it.each(['lock', 'assay.db'])('when %s in the data folder is no database', async (name) => {
    using folder = newFolder();
    const path = join(folder.path, name);
    writeFileSync(path, 'This is a text and no database. '.repeat(500));
    expect(await refusalInProcess({ dataDir: folder.path })).toContain(path);
  });

  it('when the host has no address', async () => {
    using folder = newFolder();
    expect(await refusalInProcess({ dataDir: folder.path, host: 'no..host' })).toContain('no..host');
  });
});

describe.concurrent('the log, however much it tells', () => {
  it('has one JSON object for each request, without bodies, header values or query strings', async () => {
    using folder = newFolder();
    await using service = await startServiceProcess(folder.path, { SERVICE_LOG_LEVEL: 'debug' });
    const secret = 's3cr3t-value';
    const url = `https://shop.test/?token=${secret}`;
    const body = submission({
      projectName: secret,
      runKey: secret,
      metadata: { password: secret },
      testCases: [testCase({ title: secret, error: secret, networkRequests: [{ method: 'GET', url }] })],
    });
    const send = async (method: string, path: string, text: string | null, type = 'application/json') => {
      const headers = { 'content-type': type, 'x-api-key': secret, cookie: `a=${secret}`, 'idempotency-key': secret };
      const response = await fetch(service.url + path, { method, headers, body: text });
      await response.text();
      return { method, path: path.split('?')[0], status: response.status };
    };
    const expected = [
      await send('POST', `/api/test-runs/submit?key=${secret}`, JSON.stringify(body)),
      await send('POST', '/api/test-runs/submit', `{"broken": "${secret}"`),
      await send('POST', '/api/test-runs/submit', JSON.stringify({ ...body, status: { secret } })),
      await send('POST', '/api/test-runs/submit', secret, 'text/plain'),
      await send('PUT', '/api/projects/1', JSON.stringify({ label: secret })),
      await send('GET', `/api/projects?cursor=${secret}`, null),
      await send('GET', `/api/test-runs/1?${secret}=${secret}`, null),
      await send('GET', `/nothing?${secret}`, null),
      await send('GET', `/api/projects/%?${secret}`, null),
    ];
    await exchange(service.url, `${secret} is no request\r\n${secret}: ${secret}\r\n\r\n`);
    service.signal('SIGTERM');
    expect((await service.exited).code).toBe(0);
    expect(service.stderr()).toBe('');
    expect(service.stdout()).not.toContain(secret);
    const lines = service.stdout().trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = entries.filter((entry) => entry['msg'] === 'request');
    expect(requests.map(({ method, path, status }) => ({ method, path, status }))).toEqual(expected);
    expect(expected.map(({ status }) => status)).toEqual([200, 400, 400, 415, 200, 400, 200, 404, 400]);
    expect(new Set(requests.map((entry) => entry['reqId'])).size).toBe(expected.length);
  });
});
