import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export const newIdentity = (): string => randomBytes(6).toString('base64url');

/** Makes a copied database that of an installation of its own: pages discard what they know of another one. */
export const giveNewIdentity = (file: string): void => {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  database.prepare('UPDATE installation SET id = ?').run(newIdentity());
  database.close();
};
