const KNOWN = new Set(
  '200 201 202 204 206 301 302 303 304 307 308 400 401 402 403 404 405 406 408 409 410 412 413 415 422 423 425 429 431 451 500 501 502 503 504 505 507 511'.split(
    ' ',
  ),
);
const SERVER_ERRORS = new Set(['500', '502', '503', '504']);
const ABOUT_HTTP = /\b(?:status|https?|response|request|answered|fetch|get|post|put|patch|delete)\b|<url>/i;
const SAID = /(?:\bgot|answered|returned|responded|respond|with|status|code|was|received|http)\W{1,4}$/i;
const REASON =
  /^\W{1,2}(?:OK|Created|No Content|Bad Request|Unauthorized|Forbidden|Not Found|Conflict|Unprocessable|Too Many|Internal Server|Bad Gateway|Service Unavailable|Gateway Time)/i;
const EXPECTATION = /^(?:(?!\d).)*\b(?:expect(?:ed)?|assert)\b(?:(?!\d).)*\d{3}(?:(?!\d).)+\d{3}(?:(?!\d).)*$/i;

/** Whether a number in an error is an HTTP status code, so that 500 and 503 are two causes. */
export const isStatusCode = (number: string, at: number, text: string): boolean => {
  if (!KNOWN.has(number)) return false;
  const before = text.slice(Math.max(0, at - 40), at);
  if (REASON.test(text.slice(at + number.length))) return true;
  if (SERVER_ERRORS.has(number) && SAID.test(before)) return true;
  if (ABOUT_HTTP.test(text)) return true;
  return EXPECTATION.test(text) && (text.match(/\d{3}/g) ?? []).every((code) => KNOWN.has(code));
};
