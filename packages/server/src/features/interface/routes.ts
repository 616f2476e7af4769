import { PAGES } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { acceptsEncoding } from '../../http/accepts-encoding.ts';
import { sendError } from '../../http/errors.ts';
import { matchesEtag } from '../../http/etag.ts';
import { ENCODINGS, type Encoding, type InterfaceFile, findInterface, loadInterface } from './load-interface.ts';
import { missingInterfacePage } from './missing-interface.ts';
import { PLAIN_PAGE_HEADERS, pageHeaders } from './page-headers.ts';

const HTML = 'text/html; charset=utf-8';
const ASSETS = '/assets/';
const YEAR_SECONDS = 31_536_000;
const FOREVER = `public, max-age=${YEAR_SECONDS}, immutable`;
/** What an image could do when it is opened as a page: nothing. */
const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** The web interface, and what is answered where there is nothing. */
export const registerInterface = (app: FastifyInstance, { webDir, reportsUrl }: Config): void => {
  const built = loadInterface(webDir ?? findInterface());
  const headers = built && pageHeaders(built.index.bytes.toString(), reportsUrl);
  const sendPage = (request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply => {
    if (built === null) {
      reply.code(status).headers(PLAIN_PAGE_HEADERS).header('cache-control', 'no-cache').type(HTML);
      return reply.send(missingInterfacePage);
    }
    reply.headers(headers!).header('cache-control', 'no-cache');
    return sendFile(request, reply.code(status), built.index);
  };

  for (const path of Object.values(PAGES)) {
    app.get(path.replace(':id', ':id(^[1-9]\\d{0,15}$)'), async (request, reply) => sendPage(request, reply, 200));
  }
  const sendBuilt = (
    request: FastifyRequest,
    reply: FastifyReply,
    file: InterfaceFile,
    cache: string,
  ): FastifyReply => {
    reply.header('cache-control', cache).header('cross-origin-resource-policy', 'same-origin');
    if (!file.type.startsWith('text/javascript')) reply.header('content-security-policy', FILE_POLICY);
    return sendFile(request, reply, file);
  };
  const files = new Map(built?.files);
  for (const [path, read] of files) {
    if (path.startsWith(ASSETS)) continue;
    app.get(path, async (request, reply) => sendBuilt(request, reply, read(), 'no-cache'));
  }
  // One route for all of them: the router takes long to learn as many names.
  app.get<{ Params: { '*': string } }>(`${ASSETS}*`, async (request, reply) => {
    const read = files.get(ASSETS + request.params['*']);
    if (!read) return reply.callNotFound();
    // Their names change with the content.
    return sendBuilt(request, reply, read(), FOREVER);
  });
  app.setNotFoundHandler((request, reply) => {
    if (wantsPage(request)) return sendPage(request, reply, 404);
    const message = `There is nothing at ${request.method} ${pathOf(request)}`;
    return sendError(new AppError('not_found', message), request, reply);
  });
};

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: InterfaceFile): FastifyReply => {
  const encoding = encodingFor(request, file);
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`;
  reply.type(file.type).header('etag', etag);
  if (file.compressed.size > 0) reply.header('vary', 'accept-encoding');
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(encoding ? file.compressed.get(encoding) : file.bytes);
};

const encodingFor = ({ headers }: FastifyRequest, { compressed }: InterfaceFile): Encoding | undefined =>
  ENCODINGS.find((encoding) => compressed.has(encoding) && acceptsEncoding(headers['accept-encoding'], encoding));

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.slice(0, 200);

const wantsPage = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !/^\/api(?:\/|$)/.test(pathOf(request)) &&
  (request.headers.accept?.includes('text/html') ?? false);
