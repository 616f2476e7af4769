import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectError, expectIssue } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import {
  type Accounts,
  bodyOf,
  call,
  logIn,
  newPerson,
  newSession,
  openAccounts,
  PASSWORD,
  type Person,
  post,
  startWithAccounts,
} from './people.ts';

vi.setConfig({ testTimeout: 120_000 });

let accounts: Accounts;
beforeAll(async () => (accounts = await openAccounts({ trustProxy: true })));
afterAll(() => accounts.stop());

let addresses = 0;
const newAddress = (): string => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

const NEXT = 'the password from now on';

const change = (person: Person, body: object, cookie = person.cookie): Promise<Response> =>
  call(accounts, `/api/users/${person.id}`, { method: 'PUT', body, cookie });

const expectWait = async (response: Response): Promise<void> => {
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  await expectError(response, 429, 'too_many_attempts');
};

/** As if all sessions of a user had been opened so long ago. */
const ageSessions = ({ id }: Person, minutes: number): Promise<unknown> =>
  inDatabase(
    accounts.dataDir,
    'UPDATE sessions SET created_at = created_at - ? WHERE user_id = ?',
    minutes * 60_000,
    id,
  );

describe('an own new password', () => {
  it('needs the current one when the sign-in was more than ten minutes ago', async () => {
    const person = await newPerson(accounts, 'user');
    await ageSessions(person, 11);
    await expectIssue(await change(person, { password: NEXT }), '/currentPassword');
    await expectIssue(await change(person, { password: NEXT, currentPassword: 'wrong' }), '/currentPassword');
    await bodyOf(change(person, { name: 'Needs none' }));
    expect((await logIn(accounts, person.username, NEXT)).status).toBe(401);
    await bodyOf(change(person, { password: NEXT, currentPassword: person.password }));
    await newSession(accounts, { username: person.username, password: NEXT });
  });

  it('needs it of Administrators too, but not for others', async () => {
    const administrator = await newPerson(accounts, 'administrator');
    const other = await newPerson(accounts, 'user');
    await ageSessions(administrator, 11);
    await expectIssue(await change(administrator, { password: NEXT }), '/currentPassword');
    await bodyOf(change(other, { password: NEXT }, administrator.cookie));
    await newSession(accounts, { username: other.username, password: NEXT });
  });

  it('does not need it right after the sign-in', async () => {
    const person = await newPerson(accounts, 'user');
    await ageSessions(person, 9);
    await bodyOf(change(person, { password: NEXT }));
  });

  it('lets nobody guess the current one, not even where its owner signed in, and keeps nobody from signing in', async () => {
    const person = await newPerson(accounts, 'user');
    const other = await newPerson(accounts, 'user');
    const answers: Response[] = [];
    for (let count = 0; count < 15; count++) answers.push(await change(person, { currentPassword: `guess ${count}` }));
    expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(11);
    await expectWait(answers.at(-1)!);
    await expectWait(await change(person, { password: NEXT, currentPassword: person.password }));
    await newSession(accounts, person);
    await bodyOf(change(person, { name: 'Still me' }));
    await bodyOf(change(other, { password: NEXT, currentPassword: other.password }));
  });

  it('is not hindered by strangers who guess at the sign-in', async () => {
    const person = await newPerson(accounts, 'user');
    for (let count = 0; count < 30; count++) {
      await logIn(accounts, person.username, `guess ${count}`, from(newAddress()));
    }
    await bodyOf(change(person, { password: NEXT, currentPassword: person.password }));
  });

  it('cannot be had so often that others have to wait', async () => {
    const person = await newPerson(accounts, 'user');
    let { cookie } = person;
    let changes = 0;
    let answer = await change(person, { password: NEXT }, cookie);
    for (; answer.ok && changes < 30; changes++) {
      cookie = answer.headers.getSetCookie()[0]!.split(';', 1)[0]!;
      answer = await change(person, { password: NEXT }, cookie);
    }
    expect(changes).toBeLessThan(30);
    await expectWait(answer);
  });
});

