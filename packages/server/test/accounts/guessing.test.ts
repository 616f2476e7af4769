import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../conformance/wire.ts';
import { inDatabase } from '../in-database.ts';
import { type Accounts, bodyOf, call, logIn, newPerson, newSession, openAccounts } from './people.ts';

let accounts: Accounts;
beforeAll(async () => (accounts = await openAccounts({ trustProxy: true })));
afterAll(() => accounts.stop());

let addresses = 0;
const newAddress = (): string => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

const PATIENCE = 200;

/** Guesses until it has to wait; answers how many guesses were looked at, and the refusal. */
const guess = async (
  next: (count: number) => { username: string; address: string },
  server: Accounts = accounts,
): Promise<{ tried: number; refusal: Response }> => {
  for (let tried = 0; tried < PATIENCE; tried++) {
    const { username, address } = next(tried);
    const response = await logIn(server, username, `guess number ${tried}`, from(address));
    if (response.status === 429) return { tried, refusal: response };
    await expectError(response, 401, 'invalid_credentials');
  }
  throw new Error(`${PATIENCE} guesses were all looked at`);
};

const secondsIn = (response: Response): number => {
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  return Number(response.headers.get('retry-after'));
};

/** Makes all failures older, as if so much time had passed. */
const pass = (seconds: number): Promise<unknown> =>
  inDatabase(accounts.dataDir, 'UPDATE login_attempts SET changed_at = changed_at - ?', seconds * 1_000);

const forget = (): Promise<unknown> => inDatabase(accounts.dataDir, 'DELETE FROM login_attempts');

describe('guessing one account from one address', () => {
  it('has to wait no longer when the clock is set back', async () => {
    const { username, password } = await newPerson(accounts, 'user');
    const address = newAddress();
    await guess(() => ({ username, address }));
    await pass(-5 * 3_600);
    const seconds = secondsIn(await logIn(accounts, username, password, from(address)));
    await pass(seconds);
    expect((await logIn(accounts, username, password, from(address))).status).toBe(200);
  });

  it('has to wait after some failures, and is told for how long', async () => {
    const { username } = await newPerson(accounts, 'user');
    const address = newAddress();
    const { tried, refusal } = await guess(() => ({ username, address }));
    expect(tried).toBeGreaterThanOrEqual(3);
    expect(secondsIn(refusal)).toBeLessThanOrEqual(3_600);
    expect(refusal.headers.getSetCookie()).toEqual([]);
    await expectError(refusal, 429, 'too_many_attempts');
  });

  it('gets nowhere with the right password while it waits, and in after it', async () => {
    const { username, password } = await newPerson(accounts, 'user');
    const address = newAddress();
    const { refusal } = await guess(() => ({ username, address }));
    const early = await logIn(accounts, username, password, from(address));
    const seconds = secondsIn(early);
    expect(early.headers.getSetCookie()).toEqual([]);
    await expectError(early, 429, 'too_many_attempts');
    await pass(Math.max(seconds, secondsIn(refusal)));
    expect((await logIn(accounts, username, password, from(address))).status).toBe(200);
  });

  it('is forgotten after a day', async () => {
    const { username } = await newPerson(accounts, 'user');
    const address = newAddress();
    const first = await guess(() => ({ username, address }));
    await pass(86_400);
    const second = await guess(() => ({ username, address }));
    expect(second.tried).toBe(first.tried);
  });

  it('is no different for a user who does not exist', async () => {
    const { id, username } = await newPerson(accounts, 'user');
    await inDatabase(accounts.dataDir, 'DELETE FROM known_addresses WHERE user_id = ?', id);
    const [known, unknown] = [newAddress(), newAddress()];
    const real = await guess(() => ({ username, address: known }));
    const made = await guess(() => ({ username: 'nobody of this name', address: unknown }));
    expect(made.tried).toBe(real.tried);
    expect(await made.refusal.json()).toMatchObject({ code: 'too_many_attempts' });
  });

  it('cannot be hurried by asking many at once', async () => {
    // All of them come before the first has been hashed.
    await using server = await openAccounts({ trustProxy: true, passwordCost: 11 });
    const { username } = server.administrator;
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, count) => logIn(server, username, `guess ${count}`, from(address))),
    );
    const looked = answers.filter(({ status }) => status === 401).length;
    const other = newAddress();
    const { tried } = await guess(() => ({ username: 'someone else entirely', address: other }), server);
    // One more may be allowed while the answers come in.
    expect(looked).toBeLessThanOrEqual(tried + 2);
    expect(answers.every(({ status }) => status === 401 || status === 429)).toBe(true);
  });

  it('is one account, however its name is written', async () => {
    const { username } = await newPerson(accounts, 'user');
    const spellings = [username, username.toUpperCase(), username.replace('u', '\uFF55'), username.replace('s', 'S')];
    const plain = await guess(() => ({ username: 'another one again', address: newAddress() }));
    const varied = await guess((count) => ({ username: spellings[count % 4]!, address: newAddress() }));
    expect(varied.tried).toBeLessThanOrEqual(plain.tried);
  });
});

