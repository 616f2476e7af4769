import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { AuditEntry } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manageUsers } from '../../src/cli/users.ts';
import { OperatorError } from '../../src/operator-error.ts';
import { inDatabase } from '../in-database.ts';
import { configOfTests } from '../migrated-database.ts';
import { newFolder } from '../robustness/service-process.ts';
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
  QUICK_COST,
  startWithAccounts,
} from './people.ts';

const STDIN = '--password-stdin';

interface Said {
  readonly printed: string;
  readonly error: unknown;
}

/** The command without a process of its own, and with hashes that cost little. */
const manage = async (dataDir: string, args: readonly string[], input = ''): Promise<Said> => {
  const config = { ...configOfTests(), dataDir, passwordCost: QUICK_COST };
  let printed = '';
  const print = (text: string): void => void (printed += text);
  const done = manageUsers(config, { args, input: Readable.from([input]), print });
  return done.then(
    () => ({ printed, error: null }),
    (error: unknown) => ({ printed, error }),
  );
};

describe('on a folder that holds no data', () => {
  it.each([['list'], ['create', 'someone', '--role', 'user']])('nothing is made: %s', async (...words) => {
    using folder = newFolder();
    const { printed, error } = await manage(folder.path, words);
    expect([printed, error]).toEqual(['', expect.any(OperatorError)]);
    expect((error as Error).message).toContain(folder.path);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

it('on a stopped service, makes the first Administrator and others, who then sign in; setup is closed', async () => {
  using folder = newFolder();
  // With what a service has left that nobody has set up.
  await (await startWithAccounts({ dataDir: folder.path, databaseUrl: null })).stop();
  const words = ['create', 'Root', '--role', 'administrator', '--name', 'R', STDIN];
  const made = await usersCommand(folder.path, words, `${PASSWORD}\n`);
  expect(made, made.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).not.toContain(PASSWORD);
  const [row] = await inDatabase(folder.path, 'SELECT password FROM users');
  expect(String(row!['password'])).toMatch(/^scrypt\$15\$8\$4\$/);
  const other = await manage(folder.path, ['create', 'someone', '--role', 'user']);
  const printed = other.printed.split(/\s+/).filter((word) => word.length >= 12);
  const listed = await usersCommand(folder.path, ['list']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(/administrator\tRoot/);
  expect(listed.stdout).not.toMatch(/scrypt/);

  await using server = await startWithAccounts({ dataDir: folder.path, databaseUrl: null });
  const { user } = await bodyOf<{ user: object }>(logIn(server, 'root', PASSWORD));
  expect(user).toMatchObject({ username: 'Root', role: 'administrator', name: 'R' });
  const statuses: number[] = [];
  for (const word of printed) statuses.push((await logIn(server, 'someone', word)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect((await post(server, '/api/auth/setup', { username: 'other', password: PASSWORD })).status).toBe(400);
});

describe('on a running service', () => {
  let server: Accounts;
  beforeAll(async () => (server = await openAccounts({ databaseUrl: null })));
  afterAll(() => server.stop());

  const entriesOfCommand = async (cookie: string): Promise<AuditEntry[]> => {
    const entries = await bodyOf<AuditEntry[]>(call(server, '/api/admin/audit', { cookie }));
    return entries.filter(({ address }) => address === null);
  };

  it('makes a user who can sign in at once, with one audit entry', async () => {
    const made = await usersCommand(server.dataDir, ['create', 'late one', '--role', 'reporter', STDIN], PASSWORD);
    expect(made.code, made.stderr).toBe(0);
    expect((await logIn(server, 'late one', PASSWORD)).status).toBe(200);
    const byCommand = await entriesOfCommand(server.administrator.cookie);
    expect(byCommand).toMatchObject([{ action: 'user.create', username: null }]);
    const { printed } = await manage(server.dataDir, ['list']);
    expect(printed).toContain('late one');
    expect(printed).toContain(server.administrator.username);
  });

  it('resets a password: all sessions end at once, only the new password opens', async () => {
    const person = await newPerson(server, 'administrator');
    const cookies = [person.cookie, await newSession(server, person)];
    const words = ['reset-password', person.username.toUpperCase(), STDIN];
    const { printed, error } = await manage(server.dataDir, words, 'found again at last\n');
    expect(error).toBeNull();
    expect(printed).not.toContain('found again at last');
    for (const cookie of cookies) expect(await isSignedIn(server, cookie)).toBe(false);
    expect(await isSignedIn(server, server.administrator.cookie)).toBe(true);
    expect((await logIn(server, person.username, person.password)).status).toBe(401);
    const cookie = await newSession(server, { username: person.username, password: 'found again at last' });
    const byCommand = await entriesOfCommand(cookie);
    expect(byCommand[0]).toMatchObject({ username: null, subject: expect.stringContaining(person.username) });
    expect(JSON.stringify(byCommand)).not.toContain('found again');
  });

  it('lists no control characters of a name', async () => {
    const { id } = await newPerson(server, 'user');
    await inDatabase(server.dataDir, 'UPDATE users SET name = ? WHERE id = ?', '\u001b]0;owned\u0007\nroot', id);
    const { printed, error } = await manage(server.dataDir, ['list']);
    expect(error).toBeNull();
    const users = await inDatabase(server.dataDir, 'SELECT id FROM users');
    expect(printed.trimEnd().split('\n')).toHaveLength(users.length);
    expect(printed).not.toMatch(/[^\P{Cc}\n\t]/u);
  });

  it('refuses with one line what cannot be done', async () => {
    const words = ['create', 'FIRST-administrator', '--role', 'user', STDIN];
    const { code, stdout, stderr } = await usersCommand(server.dataDir, words, PASSWORD);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^assay-server: .+\n$/);
  });

  it.each([
    ['a name that is taken', ['create', 'FIRST-administrator', '--role', 'user', STDIN], PASSWORD],
    ['a short password', ['create', 'someone', '--role', 'user', STDIN], 'short\n'],
    ['an unknown role', ['create', 'someone', '--role', 'root', STDIN], PASSWORD],
    ['a password among the words', ['create', 'someone', '--password', PASSWORD], ''],
    ['an unknown user', ['reset-password', 'nobody', STDIN], PASSWORD],
    ['a short new password', ['reset-password', 'first-administrator', STDIN], 'short'],
    ['an unknown command', ['destroy'], ''],
  ])('refuses %s, and nothing changes', async (_, words, input) => {
    const users = (): Promise<unknown> => inDatabase(server.dataDir, 'SELECT * FROM users');
    const before = await users();
    const { printed, error } = await manage(server.dataDir, words, input);
    expect([printed, error]).toEqual(['', expect.any(OperatorError)]);
    expect((error as Error).message).not.toContain(PASSWORD);
    expect(await users()).toEqual(before);
    expect(await isSignedIn(server, server.administrator.cookie)).toBe(true);
  });
});