it('a sign-in or a change that finds too many waiting is 503 and does not count', async () => {
  // So costly that passwords come faster than they are looked at, on a busy machine too.
  await using server = await openAccounts({ trustProxy: true, passwordCost: 12, mostWaitingPasswords: 2 });
  const { id, cookie } = server.administrator;
  const crowd = Array.from({ length: 40 }, () => {
    const address = newAddress();
    return logIn(server, `one of ${address}`, PASSWORD, from(address)).then((response) => ({ address, response }));
  });
  await Promise.any(
    crowd.map(async (one) => {
      const { response } = await one;
      if (response.status !== 503) throw new Error('It was looked at');
    }),
  );
  const body = { currentPassword: PASSWORD };
  const changes = await Promise.all(
    Array.from({ length: 8 }, () => call(server, `/api/users/${id}`, { method: 'PUT', body, cookie })),
  );
  for (const { status, headers } of changes) {
    expect([200, 503]).toContain(status);
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }
  const answers = await Promise.all(crowd);
  const keys = (await inDatabase(server.dataDir, 'SELECT key FROM login_attempts')).map(({ key }) => String(key));
  for (const { address, response } of answers) {
    expect([401, 503]).toContain(response.status);
    expect(keys.includes(`address ${address}`), address).toBe(response.status === 401);
  }
  const looked = answers.filter(({ response }) => response.status === 401).length;
  expect(keys.filter((key) => key.startsWith('account '))).toHaveLength(looked);
  const [counted] = await inDatabase(server.dataDir, "SELECT level FROM login_attempts WHERE key LIKE 'change %'");
  expect(Number(counted?.['level'] ?? 0)).toBeLessThanOrEqual(changes.filter(({ ok }) => ok).length);
});

it('a setup counts for its address', async () => {
  await using server = await startWithAccounts({ trustProxy: true });
  const [full, other] = [newAddress(), newAddress()];
  const body = { username: 'first', password: PASSWORD };
  await inDatabase(server.dataDir, "INSERT INTO login_attempts VALUES ('setup ' || ?, 20, ?)", full, Date.now());
  await expectWait(await post(server, '/api/auth/setup', body, { headers: from(full) }));
  await bodyOf(post(server, '/api/auth/setup', body, { headers: from(other) }));
  const keys = (await inDatabase(server.dataDir, 'SELECT key FROM login_attempts')).map(({ key }) => key);
  expect(keys).toContain(`setup ${other}`);
});

describe('a full bucket of an account', () => {
  const fill = async ({ username }: Person): Promise<void> => {
    for (let count = 0; count < 15; count++) await logIn(accounts, username, `guess ${count}`, from(newAddress()));
    await expectWait(await logIn(accounts, username, 'one more', from(newAddress())));
  };

  it('is not emptied by its owner, who signs in from where they always do', async () => {
    const owner = await newPerson(accounts, 'reporter');
    const home = newAddress();
    await newSession(accounts, owner, from(home));
    await fill(owner);
    for (let count = 0; count < 5; count++) await newSession(accounts, owner, from(home));
    await expectWait(await logIn(accounts, owner.username, 'one more', from(newAddress())));
  });

  it('is not washed away by failures from ever new addresses', async () => {
    const owner = await newPerson(accounts, 'user');
    await fill(owner);
    await inDatabase(
      accounts.dataDir,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
       INSERT INTO login_attempts (key, level, changed_at) SELECT 'address made up ' || i, 1, ? FROM n`,
      Date.now(),
    );
    await logIn(accounts, 'someone else', 'wrong', from(newAddress()));
    const [left] = await inDatabase(accounts.dataDir, 'SELECT count(*) AS rows FROM login_attempts');
    expect(Number(left!['rows'])).toBeLessThan(50_000);
    await expectWait(await logIn(accounts, owner.username, 'one more', from(newAddress())));
  });
});

describe('the address of a client', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:DB8:0::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['2001:db8::1%any.text', '2001:db8::1'],
    ['2001:db8::203.0.113.9', '2001:db8::cb00:7109'],
    ['unknown', '127.0.0.1'],
    ['a text of any length '.repeat(200), '127.0.0.1'],
    ['999.0.0.1', '127.0.0.1'],
  ])('that a proxy calls %.40s is an address, written in one way', async (given, expected) => {
    const cookie = await newSession(accounts, accounts.administrator, from(given));
    const { sessions } = await bodyOf<{ sessions: { address: string; current: boolean }[] }>(
      call(accounts, '/api/auth/sessions', { cookie }),
    );
    expect(sessions.find(({ current }) => current)?.address).toBe(expected);
  });
});
