import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type Role, endpoints } from '@assay/contract';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { tryLock } from '../db/folder-lock.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open-database.ts';
import { AppError } from '../errors.ts';
import { createUser, updateUser } from '../features/accounts/change-users.ts';
import { createPasswords } from '../features/accounts/passwords.ts';
import { usernameKey } from '../features/accounts/users.ts';
import { OperatorError } from '../operator-error.ts';
import { createCheck } from '../validation.ts';

const USAGE = `assay-server users list
assay-server users create <username> [--role administrator|reporter|user] [--name <name>] [--password-stdin]
assay-server users reset-password <username> [--password-stdin]

Works on the data folder (SERVICE_DATA_DIR) or the database (SERVICE_DATABASE_URL), whether the service runs or not. Without --password-stdin a password is made
and printed once.
`;

const ACTOR = { userId: null, username: null, address: null, sessionId: null };
const PASSWORD_BYTES = 15;

export interface CommandLine {
  readonly args: readonly string[];
  readonly input: NodeJS.ReadableStream;
  readonly print: (text: string) => void;
}

/** Users from the command line, for the day the last password is lost. */
export const manageUsers = async (config: Config, { args, input, print }: CommandLine): Promise<void> => {
  const { values, positionals } = parse(args);
  const [action, username, ...rest] = positionals;
  if (values.help) return print(USAGE);
  const database = await openStored(config);
  try {
    if (action === 'list' && username === undefined) return print(await listUsers(database));
    if (username === undefined || rest.length > 0) throw new OperatorError(USAGE);
    const password = values['password-stdin'] ? (await text(input)).replace(/\r?\n$/, '') : makePassword();
    const printed = values['password-stdin'] ? '' : ` The password is: ${password}`;
    const work = { config, database, username, password };
    if (action === 'create') {
      await addUser(work, values.role, values.name ?? null);
      return print(`Made ${values.role} ${username}.${printed}\n`);
    }
    if (action === 'reset-password') {
      await resetPassword(work);
      return print(`Changed the password of ${username} and ended their sessions.${printed}\n`);
    }
    throw new OperatorError(USAGE);
  } catch (error) {
    throw error instanceof AppError ? new OperatorError(error.message) : error;
  } finally {
    await database.close();
  }
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        role: { type: 'string', default: 'administrator' },
        name: { type: 'string' },
        'password-stdin': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\n${USAGE}`);
  }
};

const openStored = async ({ dataDir, databaseUrl }: Config): Promise<Database> => {
  if (databaseUrl !== null) {
    const database = await openDatabase({ url: databaseUrl }, { access: 'write' });
    await migrate(database);
    return database;
  }
  const file = join(dataDir, 'assay.db');
  if (!existsSync(file)) throw new OperatorError(`There is no data in ${dataDir}; set SERVICE_DATA_DIR to its folder`);
  const database = await openDatabase({ file }, { access: 'write' });
  // A service that runs has brought it up to date.
  const lock = tryLock(join(dataDir, 'lock'));
  try {
    if (lock) await migrate(database);
  } finally {
    lock?.release();
  }
  return database;
};

const listUsers = async ({ queries }: Database): Promise<string> => {
  const rows = await queries.selectFrom('users').selectAll().orderBy('username_key').execute();
  if (rows.length === 0) return 'There are no users.\n';
  return rows
    .map(({ id, role, username, name }) => `${id}\t${role}\t${shown(username)}\t${shown(name ?? '')}\n`)
    .join('');
};

/** A terminal obeys control characters. */
const shown = (text: string): string => text.replace(/\p{C}/gu, '\uFFFD');

interface Work {
  readonly config: Config;
  readonly database: Database;
  readonly username: string;
  readonly password: string;
}

const checkNewUser = createCheck(endpoints.createUser.body);

const addUser = async ({ config, database, username, password }: Work, role: string, name: string | null) => {
  refuseInvalid({ username, password, role, name });
  const hash = await createPasswords(config).hash(password);
  await database.transaction((transaction) =>
    createUser(transaction, { user: { username, role: role as Role, name, password: hash }, actor: ACTOR }, Date.now()),
  );
};

const resetPassword = async ({ config, database, username, password }: Work): Promise<void> => {
  const user = await database.queries
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey(username))
    .executeTakeFirst();
  if (!user) throw new OperatorError(`There is no user ${username}`);
  refuseInvalid({ username, password, role: 'user' });
  const hash = await createPasswords(config).hash(password);
  await database.transaction((transaction) =>
    updateUser(transaction, { userId: user.id, edit: { password: hash }, session: null, actor: ACTOR }, Date.now()),
  );
};

const refuseInvalid = (user: unknown): void => {
  const checked = checkNewUser(user);
  if (checked.ok) return;
  const [{ path, message }] = checked.issues as [{ path: string; message: string }];
  throw new OperatorError(`${path.slice(1)} ${message}`);
};

const makePassword = (): string => randomBytes(PASSWORD_BYTES).toString('base64url');