describe('guessing one account from many addresses', () => {
  it('has to wait too', async () => {
    const { username } = await newPerson(accounts, 'user');
    const { refusal } = await guess(() => ({ username, address: newAddress() }));
    secondsIn(refusal);
  });

  it('does not keep its owner out at an address that they signed in from before', async () => {
    const owner = await newPerson(accounts, 'user');
    const home = newAddress();
    await newSession(accounts, owner, from(home));
    for (let count = 0; count < 30; count++) {
      await logIn(accounts, owner.username, `guess ${count}`, from(newAddress()));
    }
    const stranger = await logIn(accounts, owner.username, owner.password, from(newAddress()));
    expect(stranger.status).toBe(429);
    const cookies = [1, 2, 3].map(() => newSession(accounts, owner, from(home)));
    expect(await Promise.all(cookies)).toHaveLength(3);
  });

  const attack = async (username: string): Promise<void> => {
    for (let count = 0; count < 30; count++) {
      await logIn(accounts, username, `guess ${count}`, from(newAddress()));
    }
  };

  it('does not keep the first Administrator out at the address of the setup', async () => {
    await attack(accounts.administrator.username);
    await newSession(accounts, accounts.administrator);
  });

  it('does not keep its owner out at the address where they changed their password', async () => {
    const { id, username, cookie } = await newPerson(accounts, 'user');
    const password = 'changed under attack';
    await bodyOf(call(accounts, `/api/users/${id}`, { method: 'PUT', body: { password }, cookie }));
    await attack(username);
    await newSession(accounts, { username, password });
  });

  it('does not end the sessions of its owner, nor keep others out', async () => {
    const [victim, other] = [await newPerson(accounts, 'user'), await newPerson(accounts, 'user')];
    await guess(() => ({ username: victim.username, address: newAddress() }));
    await newSession(accounts, other, from(newAddress()));
    const response = await fetch(`${accounts.url}/api/auth/sessions`, { headers: { cookie: victim.cookie } });
    expect(response.status).toBe(200);
  });

  it('never keeps an owner at a new address waiting for longer than some minutes', async () => {
    const owner = await newPerson(accounts, 'user');
    for (let count = 0; count < 30; count++) {
      await logIn(accounts, owner.username, `guess ${count}`, from(newAddress()));
    }
    const refusal = await logIn(accounts, owner.username, owner.password, from(newAddress()));
    if (refusal.status === 429) expect(secondsIn(refusal)).toBeLessThanOrEqual(900);
  });
});

