import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BlobStore } from '../../blobs/store.ts';
import type { FoundFile } from './find-file.ts';

/** What is smaller is sent as soon as it is looked up. */
const LEAST_BYTES = 1024 * 1024;
/** What browsers show and never run; anything else is saved. */
const SHOWN = /^(?:image\/(?:png|apng|jpeg|gif|webp|avif|bmp)|(?:video|audio)\/(?:webm|mp4|ogg|mpeg|wav))$/;
const SAVED = /^application\/(?:zip|pdf|octet-stream)$/;

/**
 * Where the client can read a large file from the file store itself; null when the service has to send it. Headers of
 * ours do not go with it, so that only those files may whose type alone says that nothing in them runs.
 */
export const findRedirect = async (
  blobs: BlobStore,
  file: FoundFile,
  contentType: string,
  path: string,
  request: FastifyRequest,
): Promise<string | null> => {
  if (!blobs.addressOf || file.encoding !== 'identity' || file.sizeBytes < LEAST_BYTES) return null;
  if (!isDownload(request) || !(SHOWN.test(contentType) || SAVED.test(contentType))) return null;
  const name = encodeURIComponent(path.slice(path.lastIndexOf('/') + 1)).replaceAll(/['()*]/g, '_');
  const contentDisposition = `${SHOWN.test(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`;
  return blobs.addressOf(file, { contentType, contentDisposition });
};

/**
 * What a page loads must come from this origin: policies allow no other, and the trace viewer reads parts. Without HTTPS
 * browsers do not say what they load something for.
 */
const isDownload = ({ method, headers }: FastifyRequest): boolean => {
  if (method !== 'GET' || headers['if-none-match'] !== undefined || headers['if-range'] !== undefined) return false;
  const use = headers['sec-fetch-dest'];
  return use === undefined ? !(headers['user-agent'] ?? '').startsWith('Mozilla/') : use === 'document';
};

export const sendRedirect = (reply: FastifyReply, address: string): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(address, 302);
