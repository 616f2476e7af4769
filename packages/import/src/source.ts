import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { TextDecoder } from 'node:util';
import { boundGarbage } from './garbage.ts';

/** A file as importers read it: never by its name. */
export interface Source {
  readonly path: string;
  /** As people know it. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** The first bytes. */
  readonly head: Buffer;
}

const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** A line that is longer is cut: no report needs one, and a file without line ends must not fill the memory. */
const MAX_LINE = 64 * 1024 * 1024;

/** Not with promises, which cost more than the files where a folder has very many. */
export const openSource = (path: string, name = path): Source => {
  const file = openSync(path, 'r');
  try {
    const { size, mtimeMs } = fstatSync(file);
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    const bytesRead = readSync(file, head, 0, head.length, 0);
    return { path, name: printable(name), sizeBytes: size, modifiedMs: mtimeMs, head: head.subarray(0, bytesRead) };
  } finally {
    closeSync(file);
  }
};

/** A name may hold anything that a system allows: line ends, colours of a terminal, marks that turn the direction of writing. */
export const printable = (name: string): string => name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');

/** What a text cannot be read in, in words; null when it can. */
export const unknownEncoding = (head: Buffer): string | null => {
  if (head.length >= 4 && (head.readUInt32BE(0) === 0xfffe0000 || head.readUInt32BE(0) === 0x0000feff)) return 'UTF-32';
  const zeros = [0, 1].map((from) => countZeros(head, from));
  if (!isMarked(head) && Math.max(...zeros) > SEARCHED_BYTES / 4 && Math.min(...zeros) === 0) {
    return 'UTF-16 without a byte order mark';
  }
  const declared = encodingOf(head);
  try {
    void new TextDecoder(declared);
    return null;
  } catch {
    return declared;
  }
};

const SEARCHED_BYTES = 64;

const isMarked = (head: Buffer): boolean => head[0] === 0xff || head[0] === 0xfe;

/** In every other byte of the beginning. */
const countZeros = (head: Buffer, from: number): number => {
  let zeros = 0;
  for (let at = from; at < Math.min(head.length, SEARCHED_BYTES); at += 2) if (head[at] === 0) zeros++;
  return zeros;
};

/** Byte order marks win, then what an XML declaration says, then UTF-8. */
const encodingOf = (head: Buffer): string => {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xef && head[1] === 0xbb) return 'utf-8';
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head.toString('latin1', 0, 200))?.[1];
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
};

const decoderOf = (head: Buffer): TextDecoder => {
  try {
    return new TextDecoder(encodingOf(head));
  } catch {
    return new TextDecoder();
  }
};

export const headText = ({ head }: Source): string => decoderOf(head).decode(head, { stream: true });

export const textOf = (source: Source): AsyncGenerator<string> => decode(bytesOf(source), decoderOf(source.head));

/** A small file is not opened twice: a folder may have very many. */
async function* bytesOf({ path, head, sizeBytes }: Source): AsyncGenerator<Buffer> {
  if (head.length === sizeBytes) yield head;
  else yield* createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
}

async function* decode(bytes: AsyncIterable<Buffer>, decoder: TextDecoder): AsyncGenerator<string> {
  for await (const chunk of bytes) {
    yield decoder.decode(chunk, { stream: true });
    boundGarbage();
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  /** False for the last line of a file that does not end with a line end. */
  readonly ended: boolean;
}

export const linesOf = (source: Source): AsyncGenerator<Line> => splitLines(textOf(source));

async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let rest = '';
  let number = 0;
  for await (const chunk of chunks) {
    const lines = chunk.split('\n');
    lines[0] = rest + lines[0]!;
    rest = lines.pop()!;
    if (rest.length > MAX_LINE) rest = rest.slice(0, MAX_LINE);
    for (const text of lines) yield { text: withoutReturn(text), number: ++number, ended: true };
  }
  if (rest !== '') yield { text: withoutReturn(rest), number: ++number, ended: false };
}

export const linesOfBytes = (bytes: AsyncIterable<Buffer>): AsyncGenerator<Line> =>
  splitLines(decode(bytes, new TextDecoder()));

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);
