import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The query parameter by which a page of a report shows that it is one. */
export const REPORT_KEY_PARAMETER = 'report-key';

/** Any page may load these from anywhere, so that nothing is kept secret by refusing them to modules and fonts. */
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

/** The headers that let the pages of a report read one of its files; `givenKey` came with the request. */
export const reportCors = (
  contentType: string,
  givenKey: string | null | undefined,
  expectedKey: string,
): Record<string, string> =>
  LOADABLE.test(contentType) || isSame(givenKey ?? '', expectedKey) ? { 'access-control-allow-origin': '*' } : {};

const isSame = (given: string, expected: string): boolean => {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
};
