import { randomBytes } from 'node:crypto';
import type { Caller } from '../../http/endpoint.ts';
import type { NewSession } from './change-sessions.ts';
import { TOKEN_BYTES, hashToken } from './session-cookie.ts';

/** A session to be opened: the token goes into the cookie, its hash into the database. */
export const newSession = ({ address, userAgent }: Caller): { token: Buffer; session: NewSession } => {
  const token = randomBytes(TOKEN_BYTES);
  return { token, session: { tokenHash: hashToken(token), address, userAgent } };
};
