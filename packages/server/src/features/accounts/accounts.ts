import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { Writer } from '../../writer/writer.ts';
import { type Identifier, createIdentifier } from './caller.ts';
import { type Passwords, createPasswords } from './passwords.ts';
import { type CookieSealer, createCookieSealer } from './session-cookie.ts';

/** What accounts need beyond the database. */
export interface Accounts {
  readonly passwords: Passwords;
  /** Null when authentication is off. */
  readonly cookies: CookieSealer | null;
  readonly identifier: Identifier;
}

export const openAccounts = (config: Config, database: Database, writer: Writer): Accounts => {
  const { authEnabled, authSecrets } = config;
  const cookies = authEnabled ? createCookieSealer(authSecrets) : null;
  return {
    passwords: createPasswords(config),
    cookies,
    identifier: createIdentifier(database, writer, cookies),
  };
};
