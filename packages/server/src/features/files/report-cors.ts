import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The query parameter by which a page of a report shows that it is one. */
export const REPORT_KEY_PARAMETER = 'report-key';

/** What pages load as modules and fonts, with addresses that nothing can add a key to. */
const LOADABLE = /^(?:text\/javascript|application\/javascript|text\/css|application\/wasm|font\/)/i;

const SECRET_BYTES = 32;
/** Apart from what sessions are sealed with. */
const PURPOSE = 'assay report key 1';

/** The same on every replica and after every start where there is a secret to derive it from. */
export const reportSecret = ([authSecret]: readonly string[]): Buffer =>
  authSecret === undefined
    ? randomBytes(SECRET_BYTES)
    : Buffer.from(hkdfSync('sha256', authSecret, '', PURPOSE, SECRET_BYTES));

/**
 * What the pages of a report are given to fetch the files of the same report. In their sandbox they have no origin, as
 * has a sandboxed frame of any website and a hostile report beside them; nothing that a browser sends tells them apart.
 */
export const reportKey = (secret: Buffer | string, baseUrlPath: string): string =>
  createHmac('sha256', secret).update(`report ${baseUrlPath}`).digest('base64url').slice(0, 22);

export interface FileRequest {
  /** As the browser says it; a page in a sandbox is `null`. */
  readonly origin: string | undefined;
  readonly key: string | null;
}

/** The headers that let the pages of a report, which have no origin, read one of its files; for nobody else there are none. */
export const reportCors = (
  contentType: string,
  { origin, key }: FileRequest,
  expectedKey: string,
): Record<string, string> => {
  const mayRead = origin === 'null' && (LOADABLE.test(contentType) || isSame(key ?? '', expectedKey));
  return mayRead ? { 'access-control-allow-origin': 'null', vary: 'origin' } : { vary: 'origin' };
};

const isSame = (given: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
};
