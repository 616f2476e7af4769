import { LONGEST_SEARCHED_BYTES } from '../../blobs/store.ts';

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const BOM = [0xef, 0xbb, 0xbf];
/** Of all that may stand before the head, only a comment can be long. */
export const LONGEST_START_BYTES = LONGEST_SEARCHED_BYTES;

/**
 * The offset in an HTML document at which a script runs before all others and is valid: directly after `<head>`, or
 * where the parser would open the head by itself. It never leaves the part that may stand before, so that whatever is
 * quoted in a comment, a script or an attribute is not seen at all. Null when it takes more bytes to say.
 */
export const findScriptPlace = (start: Uint8Array, isWhole: boolean): number | null => {
  const bytes = start.subarray(0, LONGEST_START_BYTES);
  const isEnd = isWhole || bytes.length === LONGEST_START_BYTES;
  let place = BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0;
  for (;;) {
    const next = skipSpace(bytes, place);
    const end = bytes[next] === LESS ? endOfStartingToken(bytes, next) : next < bytes.length ? 'other' : 'unfinished';
    if (end === 'other') return place;
    if (end === 'unfinished') return isEnd ? place : null;
    place = end;
    if (tagNameAt(bytes, next) === 'head') return place;
  }
};

/** UTF-16 and whatever else has no plain `<`: nothing can be put into it byte by byte. */
export const isByteText = (start: Uint8Array): boolean =>
  !(start[0] === 0xfe && start[1] === 0xff) &&
  !(start[0] === 0xff && start[1] === 0xfe) &&
  !start.subarray(0, 4).includes(0);

type End = number | 'other' | 'unfinished';

/** The end of a comment, a doctype or the tag of `html` or `head`; everything else ends the start of a document. */
const endOfStartingToken = (bytes: Uint8Array, at: number): End => {
  const text = Buffer.from(bytes.subarray(at, at + 6))
    .toString('latin1')
    .toLowerCase();
  if (text.startsWith('<!--')) return endOfComment(bytes, at + 4);
  if ('<!--'.startsWith(text)) return 'unfinished';
  if (text.startsWith('<!') || text.startsWith('<?')) return after(bytes.indexOf(GREATER, at), 1);
  if (text.length < 6 && ['<html', '<head'].some((tag) => tag.startsWith(text))) return 'unfinished';
  return tagNameAt(bytes, at) === null ? 'other' : endOfTag(bytes, at + 5);
};

const tagNameAt = (bytes: Uint8Array, at: number): 'html' | 'head' | null => {
  const tag = Buffer.from(bytes.subarray(at, at + 6))
    .toString('latin1')
    .toLowerCase();
  const name = /^<(html|head)[\t\n\f\r />]/.exec(tag)?.[1];
  return name === 'html' || name === 'head' ? name : null;
};

/** `<!-->` and `<!--->` are whole comments, and `--!>` ends one too. */
const endOfComment = (bytes: Uint8Array, from: number): End => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[from] === GREATER) return from + 1;
  if (bytes[from] === 0x2d && bytes[from + 1] === GREATER) return from + 2;
  const plain = after(buffer.indexOf('-->', from), 3);
  const odd = after(buffer.indexOf('--!>', from), 4);
  if (plain === 'unfinished') return odd;
  return typeof odd === 'number' && typeof plain === 'number' ? Math.min(plain, odd) : plain;
};

/** A quote counts only where the value of an attribute begins. */
const endOfTag = (bytes: Uint8Array, from: number): End => {
  let isValueNext = false;
  let isNameBegun = false;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === GREATER) return at + 1;
    if (isSpace(byte)) {
      // `name = "value"` is one attribute.
    } else if (isValueNext) {
      isValueNext = false;
      isNameBegun = false;
      if (byte === 0x22 || byte === 0x27) {
        at = bytes.indexOf(byte, at + 1);
        if (at === -1) return 'unfinished';
      } else {
        while (at + 1 < bytes.length && !isSpace(bytes[at + 1]!) && bytes[at + 1] !== GREATER) at++;
      }
    } else if (byte === EQUALS && isNameBegun) isValueNext = true;
    else isNameBegun = byte !== SLASH;
  }
  return 'unfinished';
};

const after = (found: number, length: number): End => (found === -1 ? 'unfinished' : found + length);

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d;

const skipSpace = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
};
