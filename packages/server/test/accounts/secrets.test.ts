import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { submission } from '../conformance/build.ts';
import { newFolder } from '../robustness/service-process.ts';
import { startTestServer } from '../server.ts';
import { usersCommand } from './command.ts';
import { call, cookieOf, QUICK_COST, type Request } from './people.ts';

vi.setConfig({ testTimeout: 60_000 });

const SECRET = 'seal-5e4d3c2b1a0f9e8d7c6b5a493827160f-seal';
const PREVIOUS = 'prev-00112233445566778899aabbccddeeff-prev';
const FIRST = 'first-Password-7h3x';
const CHANGED = 'changed-Password-9k2q';
const WRONG = 'wrong-Password-4m8z';
const BY_COMMAND = 'command-Password-1r6v';
/** People type their password where their name belongs. */
const AS_NAME = 'typed-As-Name-3w5y';
const BAD_KEY = `pd_${'5ca1ab1e'.repeat(8)}`;

it('no password, key, cookie or secret is in the log, the data folder, the metrics or an answer', async () => {
  using folder = newFolder();
  const log: string[] = [];
  await using service = await startTestServer(
    {
      dataDir: folder.path,
      databaseUrl: null,
      authEnabled: true,
      authSecrets: [SECRET, PREVIOUS],
      passwordCost: QUICK_COST,
      logLevel: 'debug',
    },
    { write: (line) => log.push(line) },
  );
  const secrets = new Set([SECRET, PREVIOUS, FIRST, CHANGED, WRONG, BY_COMMAND, AS_NAME, BAD_KEY, BAD_KEY.slice(3)]);
  const answers: string[] = [];
  const ask = async (path: string, request: Request = {}): Promise<Response> => {
    const response = await call(service, path, request);
    answers.push(await response.clone().text());
    return response;
  };
  const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, rest: Request = {}) =>
    ask(path, { ...rest, method, body });
  const addCookie = (response: Response): string => {
    const cookie = cookieOf(response);
    const value = cookie.slice(cookie.indexOf('=') + 1);
    secrets.add(value);
    for (const part of value.split('.')) if (part.length > 16) secrets.add(part);
    return cookie;
  };

  const setup = { username: 'admin', password: FIRST, name: 'A' };
  await send('POST', '/api/auth/setup', { ...setup, password: 'short', name: { WRONG } });
  let cookie = addCookie(await send('POST', '/api/auth/setup', setup));
  await send('POST', '/api/auth/setup', { ...setup, password: WRONG });
  cookie = addCookie(await send('POST', '/api/auth/login', setup));
  for (let count = 0; count < 12; count++) {
    await send('POST', '/api/auth/login', { username: 'guessed', password: WRONG });
  }
  await send('POST', '/api/auth/login', { username: AS_NAME, password: 'x' });
  await send('POST', '/api/auth/login', { username: 'admin', password: [WRONG] });
  await send('POST', `/api/auth/login?password=${WRONG}`, { username: 'admin' });
  await send(
    'POST',
    '/api/auth/login',
    { username: 'admin', password: FIRST },
    { headers: { origin: 'https://a.test' } },
  );
  await send('POST', '/api/users', { username: 'robot', password: FIRST, role: 'reporter' }, { cookie });
  await send('POST', '/api/users', { username: 'robot', password: WRONG, role: 'reporter' }, { cookie });
  await send('POST', '/api/users', { username: 'robot 2', password: WRONG, role: WRONG }, { cookie });
  await send('PUT', '/api/users/2', { password: CHANGED }, { cookie });
  await send('PUT', '/api/users/2', { password: CHANGED, role: 'root' }, { cookie });
  const made = await call(service, '/api/users/2/api-keys', { method: 'POST', body: { name: 'CI' }, cookie });
  const { key, id } = (await made.json()) as { key: string; id: number };
  secrets.add(key).add(key.slice(3)).add(key.slice(11));
  await send('POST', '/api/test-runs/submit', submission(), { key });
  await send('POST', '/api/test-runs/submit', submission(), { headers: { 'x-api-key': BAD_KEY } });
  await send('POST', '/api/test-runs/submit', submission(), { headers: { authorization: `Basic ${WRONG}` } });
  await send('POST', `/api/test-runs/submit?key=${key}`, submission());
  await send('POST', '/api/test-runs/submit', { broken: true }, { key });
  await send('DELETE', '/api/test-runs/1', undefined, { cookie });
  await send('DELETE', `/api/users/2/api-keys/${id}`, undefined, { cookie });
  await send('POST', '/api/test-runs/submit', submission(), { key });
  await ask('/api/users', { cookie });
  await ask('/api/users/2/api-keys', { cookie });
  await ask('/api/auth/sessions', { cookie });
  await ask('/api/auth/me', { cookie: `${cookie}AAAA` });
  const reset = await usersCommand(folder.path, ['reset-password', 'robot', '--password-stdin'], BY_COMMAND);
  expect(reset.code, reset.stderr).toBe(0);
  answers.push(reset.stdout, reset.stderr);
  await ask('/api/admin/audit', { cookie });
  await ask('/metrics');
  await send('POST', '/api/auth/logout', undefined, { cookie });

  const places = new Map<string, string>(answers.map((text, index) => [`answer ${index}`, text]));
  const readFolder = (when: string): void => {
    for (const entry of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
      places.set(`${entry.name} ${when}`, text);
    }
  };
  readFolder('while it runs');
  await service.stop();
  readFolder('after it');
  places.set('the log', log.join(''));
  expect([...places.keys()]).toEqual(expect.arrayContaining(['assay.db while it runs', 'assay.db after it']));
  expect(log.length).toBeGreaterThan(30);

  const found = [...places].flatMap(([place, text]) =>
    [...secrets].filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${place}`),
  );
  expect(found).toEqual([]);
});
