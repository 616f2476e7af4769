import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id } from './ids.ts';
import { Maybe, Nullable, Time } from './schema.ts';

export const Role = Type.Union([Type.Literal('administrator'), Type.Literal('reporter'), Type.Literal('user')]);
export type Role = Static<typeof Role>;

export const User = Type.Object(
  { id: Id, username: Type.String(), role: Role, name: Nullable(Type.String()) },
  { title: 'User' },
);
export type User = Static<typeof User>;

const LONGEST_USERNAME = 64;
const LONGEST_PASSWORD = 256;

const Username = Type.String({
  minLength: 3,
  maxLength: LONGEST_USERNAME,
  pattern: '^[^\\s\\p{C}](?:[^\\p{C}]*[^\\s\\p{C}])?$',
  description: '3 to 64 characters; capital and small letters are the same',
});
/** A text that is no Unicode would be hashed like others. */
const Password = Type.String({ minLength: 8, maxLength: LONGEST_PASSWORD, pattern: '^\\P{Cs}*$' });
const DisplayName = Maybe(Type.String({ maxLength: 200, pattern: '^\\P{C}*$' }));

const SessionStatus = Type.Union([
  Type.Object({ authenticated: Type.Literal(false), user: Type.Null() }),
  Type.Object({ authenticated: Type.Literal(true), user: User }),
]);
const Done = Type.Object({ success: Type.Literal(true) });
const SignedIn = Type.Object({ success: Type.Literal(true), user: User });

export const Session = Type.Object(
  {
    id: Id,
    createdAt: Time,
    expiresAt: Time,
    address: Type.String({ description: 'Where it was opened from' }),
    userAgent: Nullable(Type.String()),
    current: Type.Boolean({ description: 'Whether it is the one that asks' }),
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

export const authEndpoints = {
  getSession: endpoint({
    method: 'GET',
    path: '/api/auth/me',
    access: 'public',
    group: 'Authentication',
    summary: 'Who is signed in',
    reply: SessionStatus,
    errors: [],
  }),
  setUp: endpoint({
    method: 'POST',
    path: '/api/auth/setup',
    access: 'public',
    group: 'Authentication',
    summary: 'Make the first Administrator',
    description: 'Only while no user exists.',
    body: Type.Object({ username: Username, password: Password, name: DisplayName }),
    reply: SignedIn,
    errors: [
      'invalid_body',
      'authentication_disabled',
      'setup_done',
      'cross_site_request',
      'too_many_attempts',
      'unavailable',
    ],
  }),
  logIn: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    group: 'Authentication',
    summary: 'Sign in',
    description: 'Sets the session cookie.',
    // Strangers send these: it takes long to normalise a long text.
    body: Type.Object({
      username: Type.String({ maxLength: LONGEST_USERNAME }),
      password: Type.String({ maxLength: LONGEST_PASSWORD }),
    }),
    reply: SignedIn,
    errors: [
      'invalid_body',
      'authentication_disabled',
      'invalid_credentials',
      'cross_site_request',
      'too_many_attempts',
      'unavailable',
    ],
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'signed-in',
    group: 'Authentication',
    summary: 'The sessions of the user who asks',
    reply: Type.Object({ sessions: Type.Array(Session) }),
    errors: ['authentication_disabled'],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    access: 'signed-in',
    group: 'Authentication',
    summary: 'End one of these sessions',
    params: Type.Object({ id: Id }),
    reply: Done,
    errors: ['invalid_id', 'authentication_disabled', 'session_not_found', 'cross_site_request'],
  }),
  logOut: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    group: 'Authentication',
    summary: 'End the session',
    reply: Done,
    errors: ['authentication_disabled', 'cross_site_request'],
  }),
};

export const ApiKey = Type.Object(
  {
    id: Id,
    name: Type.String(),
    keyPrefix: Type.String(),
    createdAt: Time,
    lastUsedAt: Nullable(Time),
    expiresAt: Nullable(Time),
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object(
  { id: Id, key: Type.String(), prefix: Type.String(), name: Type.String(), expiresAt: Nullable(Time) },
  { title: 'NewApiKey' },
);
export type NewApiKey = Static<typeof NewApiKey>;

export const UserChange = Type.Object({
  name: DisplayName,
  password: Type.Optional(Password),
  currentPassword: Type.Optional(
    Type.String({
      maxLength: LONGEST_PASSWORD,
      description: 'Needed beside an own new password when the sign-in was more than 10 minutes ago; checked when sent',
    }),
  ),
  role: Type.Optional(Role),
});
export type UserChange = Static<typeof UserChange>;

const KeyName = Type.String({ minLength: 1, maxLength: 200, pattern: '^\\P{C}*[^\\s\\p{C}]\\P{C}*$' });

const userParams = Type.Object({ id: Id });

export const userEndpoints = {
  listUsers: endpoint({
    method: 'GET',
    path: '/api/users',
    access: 'public',
    group: 'Users',
    summary: 'Users',
    description: 'An Administrator sees all, others only themselves, nobody without a session.',
    reply: Type.Object({ users: Type.Array(User), authEnabled: Type.Boolean() }),
    errors: [],
  }),
  createUser: endpoint({
    method: 'POST',
    path: '/api/users',
    access: 'administrator',
    group: 'Users',
    summary: 'Make a user',
    body: Type.Object({ username: Username, password: Password, role: Role, name: DisplayName }),
    reply: Type.Object({ success: Type.Literal(true), user: User }),
    errors: ['invalid_body', 'username_taken'],
  }),
  updateUser: endpoint({
    method: 'PUT',
    path: '/api/users/{id}',
    access: 'owner',
    group: 'Users',
    summary: 'Change a user',
    description: 'Everyone may change their own name and password; Administrators also roles.',
    params: userParams,
    body: UserChange,
    reply: Type.Object({ success: Type.Literal(true), user: User }),
    errors: [
      'invalid_id',
      'invalid_body',
      'user_not_found',
      'last_administrator',
      'insufficient_permissions',
      'too_many_attempts',
      'unavailable',
    ],
  }),
  deleteUser: endpoint({
    method: 'DELETE',
    path: '/api/users/{id}',
    access: 'administrator',
    group: 'Users',
    summary: 'Delete a user',
    params: userParams,
    reply: Done,
    errors: ['invalid_id', 'user_not_found', 'last_administrator'],
  }),
  listApiKeys: endpoint({
    method: 'GET',
    path: '/api/users/{id}/api-keys',
    access: 'owner',
    group: 'Users',
    summary: 'The API keys of a user',
    params: userParams,
    reply: Type.Object({ apiKeys: Type.Array(ApiKey) }),
    errors: ['invalid_id', 'user_not_found'],
  }),
  createApiKey: endpoint({
    method: 'POST',
    path: '/api/users/{id}/api-keys',
    access: 'administrator',
    group: 'Users',
    summary: 'Make an API key',
    description: 'The key is shown this once.',
    params: userParams,
    body: Type.Object({ name: KeyName, expiresAt: Maybe(Type.String()) }),
    reply: NewApiKey,
    errors: ['invalid_id', 'invalid_body', 'user_not_found'],
  }),
  revokeApiKey: endpoint({
    method: 'DELETE',
    path: '/api/users/{id}/api-keys/{keyId}',
    access: 'owner',
    group: 'Users',
    summary: 'Revoke an API key',
    params: Type.Object({ id: Id, keyId: Id }),
    reply: Done,
    errors: ['invalid_id', 'api_key_not_found'],
  }),
};
