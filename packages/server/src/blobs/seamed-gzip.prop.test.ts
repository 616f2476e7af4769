import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crcShifted } from './crc-shift.ts';
import { deflatePiece, findSeam, insertAtSeam, seamedGzip } from './seamed-gzip.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-seam-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const seamed = async (content: Buffer, offset: number): Promise<Buffer> => {
  const file = join(folder, 'content');
  writeFileSync(file, content);
  return buffer(seamedGzip(file, offset));
};

async function* inPieces(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const text = fc
  .array(fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(Buffer.from('the same again '.repeat(40)))))
  .map((pieces) => Buffer.concat(pieces));

test('a gzip with a seam is a gzip of its content, also with something put in, however it is cut', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(text, share, text, fc.integer({ min: 1, max: 400 }), async (content, part, plain, pieceBytes) => {
      const offset = Math.round(content.length * part);
      const gzip = await seamed(content, offset);
      expect(gunzipSync(gzip)).toEqual(content);

      const seam = findSeam(gzip)!;
      expect(seam.offset).toBe(offset);
      const insertion = {
        plain,
        deflated: Buffer.concat([deflatePiece(plain.subarray(0, 9), 0), deflatePiece(plain.subarray(9))]),
      };
      const made = insertAtSeam(inPieces(gzip, pieceBytes), seam, insertion, content.length);
      const sent = await buffer(made);
      expect(sent).toHaveLength(gzip.length + insertion.deflated.length);
      expect(gunzipSync(sent)).toEqual(Buffer.concat([content.subarray(0, offset), plain, content.subarray(offset)]));
    }),
  );
});

test('any other gzip has no seam', () => {
  fc.assert(
    fc.property(text, (content) => {
      const gzip = gzipSync(content);
      expect(findSeam(gzip)).toBeNull();
      expect(findSeam(gzip.subarray(0, 5))).toBeNull();
    }),
  );
});

test('a shifted checksum is what the bytes before contribute', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect((crcShifted(crc32(a), b.length) ^ crc32(b)) >>> 0).toBe(crc32(Buffer.concat([a, b])));
    }),
  );
});
