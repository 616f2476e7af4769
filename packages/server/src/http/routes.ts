import { transcode } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Endpoint } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { nextTurn } from '../turns.ts';
import { refusal } from '../validation.ts';
import { version } from '../version.ts';
import { type ReceivedBody, discardBody, isCompressed } from './body.ts';
import { createBodyReader, createTextReader, readParams } from './call.ts';
import type { Call, Caller, Guard, RawRoute, ReadRoute, Route, WrittenJson } from './endpoint.ts';
import { etagOf, matchesEtag } from './etag.ts';
import { MULTIPART } from './form.ts';
import { LARGE_FROM_ROWS, type Place } from './large-answers.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** In characters, which are bytes but for those beyond ASCII. */
const STREAMED_FROM_LENGTH = 1024 * 1024;
const STREAM_PIECE_LENGTH = 64 * 1024;
const TURN_AFTER_LENGTH = 256 * 1024;

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
    untilGone: () => abortWhenGone(reply.raw),
    startLargeRead: async (rows) => {
      if (rows > LARGE_FROM_ROWS) await largeReadOf(context, reply).start();
    },
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
    const json = JSON.stringify(body);
    reply.header('cache-control', 'no-store');
    if (endpoint.method === 'GET') {
      const etag = etagOf(json);
      reply.header('etag', etag);
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    }
    return reply.type(JSON_TYPE).send(json);
  };
  const admit = async (request: FastifyRequest): Promise<void> => {
    request.caller = await guard(endpoint, request);
  };
  const requireType = endpoint.takesAnyBody ? refuseCompressed : requireForm;
  const onRequest = route.kind === 'form' ? [admit, requireType] : [admit];
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
    config: {
      takesForm: route.kind === 'form',
      takesAnyBody: endpoint.takesAnyBody === true,
      takesRawBody: route.kind === 'raw',
    },
    handler,
  });
};

const abortWhenGone = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  const abort = (): void => gone.abort(new AppError('invalid_request', 'The client went away'));
  if (response.destroyed) abort();
  else response.once('close', () => response.writableFinished || abort());
  return gone.signal;
};

const requireForm = async (request: FastifyRequest): Promise<void> => {
  if (!MULTIPART.test(request.headers['content-type'] ?? '')) {
    throw refusal('invalid_body', [
      { path: '', message: 'must be a multipart form: multipart/form-data with a boundary' },
    ]);
  }
  await refuseCompressed(request);
};

const refuseCompressed = async ({ headers }: FastifyRequest): Promise<void> => {
  if (isCompressed(headers)) {
    throw refusal('invalid_body', [{ path: '', message: 'must not be compressed: no Content-Encoding is supported' }]);
  }
};

/** A form or a file is read by its route as it comes; no other route takes one. */
export const leaveUnread = ({ routeOptions: { config }, headers }: FastifyRequest): undefined => {
  if (config.takesAnyBody || (config.takesForm && MULTIPART.test(headers['content-type'] ?? ''))) return undefined;
  throw new AppError('unsupported_media_type', 'The content type of the body must be application/json');
};

declare module 'fastify' {
  interface FastifyRequest {
    caller?: () => Promise<Caller>;
  }
  interface FastifyContextConfig {
    readonly takesForm?: boolean;
    readonly takesAnyBody?: boolean;
    readonly takesRawBody?: boolean;
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
  context: Context,
  route: ReadRoute,
  call: Call<Endpoint>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { answers, installationId } = context;
  const revision = await route.revision(call as never);
  const etag = `W/"${installationId}-${version}-${revision}"`;
  // What not everyone may read is left in no cache, for whoever sits at the browser next.
  reply.header('etag', etag).header('cache-control', route.endpoint.access === 'public' ? 'no-cache' : 'no-store');
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const headers = { 'content-type': JSON_TYPE, ...route.headers?.(call as never) };

  const key = `${revision} ${request.url}`;
  const known = answers.get(key);
  if (known) {
    if (known.link) reply.header('link', known.link);
    return reply.headers(headers).send(known.body);
  }
  const { body, nextCursor } = await route.answer(call as never);
  reply.headers(headers);
  const link = nextCursor ? nextLink(request.url, nextCursor) : null;
  if (link) reply.header('link', link);
  if (isWritten(body)) return sendWritten(context, body, { key, link }, reply);
  const bytes = encode(JSON.stringify(body));
  answers.set(key, { body: bytes, link });
  return reply.send(bytes);
};

const nextLink = (url: string, cursor: string): string => {
  const next = new URL(url, 'http://localhost');
  next.searchParams.set('cursor', cursor);
  return `<${next.pathname}${next.search}>; rel="next"`;
};

const isWritten = (body: unknown): body is WrittenJson => typeof body === 'object' && body !== null && 'pieces' in body;

interface LargeRead {
  /** Waits until there is room for another large answer. */
  start(): Promise<void>;
  sent(): void;
  took(): void;
}

const largeReads = new WeakMap<FastifyReply, LargeRead>();

const largeReadOf = ({ largeAnswers }: Context, reply: FastifyReply): LargeRead => {
  const known = largeReads.get(reply);
  if (known) return known;
  const gone = abortWhenGone(reply.raw);
  let place: Place | null = null;
  reply.raw.once('close', () => place?.release());
  const largeRead: LargeRead = {
    async start() {
      gone.throwIfAborted();
      place ??= await largeAnswers.enter(() => reply.raw.destroy(), gone);
      if (gone.aborted) place.release();
      gone.throwIfAborted();
    },
    sent: () => place?.sent(),
    took: () => place?.took(),
  };
  largeReads.set(reply, largeRead);
  return largeRead;
};

/** Sends the whole of a small answer, or a stream that starts with what was written of a large one. */
const sendWritten = async (
  context: Context,
  { pieces }: WrittenJson,
  { key, link }: { key: string; link: string | null },
  reply: FastifyReply,
): Promise<FastifyReply> => {
  let json = '';
  let turnAt = TURN_AFTER_LENGTH;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    json += next.value;
    if (json.length > STREAMED_FROM_LENGTH) {
      const largeRead = largeReadOf(context, reply);
      await largeRead.start();
      return reply.send(Readable.from(stream(json, pieces, largeRead), { objectMode: false }));
    }
    if (json.length < turnAt) continue;
    await nextTurn();
    turnAt = json.length + TURN_AFTER_LENGTH;
  }
  const body = encode(json);
  context.answers.set(key, { body, link });
  largeReads.get(reply)?.sent();
  return reply.send(body);
};

async function* stream(begun: string, pieces: AsyncGenerator<string>, reader: LargeRead): AsyncGenerator<Buffer> {
  let json = begun;
  for (let isDone = false; !isDone;) {
    if (json.length >= STREAM_PIECE_LENGTH) {
      reader.sent();
      yield encode(json);
      reader.took();
      json = '';
      await nextTurn();
    }
    const next = await pieces.next();
    if (next.done) isDone = true;
    else json += next.value;
  }
  reader.sent();
  yield encode(json);
}

/** Of a string with characters beyond Latin-1 this takes a tenth of the time of `Buffer.from(json)`. */
const encode = (json: string): Buffer => Buffer.from(transcode(Buffer.from(json, 'utf16le'), 'utf16le', 'utf8').buffer);
