const KNOWN = new Set(
  '200 201 202 204 206 301 302 303 304 307 308 400 401 402 403 404 405 406 408 409 410 412 413 415 422 423 425 429 431 451 500 501 502 503 504 505 507 511'.split(
    ' ',
  ),
);
const SERVER_ERRORS = new Set(['500', '502', '503', '504']);
const ABOUT_HTTP =
  /\b(?:status|https?|answered|responded|respon[ds]e code)\b|\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) [/\w<]/i;
/** Part of a route, an id or a quantity, or the value of something else. */
const PART_BEFORE = /[\w/#@.-]$|(?:^|[\s,({])(?!(?:status|code|statuscode|failed|http|response)\b)[a-z_]+[:=] ?$/i;
const PART_AFTER = /^(?:[\w/-]|[.:]\d| ?(?:[mµ]?s|seconds?|minutes?|bytes|[KMG]i?B|%|rows?|items?|times)(?!\w))/;
const SAID = /(?:\bgot|answered|returned|responded|respond|with|status|code|http)\W{1,4}$/i;
const REASON =
  /^\W{1,2}(?:OK|Created|No Content|Bad Request|Unauthorized|Forbidden|Not Found|Conflict|Unprocessable|Too Many|Internal Server|Bad Gateway|Service Unavailable|Gateway Time)/i;
const COMPARISON = /\b(?:expect(?:ed)?|assert|want)\b/i;
const FREE_NUMBER = /(?<![\w.])\d+(?![\w.])/g;

/** Whether a number in an error is an HTTP status code, so that 500 and 503 are two causes. */
export const isStatusCode = (number: string, at: number, text: string): boolean => {
  if (!KNOWN.has(number)) return false;
  const before = text.slice(Math.max(0, at - 40), at);
  const after = text.slice(at + number.length, at + number.length + 40);
  if (REASON.test(after)) return true;
  const compared = COMPARISON.test(text) ? (text.match(FREE_NUMBER) ?? []) : [];
  if (compared.length > 1 && compared.every((other) => KNOWN.has(other))) return true;
  if (PART_BEFORE.test(before) || PART_AFTER.test(after)) return false;
  return ABOUT_HTTP.test(text) || (SERVER_ERRORS.has(number) && SAID.test(before) && !COMPARISON.test(text));
};
