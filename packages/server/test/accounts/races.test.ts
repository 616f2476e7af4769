import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inDatabase } from '../in-database.ts';
import { newFolder } from '../robustness/service-process.ts';
import {
  type Accounts,
  bodyOf,
  call,
  cookieOf,
  isSignedIn,
  logIn,
  newPerson,
  openAccounts,
  type Person,
  startWithAccounts,
} from './people.ts';

const ROUNDS = 4;
const NEW = 'the password from now on';

const change = (server: Accounts, { id }: Person): Promise<Response> =>
  call(server, `/api/users/${id}`, {
    method: 'PUT',
    body: { password: NEW },
    cookie: server.administrator.cookie,
  });

let addresses = 0;
/** From an address of its own, so that failures of others do not slow it. */
const logInAs = (server: Accounts, { username }: Person, password: string): Promise<Response> =>
  logIn(server, username, password, { 'x-forwarded-for': `10.0.${++addresses >> 8}.${addresses & 255}` });

/** Logins that are under way while something happens, and the cookies that they got. */
const during = async (server: Accounts, person: Person, act: () => Promise<Response>): Promise<string[]> => {
  const logins = Array.from({ length: 4 }, () => logInAs(server, person, person.password));
  const [done, ...answers] = await Promise.all([act(), ...logins]);
  await bodyOf(done);
  return answers.filter(({ status }) => status === 200).map(cookieOf);
};

const survivors = async (server: Accounts, cookies: string[]): Promise<number> =>
  (await Promise.all(cookies.map((cookie) => isSignedIn(server, cookie)))).filter(Boolean).length;

describe('a login that is under way', () => {
  let server: Accounts;
  beforeAll(async () => (server = await openAccounts({ trustProxy: true })));
  afterAll(() => server.stop());

  it('gives no session that outlives a change of the password', async () => {
    let alive = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const person = await newPerson(server, 'user');
      alive += await survivors(server, await during(server, person, () => change(server, person)));
    }
    expect(alive).toBe(0);
  });

  it('gives no session that outlives its user', async () => {
    const { cookie } = server.administrator;
    for (let round = 0; round < ROUNDS; round++) {
      const person = await newPerson(server, 'user');
      const remove = () => call(server, `/api/users/${person.id}`, { method: 'DELETE', cookie });
      expect(await survivors(server, await during(server, person, remove))).toBe(0);
      expect(await inDatabase(server.dataDir, 'SELECT id FROM sessions WHERE user_id = ?', person.id)).toEqual([]);
    }
  });

  it('gives no session with the role from before a demotion', async () => {
    const { administrator } = server;
    for (let round = 0; round < ROUNDS; round++) {
      const person = await newPerson(server, 'administrator');
      const demote = () =>
        call(server, `/api/users/${person.id}`, {
          method: 'PUT',
          body: { role: 'user' },
          cookie: administrator.cookie,
        });
      for (const cookie of await during(server, person, demote)) {
        expect([401, 403]).toContain((await call(server, '/api/admin/stats', { cookie })).status);
      }
    }
  });

  it('does not bring the old password back when it hashes it anew', async () => {
    using folder = newFolder();
    const people: Person[] = [];
    let administrator: Person;
    {
      await using server = await openAccounts({ dataDir: folder.path, passwordCost: 9, trustProxy: true });
      for (let round = 0; round < ROUNDS; round++) people.push(await newPerson(server, 'user'));
      ({ administrator } = server);
    }
    await using dear = await startWithAccounts({ dataDir: folder.path, passwordCost: 10, trustProxy: true });
    const server: Accounts = { ...dear, administrator };
    const opened: object[] = [];
    for (const person of people) {
      await during(server, person, () => change(server, person));
      const [byNew, byOld] = [await logInAs(server, person, NEW), await logInAs(server, person, person.password)];
      opened.push({ byNew: byNew.status, byOld: byOld.status });
    }
    expect(opened).toEqual(people.map(() => ({ byNew: 200, byOld: 401 })));
  });
});
