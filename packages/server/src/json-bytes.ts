/**
 * JSON on its way out, as the bytes that are sent. Lists of thousands are put together from pieces that are bytes
 * already: nothing is left for the collector of garbage, and nothing is encoded at the end.
 */
export interface JsonBytes {
  bytes: Buffer;
  /** How many of them are written. */
  length: number;
}

const ZERO = 0x30;
const MINUS = 0x2d;
const MOST_DIGITS = 16;
const BILLION = 1e9;
const NULL = Buffer.from('null');

export const startJson = (capacity: number): JsonBytes => ({ bytes: Buffer.allocUnsafeSlow(capacity), length: 0 });

/** The bytes of a text that is JSON, or a part of it. */
export const jsonBytes = (json: string): Uint8Array => Buffer.from(json, 'utf8');

export const putBytes = (json: JsonBytes, bytes: Uint8Array): void => {
  makeRoom(json, bytes.length);
  json.bytes.set(bytes, json.length);
  json.length += bytes.length;
};

export const putText = (json: JsonBytes, text: string): void => {
  makeRoom(json, 3 * text.length);
  json.length += json.bytes.write(text, json.length, 'utf8');
};

/** As `JSON.stringify` writes it; what is no number is null. */
export const putNumber = (json: JsonBytes, value: number): void => {
  if (Number.isSafeInteger(value)) putInteger(json, value);
  else if (Number.isFinite(value)) putText(json, String(value));
  else putBytes(json, NULL);
};

const putInteger = (json: JsonBytes, value: number): void => {
  makeRoom(json, MOST_DIGITS + 1);
  let magnitude = value;
  if (value < 0) {
    json.bytes[json.length++] = MINUS;
    magnitude = -value;
  }
  if (magnitude < BILLION) putDigits(json, magnitude, digitsOf(magnitude));
  else {
    const high = Math.floor(magnitude / BILLION);
    putDigits(json, high, digitsOf(high));
    putDigits(json, magnitude - high * BILLION, 9);
  }
};

const putDigits = (json: JsonBytes, value: number, digits: number): void => {
  const { bytes, length } = json;
  let left = value;
  for (let at = length + digits - 1; at >= length; at--) {
    const rest = (left / 10) | 0;
    bytes[at] = ZERO + left - 10 * rest;
    left = rest;
  }
  json.length = length + digits;
};

/** Of a whole number below a billion. */
const digitsOf = (value: number): number => {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits++;
  return digits;
};

const makeRoom = (json: JsonBytes, more: number): void => {
  if (json.length + more <= json.bytes.length) return;
  const wider = Buffer.allocUnsafeSlow(2 * (json.length + more));
  wider.set(json.bytes.subarray(0, json.length));
  json.bytes = wider;
};
