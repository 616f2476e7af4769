import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobStore, ByteRange } from '../../blobs/store.ts';
import { AppError } from '../../errors.ts';
import { acceptsEncoding } from '../../http/accepts-encoding.ts';
import { matchesEtag } from '../../http/etag.ts';
import type { FoundFile } from './find-file.ts';
import { contentRange, lengthOf, multipartRanges, parseRanges } from './ranges.ts';
import { readPlain } from './read-plain.ts';
import { storedFileHeaders } from './report-html.ts';

const IN_MEMORY_BYTES = 256 * 1024;
const YEAR_SECONDS = 31_536_000;

/** A content never changes under its path: the numbers of reports and traces are not used again. */
const FOREVER = `private, max-age=${YEAR_SECONDS}, immutable`;

/** Sends a stored file as it is: whole or in part, compressed where it is stored so and the client can read it. */
export const sendStoredFile = async (
  blobs: BlobStore,
  file: FoundFile,
  contentType: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { headers } = request;
  reply.headers(storedFileHeaders(contentType)).header('cache-control', FOREVER).header('accept-ranges', 'bytes');
  if (file.encoding === 'gzip') reply.header('vary', 'accept-encoding');
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
  if (!asStored) return reply.send(await orNotFound(readPlain(blobs, file)));
  const isSmall = file.storedBytes <= IN_MEMORY_BYTES;
  return reply.send(await orNotFound<Buffer | Readable>(isSmall ? blobs.readAll(file) : blobs.read(file)));
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
    return reply.send(await orNotFound(readPlain(blobs, file, range)));
  }
  const parts = multipartRanges(ranges, contentType, file.sizeBytes);
  reply.header('content-type', parts.contentType).header('content-length', parts.lengthBytes);
  return reply.send(
    Readable.from(
      parts.write((part) => readPlain(blobs, file, part)),
      { objectMode: false },
    ),
  );
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

/** A condition that names another version asks for all of this one. */
const isCurrent = (ifRange: string | string[] | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange === etag;
