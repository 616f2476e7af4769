import { readdirSync } from 'node:fs';
import type { AuditEntry } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inDatabase } from '../in-database.ts';
import { type Folder, newFolder } from '../robustness/service-process.ts';
import { usersCommand } from './command.ts';
import {
  type Accounts,
  bodyOf,
  call,
  isSignedIn,
  logIn,
  newPerson,
  newSession,
  openAccounts,
  PASSWORD,
  post,
  startWithAccounts,
} from './people.ts';

const STDIN = '--password-stdin';

const expectRefusal = ({ code, stdout, stderr }: Awaited<ReturnType<typeof usersCommand>>): string => {
  expect(code).toBeGreaterThan(0);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^assay-server: /);
  expect(stderr).not.toMatch(/\n\s+at /);
  return stderr;
};

/** With what a service has left that nobody has set up. */
const newDataFolder = async (): Promise<Folder> => {
  const folder = newFolder();
  const server = await startWithAccounts({ dataDir: folder.path });
  await server.stop();
  return folder;
};

describe.concurrent('on a folder that holds no data', () => {
  it.each([['list'], ['create', 'someone', '--role', 'user']])('nothing is made: %s', async (...words) => {
    using folder = newFolder();
    expect(expectRefusal(await usersCommand(folder.path, words))).toContain(folder.path);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe.concurrent('on a stopped service', () => {
  it('makes the first Administrator, who then signs in; setup is closed', async () => {
    using folder = await newDataFolder();
    const made = await usersCommand(
      folder.path,
      ['create', 'Root', '--role', 'administrator', '--name', 'R', STDIN],
      `${PASSWORD}\n`,
    );
    expect(made, made.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).not.toContain(PASSWORD);
    const listed = await usersCommand(folder.path, ['list']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(/Root/);
    expect(listed.stdout).toMatch(/administrator/);
    expect(listed.stdout).not.toMatch(/scrypt/);
    await using server = await startWithAccounts({ dataDir: folder.path });
    const { user } = await bodyOf<{ user: object }>(logIn(server, 'root', PASSWORD));
    expect(user).toMatchObject({ username: 'Root', role: 'administrator', name: 'R' });
    expect((await post(server, '/api/auth/setup', { username: 'other', password: PASSWORD })).status).toBe(400);
  });

  it('prints a password that it made, once, and stores it as a hash of full cost', async () => {
    using folder = await newDataFolder();
    const { stdout, code } = await usersCommand(folder.path, ['create', 'someone', '--role', 'user']);
    expect(code).toBe(0);
    const words = stdout.split(/\s+/).filter((word) => word.length >= 12);
    const [row] = await inDatabase(folder.path, 'SELECT password FROM users');
    expect(String(row!['password'])).toMatch(/^scrypt\$15\$8\$4\$/);
    await using server = await startWithAccounts({ dataDir: folder.path });
    const statuses: number[] = [];
    for (const word of words) statuses.push((await logIn(server, 'someone', word)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });
});

const entriesOfCommand = async (server: Accounts, cookie: string): Promise<AuditEntry[]> => {
  const entries = await bodyOf<AuditEntry[]>(call(server, '/api/admin/audit', { cookie }));
  return entries.filter(({ address }) => address === null);
};

describe.concurrent('on a running service', () => {
  it('resets a password: all sessions end at once, only the new password opens', async () => {
    await using server = await openAccounts();
    const { administrator } = server;
    const cookies = [administrator.cookie, await newSession(server, administrator)];
    const other = await newPerson(server, 'user');
    const { code, stdout, stderr } = await usersCommand(
      server.dataDir,
      ['reset-password', administrator.username.toUpperCase(), STDIN],
      'found again at last\n',
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).not.toContain('found again at last');
    for (const cookie of cookies) expect(await isSignedIn(server, cookie)).toBe(false);
    expect(await isSignedIn(server, other.cookie)).toBe(true);
    expect((await logIn(server, administrator.username, PASSWORD)).status).toBe(401);
    const cookie = await newSession(server, { username: administrator.username, password: 'found again at last' });
    const byCommand = await entriesOfCommand(server, cookie);
    expect(byCommand).toMatchObject([{ username: null, subject: expect.stringContaining(administrator.username) }]);
    expect(JSON.stringify(byCommand)).not.toContain('found again');
  });

  it('makes a user who can sign in at once, with one audit entry', async () => {
    await using server = await openAccounts();
    const made = await usersCommand(server.dataDir, ['create', 'late one', '--role', 'reporter', STDIN], PASSWORD);
    expect(made.code, made.stderr).toBe(0);
    expect((await logIn(server, 'late one', PASSWORD)).status).toBe(200);
    const byCommand = await entriesOfCommand(server, server.administrator.cookie);
    expect(byCommand).toMatchObject([{ action: 'user.create', username: null }]);
    const listed = await usersCommand(server.dataDir, ['list']);
    expect(listed.stdout).toContain('late one');
    expect(listed.stdout).toContain(server.administrator.username);
  });
});

describe('the list on a terminal', () => {
  it('has no control characters of a name', async () => {
    await using server = await openAccounts();
    const { id, cookie } = await newPerson(server, 'user');
    await call(server, `/api/users/${id}`, { method: 'PUT', body: { name: '\u001b]0;owned\u0007\nroot' }, cookie });
    const { stdout, code } = await usersCommand(server.dataDir, ['list']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stdout).not.toMatch(/[^\P{Cc}\n\t]/u);
  });
});

describe.concurrent('what cannot be done is refused with one line, and nothing changes', () => {
  let server: Accounts;
  let before: unknown;
  const users = (): Promise<unknown> => inDatabase(server.dataDir, 'SELECT * FROM users');
  beforeAll(async () => {
    server = await openAccounts();
    before = await users();
  });
  afterAll(() => server.stop());

  it.each([
    ['a name that is taken', ['create', 'FIRST-administrator', '--role', 'user', STDIN], PASSWORD],
    ['a short password', ['create', 'someone', '--role', 'user', STDIN], 'short\n'],
    ['an unknown role', ['create', 'someone', '--role', 'root', STDIN], PASSWORD],
    ['a password among the words', ['create', 'someone', '--password', PASSWORD], ''],
    ['an unknown user', ['reset-password', 'nobody', STDIN], PASSWORD],
    ['a short new password', ['reset-password', 'first-administrator', STDIN], 'short'],
    ['an unknown command', ['destroy'], ''],
  ])('%s', async (_, words, input) => {
    const line = expectRefusal(await usersCommand(server.dataDir, words, input));
    if (words.includes('--password')) expect(line).not.toContain(PASSWORD);
    expect(await users()).toEqual(before);
    expect(await isSignedIn(server, server.administrator.cookie)).toBe(true);
  });
});
