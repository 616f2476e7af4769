import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32, createDeflateRaw, gzipSync } from 'node:zlib';
import { rawTar } from './raw-tar.ts';
import { rawZip } from './raw-zip.ts';
import { MIB } from './scratch.ts';

/* Archives of one large file of zeros, made without ever holding it in memory. */

function* zeros(bytes: number): Generator<Buffer> {
  const piece = Buffer.alloc(MIB);
  for (let left = bytes; left > 0; left -= MIB) yield piece;
}

export const zipOfZeros = async (sizeBytes: number): Promise<Buffer> => {
  let sum = 0;
  for (const piece of zeros(sizeBytes)) sum = crc32(piece, sum);
  const data = await buffer(Readable.from(zeros(sizeBytes)).pipe(createDeflateRaw({ level: 1 })));
  return rawZip([{ name: 'zeros', data, crc32: sum, sizeBytes }]);
};

/** Gzip may have many members, and those of zeros are all the same. */
export const tarOfZeros = (sizeBytes: number): Buffer => {
  const size = sizeBytes.toString(8).padStart(11, '0');
  const member = gzipSync(Buffer.alloc(MIB));
  return Buffer.concat([
    gzipSync(rawTar([{ name: 'zeros', size }], Buffer.alloc(0))),
    ...Array.from({ length: sizeBytes / MIB }, () => member),
    gzipSync(Buffer.alloc(1024)),
  ]);
};