describe('guessing many accounts from one address', () => {
  it('has to wait too, and others do not', async () => {
    const address = newAddress();
    const { refusal } = await guess((count) => ({ username: `sprayed ${count}`, address }));
    secondsIn(refusal);
    const person = await newPerson(accounts, 'user');
    await newSession(accounts, person, from(newAddress()));
  });

  it('gains nothing by an X-Forwarded-For that nobody trusts', async () => {
    await using server = await openAccounts({ trustProxy: false });
    await guess((count) => ({ username: `sprayed ${count}`, address: newAddress() }), server);
  });

  it('gains nothing by an X-Forwarded-For before the one of the proxy', async () => {
    await using server = await openAccounts({ trustProxy: 1 });
    const address = newAddress();
    await guess((count) => ({ username: `sprayed ${count}`, address: `${newAddress()}, ${address}` }), server);
    await newSession(server, server.administrator, from(`${address}, ${newAddress()}`));
  });

  it('gains nothing by the many addresses of one IPv6 network', async () => {
    const address = (count: number): string => `2001:db8:1:2:${(count + 1).toString(16)}::${count + 1}`;
    await guess((count) => ({ username: `sprayed over six ${count}`, address: address(count) }));
  });
});

describe('a right password', () => {
  it('after fewer failures than the limit signs in', async () => {
    const person = await newPerson(accounts, 'user');
    const address = newAddress();
    for (const wrong of ['one', 'two']) {
      await expectError(await logIn(accounts, person.username, wrong, from(address)), 401, 'invalid_credentials');
    }
    await newSession(accounts, person, from(address));
  });

  it('is never slowed, however often it is used', async () => {
    const person = await newPerson(accounts, 'reporter');
    const address = newAddress();
    for (let count = 0; count < 25; count++) await newSession(accounts, person, from(address));
  });
});

describe('what is remembered of failures', () => {
  const rows = async (): Promise<number> =>
    Number((await inDatabase(accounts.dataDir, 'SELECT count(*) AS count FROM login_attempts'))[0]!['count']);

  it('has no names, passwords or texts of any length', async () => {
    await forget();
    await logIn(accounts, 'n'.repeat(50_000), 'a password to look for', from(newAddress()));
    await logIn(accounts, 'a-name-to-look-for', 'a password to look for', from(newAddress()));
    for (const row of await inDatabase(accounts.dataDir, 'SELECT * FROM login_attempts')) {
      expect(JSON.stringify(row)).not.toContain('a password to look for');
      expect(JSON.stringify(row).length).toBeLessThan(500);
    }
  });

  it('goes away when it is old', async () => {
    await forget();
    for (let count = 0; count < 10; count++) await logIn(accounts, `gone ${count}`, 'wrong', from(newAddress()));
    const before = await rows();
    expect(before).toBeGreaterThan(0);
    await inDatabase(accounts.dataDir, 'UPDATE login_attempts SET changed_at = 0');
    for (let count = 0; count < 10; count++) await logIn(accounts, `next ${count}`, 'wrong', from(newAddress()));
    expect(await rows()).toBeLessThanOrEqual(before * 1.5);
  });

  it('is bounded, however many names and addresses there are', async () => {
    const ROWS = 60_000;
    await forget();
    await inDatabase(
      accounts.dataDir,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
       INSERT INTO login_attempts (key, level, changed_at) SELECT 'made up ' || i, 5, ? FROM n`,
      Date.now(),
    );
    await logIn(accounts, 'one of many', 'x', from(newAddress()));
    expect(await rows()).toBeLessThan(ROWS);
    await forget();
  });
});

describe('known addresses', () => {
  it('of one user are bounded', async () => {
    const person = await newPerson(accounts, 'user');
    await inDatabase(
      accounts.dataDir,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
       INSERT INTO known_addresses (user_id, address, seen_at) SELECT ?, 'made up ' || i, i FROM n`,
      person.id,
    );
    await newSession(accounts, person, from(newAddress()));
    const known = await inDatabase(accounts.dataDir, 'SELECT * FROM known_addresses WHERE user_id = ?', person.id);
    expect(known.length).toBeLessThanOrEqual(100);
  });
});
