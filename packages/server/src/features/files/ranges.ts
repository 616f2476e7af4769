import { randomUUID } from 'node:crypto';
import type { ByteRange } from '../../blobs/store.ts';

const MAX_RANGES = 32;

/**
 * The parts of a content that a `Range` header asks for, as they lie in it: null when all of it is to be sent, none when
 * it asks for nothing that is there. By hand, for `range-parser` takes what is no range for one that cannot be satisfied.
 */
export const parseRanges = (header: string | undefined, sizeBytes: number): ByteRange[] | null => {
  const list = /^bytes=(.*)$/i.exec(header ?? '')?.[1];
  if (list === undefined) return null;
  const ranges: ByteRange[] = [];
  const specs = list.split(',').map((spec) => spec.trim());
  if (specs.length > MAX_RANGES) return null;
  for (const spec of specs) {
    const match = /^(\d*)-(\d*)$/.exec(spec);
    // What is no range at all is ignored, as if the header were not there.
    if (!match || spec === '-') return null;
    const [, first, last] = match;
    const range = first === '' ? lastBytes(Number(last), sizeBytes) : between(Number(first), last!, sizeBytes);
    if (range === null) return null;
    if (range.start <= range.end) ranges.push(range);
  }
  return isWorthwhile(ranges, sizeBytes) ? joined(ranges) : null;
};

/** In ascending order, those that overlap or touch as one. */
const joined = (ranges: readonly ByteRange[]): ByteRange[] => {
  const result: ByteRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && range.start <= last.end + 1) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    } else result.push(range);
  }
  return result;
};

const lastBytes = (count: number, sizeBytes: number): ByteRange => ({
  start: Math.max(0, sizeBytes - count),
  end: count === 0 ? -1 : sizeBytes - 1,
});

const between = (start: number, last: string, sizeBytes: number): ByteRange | null => {
  if (last !== '' && Number(last) < start) return null;
  return { start, end: Math.min(last === '' ? Infinity : Number(last), sizeBytes - 1) };
};

/** Parts that overlap so much that they are more than the whole are an attack or a mistake. */
const isWorthwhile = (ranges: readonly ByteRange[], sizeBytes: number): boolean =>
  ranges.reduce((sum, range) => sum + lengthOf(range), 0) <= sizeBytes;

export const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

export const contentRange = ({ start, end }: ByteRange, sizeBytes: number): string =>
  `bytes ${start}-${end}/${sizeBytes}`;

export interface MultipartRanges {
  readonly contentType: string;
  readonly lengthBytes: number;
  write(read: (range: ByteRange) => AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
}

/** Several parts of a content as one `multipart/byteranges` body. */
export const multipartRanges = (ranges: readonly ByteRange[], partType: string, sizeBytes: number): MultipartRanges => {
  const boundary = randomUUID();
  const headOf = (range: ByteRange): Buffer =>
    Buffer.from(
      `\r\n--${boundary}\r\nContent-Type: ${partType}\r\nContent-Range: ${contentRange(range, sizeBytes)}\r\n\r\n`,
    );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/byteranges; boundary=${boundary}`,
    lengthBytes: ranges.reduce((sum, range) => sum + headOf(range).length + lengthOf(range), end.length),
    async *write(read) {
      for (const range of ranges) {
        yield headOf(range);
        yield* read(range);
      }
      yield end;
    },
  };
};
