import type { NewApiKey, Role, User } from '@assay/contract';
import { expect } from 'vitest';
import { inDatabase } from '../in-database.ts';
import { startShared, startTestServer, type TestServer } from '../server.ts';
import type { Config } from '../tested-service.ts';

export const SECRET = 'the secret of the tests: 0123456789abcdef';
export const PASSWORD = 'correct horse battery staple';
export const QUICK_COST = 6;

export interface Request {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly cookie?: string | undefined;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request with these credentials and nothing that a browser would add. */
export const call = (server: { readonly url: string }, path: string, request: Request = {}): Promise<Response> => {
  const headers = new Headers(request.headers);
  if (request.cookie !== undefined) headers.set('cookie', request.cookie);
  if (request.key !== undefined) headers.set('authorization', `Bearer ${request.key}`);
  const init: RequestInit = { method: request.method ?? 'GET', headers, redirect: 'manual' };
  if (request.body instanceof FormData) init.body = request.body;
  else if (request.body !== undefined) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(request.body);
  }
  return fetch(new URL(path, server.url), init);
};

export const post = (server: { readonly url: string }, path: string, body?: unknown, rest: Request = {}) =>
  call(server, path, { ...rest, method: 'POST', body });

export const bodyOf = async <T>(answer: Response | Promise<Response>): Promise<T> => {
  const response = await answer;
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as T;
};

export interface Person extends User {
  readonly password: string;
  readonly cookie: string;
}

export interface Accounts extends TestServer {
  readonly administrator: Person;
}

const WITH_ACCOUNTS = { authEnabled: true, authSecrets: [SECRET], passwordCost: QUICK_COST };

export const startWithAccounts = async (overrides: Partial<Config> = {}): Promise<TestServer> =>
  startTestServer({ ...WITH_ACCOUNTS, ...overrides });

/** A service with authentication and its first Administrator. */
export const openAccounts = async (overrides: Partial<Config> = {}): Promise<Accounts> => {
  return setUpAccounts(await startWithAccounts(overrides));
};

/** The same of one that is running, where nobody is yet. */
export const setUpAccounts = async (server: TestServer): Promise<Accounts> => {
  const username = 'first-administrator';
  const response = await post(server, '/api/auth/setup', { username, password: PASSWORD, name: 'First' });
  const { user } = await bodyOf<{ user: User }>(response.clone());
  return { ...server, administrator: { ...user, password: PASSWORD, cookie: cookieOf(response) } };
};

let shared: Promise<Accounts> | null = null;

/**
 * One for all test files of a process, each of which has users of its own. All of them sign in from one address, so what
 * the file before has failed at is forgotten.
 */
export const sharedAccounts = async (): Promise<Accounts> => {
  const accounts = await (shared ??= startShared(WITH_ACCOUNTS).then(setUpAccounts));
  await inDatabase(accounts.dataDir, 'DELETE FROM login_attempts');
  return accounts;
};

/** What a browser would send back. */
export const cookieOf = (response: Response): string => {
  const cookies = response.headers.getSetCookie();
  expect(cookies).toHaveLength(1);
  return cookies[0]!.split(';')[0]!;
};

export const logIn = (
  server: { readonly url: string },
  username: string,
  password: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> => post(server, '/api/auth/login', { username, password }, { headers });

export const newSession = async (
  server: { readonly url: string },
  person: { readonly username: string; readonly password: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const response = await logIn(server, person.username, person.password, headers);
  expect(response.status, await response.clone().text()).toBe(200);
  return cookieOf(response);
};

let people = 0;

/** A user that no other test knows, signed in. */
export const newPerson = async (accounts: Accounts, role: Role): Promise<Person> => {
  const person = { username: `${role}-${++people}`, password: `password of number ${people}` };
  const body = { ...person, role };
  const { user } = await bodyOf<{ user: User }>(
    post(accounts, '/api/users', body, { cookie: accounts.administrator.cookie }),
  );
  return { ...user, password: person.password, cookie: await newSession(accounts, person) };
};

export const newKey = (accounts: Accounts, userId: number, body: object = { name: 'CI' }): Promise<NewApiKey> =>
  bodyOf(post(accounts, `/api/users/${userId}/api-keys`, body, { cookie: accounts.administrator.cookie }));

export const isSignedIn = async (server: { readonly url: string }, cookie: string): Promise<boolean> => {
  const session = await bodyOf<{ authenticated: boolean }>(call(server, '/api/auth/me', { cookie }));
  return session.authenticated;
};
