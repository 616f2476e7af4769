import { isStatusCode } from './status-codes.ts';

/*
 * What differs between errors of one cause becomes `<*>`. All kinds of values have one mark: a hash may be all digits, a
 * time may be 980 ms or 1.2 s. Every pattern is linear in the text, or bounded in what it looks at.
 */

/** Folders that differ from machine to machine; other paths with slashes are mostly routes. */
const FOLDER = String.raw`(?:home|Users|root|tmp|private|var|builds|workspace|__w|github|opt|srv|mnt|usr|etc)[\\/]`;
const ROOT = String.raw`(?:[A-Za-z]:[\\/]|[\\/]${FOLDER})`;
const ROOT_SIGN = new RegExp(String.raw`[\\/](?:${FOLDER}|(?<=\b[A-Za-z]:.))`);
const QUOTED_PATH = new RegExp(String.raw`(["'\`])(${ROOT}[^"'\`\n]*)\1`, 'g');
const PATH = new RegExp(String.raw`(?<![\w.])${ROOT}[^\s"'\`:,;()<>|]*`, 'g');
const TEMPORARY = /^(?:[\\/]private)?[\\/](?:tmp|var[\\/]folders)[\\/]|[\\/]Temp[\\/]/;

const QUERY = /\?[\w-]{1,40}=[^\s"'`<>)\]]*|(?<=:\/\/[^\s"'`<>)\]?#]{1,200})[?#][^\s"'`<>)\]]*/g;

/** Nouns whose name in quotes is data; after others, such as `key` or `module`, it is what the error is about. */
const NAMED =
  /\b(user|username|customer|account|member|owner|person|guest|product|article|item|order|tenant|company|email)(s?:? )("[^"]{1,80}"|'[^']{1,80}'(?!\w))/gi;

/** What was read and is not what it should be. */
const READ =
  /\b((?:invalid (?:literal|input|value|number|date)|could not convert)[^'":]{0,60}: )("[^"]{1,80}"|'[^']{1,80}')/gi;

const UUID = /(?<![A-Za-z\d])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![A-Za-z\d])/gi;
const JWT = /\beyJ[\w-]{10,}(?:\.[\w-]+){0,2}/g;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
/** Sixteen or more characters, written out: counting them takes twice as long. */
const LONG_TOKEN = new RegExp(String.raw`${'[\\w+/-]'.repeat(16)}[\w+/-]*={0,2}`, 'g');
const HEX = /(?<![A-Za-z\d])(?:0x[\da-f]+|[a-f]\d+|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{6,})(?![A-Za-z\d])/gi;
const IDENTITY = /(?<=[\w$\])])@[\da-f]{4,16}\b/g;
const POD = /-(?<=[a-z]-)[a-z\d]{8,10}-[a-z\d]{5}(?![a-z\d-])/g;
const WORD_WITH_DIGITS = /(?<![A-Za-z\d])(?=[A-Za-z]*\d)[A-Za-z\d]{6,}(?![A-Za-z\d])/g;
const ADDRESS = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)|(?<![\w:])::1?(?=[:\s\]]|$)/g;
const NUMBER = /(?<![A-Za-z\d)\]>]-?)-?\d+(?:[.,:]\d+)*(?:e[+-]?\d+)?|\d+(?:[.,:]\d+)*/gi;
const UNIT =
  /<\*> ?(?:[mµun]?s|secs?|seconds?|millis(?:econds?)?|m|mins?|minutes?|h|hours?|days?|[KMGT]i?B|kB|bytes?|B|%)(?![A-Za-z\d])/g;
const MONTH_SIGN = /(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6},? (?=<\*>)/;
const DAY = new RegExp(String.raw`(?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?\b${MONTH_SIGN.source}`, 'g');
const INSTANT = /<\*>T<\*>Z?/g;
const PLURAL =
  /<\*> (item|row|line|file|record|element|node|result|test|spec|call|argument|error|failure|problem|expectation|user|order|time)s\b/g;
const ITEMS = /('[^']{0,40}<\*>[^']{0,40}'|"[^"]{0,40}<\*>[^"]{0,40}")(?:, \1)+/g;
// oxlint-disable-next-line no-control-regex
const BLANKS = /[\s\u0000-\u001f\u007f]+/g;
const VALUES = /<\*>(?:[\s,.:;/_+-]{0,3}<\*>)+/g;

/** The file of a path; of a temporary one only when it is one. */
const nameIn = (path: string): string => {
  const name = path.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  return TEMPORARY.test(path) && !/\.\w{1,8}$/.test(name) ? '<*>' : `<*>/${name}`;
};

type Replace = (found: string, ...rest: (string | number)[]) => string;

/** In order. A rule is tried where its sign is in the text, which is quicker to see. */
const RULES: readonly (readonly [sign: RegExp, pattern: RegExp, to: string | Replace])[] = [
  [/\?/, QUERY, ''],
  [ROOT_SIGN, QUOTED_PATH, (_, quote, path) => `${quote}${nameIn(String(path))}${quote}`],
  [ROOT_SIGN, PATH, nameIn],
  [/-[\da-f]{4}-/i, UUID, '<*>'],
  [/eyJ/, JWT, '<*>'],
  [/-/, POD, '-<*>'],
  [/@/, EMAIL, '<*>'],
  [/ ["']/, NAMED, '$1$2<*>'],
  [/: ["']/, READ, '$1<*>'],
  [/[\w+/-]/, LONG_TOKEN, (token) => (isDrawn(token) ? '<*>' : token)],
  [/@/, IDENTITY, '@<*>'],
  [/\d(?:[a-fx]|(?<=[a-f].))/i, HEX, '<*>'],
  [/\d(?:[A-Za-z]+\d|(?<=[A-Za-z].)\d*[A-Za-z])/, WORD_WITH_DIGITS, (word) => (isMixed(word) ? '<*>' : word)],
  [/\.\d|::/, ADDRESS, '<*>'],
  [/\d/, NUMBER, (number, at, whole) => (isName(number, Number(at), String(whole)) ? number : '<*>')],
  [/<\*>/, UNIT, '<*>'],
  [MONTH_SIGN, DAY, ''],
  [/<\*>T/, INSTANT, '<*>'],
  [/<\*> /, PLURAL, '<*> $1'],
  [/<\*>/, ITEMS, '$1'],
  [/<\*>/, VALUES, '<*>'],
  [/[^ -~·]| {2}/, BLANKS, ' '],
];

export const maskValues = (text: string): string => {
  let masked = text;
  for (const [sign, pattern, to] of RULES) {
    // The compiler tells the two ways of replacing apart, and not their union.
    if (sign.test(masked)) masked = masked.replace(pattern, to as string);
  }
  return masked.trim();
};

/** Of a character of a token: other, digit, capital or small letter. */
const kindOf = (code: number): number => (code < 48 ? 0 : code < 58 ? 1 : code < 91 ? 2 : code === 95 ? 0 : 3);

/** Whether a token was drawn at random, for its characters change their kind as often as chance would have it. */
const isDrawn = (token: string): boolean => {
  const hasDigit = /\d/.test(token);
  if (hasDigit && /^[A-Za-z\d]{20,}$/.test(token)) return true;
  if (/(?:^|[/_])[a-z-]{3,}(?:[/_]|$)/.test(token)) return false;
  let changes = 0;
  for (let at = 1; at < token.length; at++)
    if (kindOf(token.charCodeAt(at)) !== kindOf(token.charCodeAt(at - 1))) changes++;
  return (hasDigit || token.length >= 20) && changes >= 0.4 * token.length;
};

/** Digits between letters, as in no word that people write. */
const isMixed = (word: string): boolean => {
  const parts = word.match(/\d+|[A-Za-z]+/g)!;
  return parts.length > 3 || (parts.length === 3 && !/[A-Za-z]{4}/.test(word));
};

const KNOWN_PORTS = new Set('1433 1521 2181 3306 4222 5432 5672 6379 8123 9042 9092 9200 11211 27017'.split(' '));
const PORT = /(?:[\w>\]]:|\bport\W{1,2})$/i;
const EXIT_CODE = /\b(?:exit(?:ed)?(?: with)?(?: code| status)|exit ?code|signal)\W{1,2}$/i;

/** Numbers that name what went wrong: a status, a service by its port, the exit code of a process. */
const isName = (number: string, at: number, text: string): boolean => {
  const before = text.slice(Math.max(0, at - 30), at);
  if (KNOWN_PORTS.has(number)) return PORT.test(before);
  return isStatusCode(number, at, text) || (/^\d{1,3}$/.test(number) && EXIT_CODE.test(before));
};
