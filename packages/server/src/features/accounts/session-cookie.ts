import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export const SESSION_MS = 7 * 24 * 60 * 60 * 1000;
export const TOKEN_BYTES = 32;

/** A browser takes a name with this prefix only from the host itself: no neighbour can put its own cookie in the place. */
const cookieName = (secure: boolean): string => (secure ? '__Host-assay_session' : 'assay_session');
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 6;
const KEY_NAME_BYTES = 4;
/** Change this when the sealed content changes: older cookies then become invalid. */
const PURPOSE = 'assay session cookie 1';

/** What a cookie says; the database decides whether it is still so. */
export interface SessionTicket {
  readonly sessionId: number;
  readonly token: Buffer;
}

export interface CookieSealer {
  seal(ticket: SessionTicket): string;
  /** Null for anything that was not sealed here. */
  open(sealed: string): SessionTicket | null;
}

/** Seals with the first secret and opens with any, so that a secret can be replaced without ending all sessions. */
export const createCookieSealer = (secrets: readonly string[]): CookieSealer => {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, 32)));
  const byName = new Map(keys.map((key) => [nameOf(key), key]));
  const [current] = keys;
  return {
    seal({ sessionId, token }) {
      const plain = Buffer.alloc(ID_BYTES + TOKEN_BYTES);
      plain.writeUIntBE(sessionId, 0, ID_BYTES);
      token.copy(plain, ID_BYTES);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current!, nonce).setAAD(Buffer.from(PURPOSE));
      const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return `${nameOf(current!)}.${sealed.toString('base64url')}`;
    },
    open(text) {
      const [name = '', body = '', ...rest] = text.split('.');
      if (rest.length > 0) return null;
      const key = byName.get(name);
      const sealed = Buffer.from(body, 'base64url');
      if (!key || sealed.length !== NONCE_BYTES + ID_BYTES + TOKEN_BYTES + TAG_BYTES) return null;
      // Base64 has several ways to write the last bits; only the one that was given out is taken.
      if (sealed.toString('base64url') !== body) return null;
      try {
        const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
          .setAAD(Buffer.from(PURPOSE))
          .setAuthTag(sealed.subarray(-TAG_BYTES));
        const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
        return { sessionId: plain.readUIntBE(0, ID_BYTES), token: plain.subarray(ID_BYTES) };
      } catch {
        return null;
      }
    },
  };
};

const nameOf = (key: Buffer): string =>
  createHash('sha256').update(key).digest().subarray(0, KEY_NAME_BYTES).toString('hex');

export const hashToken = (token: Buffer | string): Buffer => createHash('sha256').update(token).digest();

/** The value of our cookie in a `Cookie` header. */
export const readSessionCookie = (header: string | undefined, secure: boolean): string | null => {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    if (equals !== -1 && pair.slice(0, equals).trim() === cookieName(secure))
      return pair.slice(equals + 1).trim() || null;
  }
  return null;
};

/** A `Set-Cookie` header; without a value it takes the cookie back. */
export const writeSessionCookie = (value: string | null, secure: boolean): string =>
  [
    `${cookieName(secure)}=${value ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${value === null ? 0 : SESSION_MS / 1000}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
