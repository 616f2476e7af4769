import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Endpoint } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { byteTextToBuffer } from '../byte-text.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { refusal } from '../validation.ts';
import { version } from '../version.ts';
import { type ReceivedBody, discardBody } from './body.ts';
import { createBodyReader, createTextReader, readParams } from './call.ts';
import type { Call, Caller, Guard, JsonChunks, RawRoute, ReadRoute, Route } from './endpoint.ts';
import { matchesEtag } from './etag.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const STREAMED_FROM_BYTES = 1024 * 1024;
const STREAM_PIECE_BYTES = 64 * 1024;

/** Makes a route of the server from its endpoint in the contract. */
export const registerRoute = (app: FastifyInstance, context: Context, guard: Guard, route: Route): void => {
  const endpoint: Endpoint = route.endpoint;
  const readQuery = createTextReader(endpoint.query, 'invalid_query');
  const readHeaders = createTextReader(endpoint.headers, 'invalid_header');
  const readBody = route.kind === 'action' && endpoint.body ? createBodyReader(endpoint.body) : null;

  const callOf = (request: FastifyRequest, reply: FastifyReply): Call<Endpoint> => ({
    caller: request.caller!,
    readmit: () => admit(request),
    secure: request.protocol === 'https',
    setHeader: (name, value) => void reply.header(name, value),
    params: readParams(endpoint, request.params as Record<string, string>) as never,
    query: readQuery(request.query as Record<string, string>) as never,
    headers: readHeaders(request.headers) as never,
  });
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const call = callOf(request, reply);
    if (route.kind === 'read') return answerRead(context, route, call, request, reply);
    if (route.kind === 'file') return route.run(call as never, request, reply);
    if (route.kind === 'form') {
      return reply.type(JSON_TYPE).send(JSON.stringify(await route.run(call as never, request.raw)));
    }
    const received = (request.body ?? { bytes: new Uint8Array() }) as ReceivedBody;
    const body =
      route.kind === 'raw'
        ? await runRaw(route, call, received, request)
        : await route.run({ ...call, body: readBody?.(await bytesOf(received)) } as never);
    return reply.header('cache-control', 'no-store').type(JSON_TYPE).send(JSON.stringify(body));
  };
  const admit = async (request: FastifyRequest): Promise<void> => {
    request.caller = await guard(endpoint, request);
  };
  const onRequest = route.kind === 'form' ? [admit, requireForm] : [admit];
  // Before the body nobody else gets in; after it, which may take minutes, nobody whose rights have ended meanwhile.
  const preHandler = readBody || route.kind === 'raw' ? [admit] : [];
  // Fastify would read a whole file to tell its headers.
  const method = route.kind === 'file' ? [endpoint.method, 'HEAD'] : endpoint.method;
  const exposeHeadRoute = route.kind !== 'file';
  app.route({
    method,
    url: fastifyPath(endpoint.path),
    exposeHeadRoute,
    onRequest,
    preHandler,
    config: { takesForm: route.kind === 'form' },
    handler,
  });
};

const MULTIPART = /^multipart\/form-data\b/i;

const requireForm = async ({ headers }: FastifyRequest): Promise<void> => {
  if (MULTIPART.test(headers['content-type'] ?? '')) return;
  throw refusal('invalid_body', [
    { path: '', message: 'must be a multipart form: multipart/form-data with a boundary' },
  ]);
};

/** A form is read by its route as it comes; no other route takes one. */
export const leaveFormUnread = ({ routeOptions }: FastifyRequest): undefined => {
  if (routeOptions.config.takesForm) return undefined;
  throw new AppError('unsupported_media_type', 'The content type of the body must be application/json');
};

declare module 'fastify' {
  interface FastifyRequest {
    caller?: () => Promise<Caller>;
  }
  interface FastifyContextConfig {
    readonly takesForm?: boolean;
  }
}

/** The body is the route's until it has an answer, even when the client goes; then nobody needs it any more. */
const runRaw = async (
  route: RawRoute,
  call: Call<Endpoint>,
  body: ReceivedBody,
  request: FastifyRequest,
): Promise<unknown> => {
  request.body = undefined;
  try {
    return await route.run(call as never, body);
  } finally {
    await discardBody(body);
  }
};

/** `/a/{id}/{rest*}` as Fastify writes it. */
const fastifyPath = (path: string): string => path.replace(/\{\w+\*\}/g, '*').replace(/\{(\w+)\}/g, ':$1');

const bytesOf = async (body: ReceivedBody): Promise<Uint8Array> => ('bytes' in body ? body.bytes : readFile(body.file));

const answerRead = async (
  { answers, installationId }: Context,
  route: ReadRoute,
  call: Call<Endpoint>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const revision = await route.revision(call as never);
  const etag = `W/"${installationId}-${version}-${revision}"`;
  // What not everyone may read is left in no cache, for whoever sits at the browser next.
  reply.header('etag', etag).header('cache-control', route.endpoint.access === 'public' ? 'no-cache' : 'no-store');
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type(JSON_TYPE);

  const key = `${revision} ${request.url}`;
  const known = answers.get(key);
  if (known) {
    if (known.link) reply.header('link', known.link);
    return reply.send(known.body);
  }
  const { body, nextCursor } = await route.answer(call as never);
  const link = nextCursor ? nextLink(request.url, nextCursor) : null;
  if (link) reply.header('link', link);
  const bytes = isChunked(body) ? await startOf(body) : Buffer.from(JSON.stringify(body));
  if (!Buffer.isBuffer(bytes)) return reply.send(bytes);
  answers.set(key, { body: bytes, link }, bytes.byteLength + key.length);
  return reply.send(bytes);
};

const nextLink = (url: string, cursor: string): string => {
  const next = new URL(url, 'http://localhost');
  next.searchParams.set('cursor', cursor);
  return `<${next.pathname}${next.search}>; rel="next"`;
};

const isChunked = (body: unknown): body is JsonChunks => typeof body === 'object' && body !== null && 'chunks' in body;

/** The whole of a small answer, or a stream that starts with what was read of a large one. */
const startOf = async ({ chunks }: JsonChunks): Promise<Buffer | Readable> => {
  let text = '';
  for (;;) {
    const next = await chunks.next();
    if (next.done) return byteTextToBuffer(text);
    text += next.value;
    if (text.length > STREAMED_FROM_BYTES) return Readable.from(inPieces(text, chunks), { objectMode: false });
  }
};

async function* inPieces(start: string, chunks: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  yield byteTextToBuffer(start);
  let piece = '';
  for await (const chunk of chunks) {
    piece += chunk;
    if (piece.length < STREAM_PIECE_BYTES) continue;
    yield byteTextToBuffer(piece);
    piece = '';
  }
  yield byteTextToBuffer(piece);
}
