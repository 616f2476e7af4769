import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SEAM_HEADER_BYTES, findSeam, insertAtSeam } from '../../blobs/seamed-gzip.ts';
import type { BlobStore } from '../../blobs/store.ts';
import { acceptsEncoding } from '../../http/accepts-encoding.ts';
import { matchesEtag } from '../../http/etag.ts';
import type { FoundFile } from './find-file.ts';
import { readPlain } from './read-plain.ts';
import { REPORT_START_BYTES, type ServedPage } from './report-html.ts';
import { orNotFound } from './serve-file.ts';

/** A page that was stored without a seam is compressed again, quickly. */
const SEAMLESS_COMPRESSION = 3;

/** Sends a page of a report. */
export const sendReportPage = async (
  blobs: BlobStore,
  file: FoundFile,
  serve: (start: Uint8Array) => ServedPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const compressed = file.encoding === 'gzip' && acceptsEncoding(request.headers['accept-encoding'], 'gzip');
  const plain = await peek(await orNotFound(readPlain(blobs, file)), REPORT_START_BYTES);
  const page = serve(plain.start);
  const etag = `"${file.hash}-${page.version}${compressed ? '-gzip' : ''}"`;
  const unchanged = matchesEtag(request.headers['if-none-match'], etag);
  reply.headers(page.headers).header('etag', etag).header('cache-control', 'no-cache');
  if (file.encoding === 'gzip') reply.header('vary', 'accept-encoding');
  if (compressed || unchanged) plain.whole.destroy();
  if (unchanged) return reply.code(304).send();
  if (compressed) reply.header('content-encoding', 'gzip');
  const { content, lengthBytes } = compressed
    ? await compressedPage(blobs, file, page)
    : {
        content: pipeline(plain.whole, page.createStream(), ignore),
        lengthBytes: file.sizeBytes + (page.injected?.plain.length ?? 0),
      };
  if (lengthBytes !== null) reply.header('content-length', lengthBytes);
  if (request.method !== 'HEAD') return reply.send(content);
  content.destroy();
  return reply.send();
};

interface SentPage {
  readonly content: Readable;
  /** Null for what only compressing tells. */
  readonly lengthBytes: number | null;
}

const compressedPage = async (blobs: BlobStore, file: FoundFile, page: ServedPage): Promise<SentPage> => {
  const { injected } = page;
  const stored = await orNotFound(blobs.read(file));
  if (injected === null) return { content: stored, lengthBytes: file.storedBytes };
  const { start, whole } = await peek(stored, SEAM_HEADER_BYTES);
  const seam = findSeam(start);
  if (seam) {
    return {
      content: streamOf(insertAtSeam(whole, seam, injected, file.sizeBytes), whole),
      lengthBytes: file.storedBytes + injected.deflated.length,
    };
  }
  whole.destroy();
  const plain = await orNotFound(readPlain(blobs, file));
  const again = createGzip({ level: SEAMLESS_COMPRESSION });
  return { content: pipeline(plain, page.createStream(), again, ignore), lengthBytes: null };
};

/** The first bytes of a stream, and a stream of all of it. */
const peek = async (content: Readable, bytes: number): Promise<{ start: Buffer; whole: Readable }> => {
  const chunks = content[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  let start = Buffer.alloc(0);
  while (start.length < bytes) {
    const next = await chunks.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    yield start;
    yield* chunks;
  };
  return { start: start.subarray(0, bytes), whole: streamOf(all(), content) };
};

/** A stream of what is made of another, which it closes even when nobody began to read it. */
const streamOf = (made: AsyncGenerator<Buffer>, source: Readable): Readable =>
  Readable.from(made, { objectMode: false }).once('close', () => source.destroy());

const ignore = (): void => undefined;
