import { Readable, Transform, pipeline } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobStore, ByteRange } from '../../blobs/store.ts';
import { AppError } from '../../errors.ts';
import { acceptsEncoding } from '../../http/accepts-encoding.ts';
import { matchesEtag } from '../../http/etag.ts';
import type { FoundFile } from './find-file.ts';
import { contentRange, lengthOf, multipartRanges, parseRanges } from './ranges.ts';
import { openRanges, readPlain } from './read-plain.ts';
import { storedFileHeaders } from './report-html.ts';

const IN_MEMORY_BYTES = 256 * 1024;

/** Every installation counts its reports and traces from 1, and several may have had this address. */
const REVALIDATED = 'private, no-cache';

/** Sends a stored file as it is: whole or in part, compressed where it is stored so and the client can read it. */
export const sendStoredFile = async (
  blobs: BlobStore,
  file: FoundFile,
  contentType: string,
  request: FastifyRequest,
  reply: FastifyReply,
  /** Instead of those that are for all. */
  ownHeaders: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> => {
  const { headers } = request;
  reply
    .headers({ ...storedFileHeaders(contentType), ...ownHeaders })
    .header('cache-control', REVALIDATED)
    .header('accept-ranges', 'bytes');
  if (file.encoding === 'gzip') reply.header('vary', joinVary(reply.getHeader('vary'), 'accept-encoding'));
  const plainTag = `"${file.hash}"`;
  const wantsPart = request.method === 'GET' && isCurrent(headers['if-range'], plainTag);
  const ranges = wantsPart ? parseRanges(headers.range, file.sizeBytes) : null;
  const compressed = ranges === null && file.encoding === 'gzip' && acceptsEncoding(headers['accept-encoding'], 'gzip');
  const etag = compressed ? `"${file.hash}-gzip"` : plainTag;
  reply.header('etag', etag);
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
  if (ranges !== null) return sendRanges(blobs, file, contentType, ranges, reply);
  if (compressed) reply.header('content-encoding', 'gzip');
  reply.header('content-length', compressed ? file.storedBytes : file.sizeBytes);
  if (request.method === 'HEAD') return reply.send();
  const asStored = compressed || file.encoding === 'identity';
  if (!asStored) return reply.send(exactly(await orNotFound(readPlain(blobs, file)), file.sizeBytes));
  if (file.storedBytes <= IN_MEMORY_BYTES) return reply.send(await orNotFound(blobs.readAll(file)));
  return reply.send(exactly(await orNotFound(blobs.read(file)), file.storedBytes));
};

const sendRanges = async (
  blobs: BlobStore,
  file: FoundFile,
  contentType: string,
  ranges: readonly ByteRange[],
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const [range, ...more] = ranges;
  if (!range) {
    reply.header('content-range', `bytes */${file.sizeBytes}`);
    throw new AppError('range_not_satisfiable', `The file has ${file.sizeBytes} bytes`);
  }
  reply.code(206);
  if (more.length === 0) {
    reply.header('content-range', contentRange(range, file.sizeBytes)).header('content-length', lengthOf(range));
    return reply.send(exactly(await orNotFound(readPlain(blobs, file, range)), lengthOf(range)));
  }
  const parts = multipartRanges(ranges, contentType, file.sizeBytes);
  reply.header('content-type', parts.contentType).header('content-length', parts.lengthBytes);
  const readRange = await orNotFound(openRanges(blobs, file));
  const body = Readable.from(parts.write(readRange.read), { objectMode: false }).once('close', readRange.close);
  return reply.send(exactly(body, parts.lengthBytes));
};

/** A body that ends early would leave the client waiting on a connection that is kept: it ends the connection instead. */
export const exactly = (content: Readable, lengthBytes: number): Readable => {
  let left = lengthBytes;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      done(left < 0 ? new Error('A stored file has more bytes than it should') : null, chunk);
    },
    flush: (done) => done(left > 0 ? new Error(`A stored file lacks ${left} bytes`) : null),
  });
  return pipeline(content, meter, () => undefined);
};

/** A run may be deleted between the look at its row and the look at its file. */
export const orNotFound = async <T>(opening: Promise<T>): Promise<T> => {
  try {
    return await opening;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw fileNotFound();
    throw error;
  }
};

export const fileNotFound = (): AppError => new AppError('file_not_found', 'There is no such file');

const joinVary = (before: unknown, name: string): string => (typeof before === 'string' ? `${before}, ${name}` : name);

/** A condition that names another version asks for all of this one. */
const isCurrent = (ifRange: string | string[] | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange === etag;
