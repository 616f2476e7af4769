import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import cors from '@fastify/cors';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { AppError } from './errors.ts';
import { createGuard } from './features/accounts/guard.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { userRoutes } from './features/accounts/user-routes.ts';
import { adminRoutes } from './features/admin/routes.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { caseRoutes } from './features/cases/routes.ts';
import { clusterRoutes } from './features/clusters/routes.ts';
import { commitRoutes } from './features/commits/routes.ts';
import { openEventStreams } from './features/events/routes.ts';
import { exportRoutes } from './features/export/routes.ts';
import { fileRoutes } from './features/files/routes.ts';
import { importRoutes } from './features/import/routes.ts';
import { ingestRoutes } from './features/ingest/routes.ts';
import { insightRoutes } from './features/insights/routes.ts';
import { registerInterface } from './features/interface/routes.ts';
import { liveRoutes } from './features/live/routes.ts';
import { networkRoutes } from './features/network/routes.ts';
import { ownerRoutes } from './features/owners/routes.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { queryRoutes } from './features/query/routes.ts';
import { retentionRoutes } from './features/retention/routes.ts';
import { runRoutes } from './features/runs/routes.ts';
import { searchRoutes } from './features/search/routes.ts';
import { registerService, serviceRoutes } from './features/service/routes.ts';
import { testRoutes } from './features/tests/routes.ts';
import { registerViewer } from './features/viewer/routes.ts';
import { viewRoutes } from './features/views/routes.ts';
import { createHostGuard, isForHost, requireHost } from './http/allowed-hosts.ts';
import { watchRoutes } from './http/allowed-methods.ts';
import { type ReceivedBody, discardBody, isCompressed, receiveBody } from './http/body.ts';
import { clientAddress } from './http/client-address.ts';
import type { Route } from './http/endpoint.ts';
import { malformedRequestResponse, refuseExpectation, sendError } from './http/errors.ts';
import type { Metrics } from './http/metrics.ts';
import { leaveUnread, registerRoute } from './http/routes.ts';
import { boundUnread } from './http/unread-body.ts';

const LONGEST_PATH_PARAMETER = 2_000;
const SMALL_BODY_BYTES = 1024 * 1024;
/** The log says where these came from: someone may be guessing. */
const REFUSED = new Set([401, 403, 421, 429]);

const routesOf = (context: Context): Route[] => [
  ...ingestRoutes(context),
  ...importRoutes(context),
  ...liveRoutes(context),
  ...commitRoutes(context),
  ...fileRoutes(context),
  ...projectRoutes(context),
  ...insightRoutes(context),
  ...clusterRoutes(context),
  ...testRoutes(context),
  ...ownerRoutes(context),
  ...runRoutes(context),
  ...exportRoutes(context),
  ...networkRoutes(context),
  ...caseRoutes(context),
  ...searchRoutes(context),
  ...queryRoutes(context),
  ...viewRoutes(context),
  ...adminRoutes(context),
  ...retentionRoutes(context),
  ...accountRoutes(context),
  ...userRoutes(context),
  ...auditRoutes(context),
  ...serviceRoutes(context),
];

/** The HTTP server over a context; nothing listens yet. */
export const buildApp = async (context: Context, logger: FastifyBaseLogger): Promise<FastifyInstance> => {
  const { config, stagingDir, metrics } = context;
  const underway = new WeakMap<Duplex, Set<ServerResponse>>();
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    // An upload may take hours. A body that stops coming is noticed where it is read.
    requestTimeout: 0,
    trustProxy: trustedProxies(config),
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    return503OnClosing: false,
    // Routes check what they take by the contract; Fastify's own validator and serializer would be loaded for nothing.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Node would answer a request without a host with an empty body; `requireHost` says what is missing.
    http: { requireHostHeader: false },
    // These never reach a route, nor the hooks.
    frameworkErrors(error, request, reply) {
      reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
      sendError(error, request, reply);
      recordRequest(metrics, request, reply);
    },
    clientErrorHandler(error, socket) {
      // In the middle of an answer it would become a part of that answer; before one, it would be taken for it.
      const isTakenForAnother = [...(underway.get(socket) ?? [])].some(
        (answer) => answer.headersSent || answer.req.complete,
      );
      if (socket.writable && !isTakenForAnother) socket.end(malformedRequestResponse(error));
      else socket.destroy();
    },
  });
  app.server.on('checkExpectation', refuseExpectation);
  app.setErrorHandler(sendError);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.routeOptions.config.takesAnyBody) return undefined;
    if (isCompressed(payload.headers)) {
      throw new AppError('unsupported_media_type', 'The body must not be compressed: no Content-Encoding is supported');
    }
    const { stallMs, maxWaitingBytes } = config;
    const maxBytes = bodyLimitOf(request, config);
    const body = await receiveBody(payload, { maxBytes, maxWaitingBytes, stagingDir, stallMs });
    // A route is not called any more for a client that has gone.
    if (payload.socket.destroyed) await discardBody(body);
    return body;
  });
  app.addContentTypeParser('*', async (request: FastifyRequest) => leaveUnread(request));
  const requireAllowedHost = createHostGuard(config);
  const stopping = { now: false };
  const eventStreams = openEventStreams(context);
  const connections = watchConnections(app);
  const methodsOf = watchRoutes(app);
  app.addHook('preClose', async () => {
    stopping.now = true;
    eventStreams.end();
    connections.destroySilent();
    setTimeout(connections.destroyAll, config.stopMs).unref();
    await context.merges.close();
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const { socket } = request.raw;
    const answers = underway.get(socket) ?? new Set();
    underway.set(socket, answers.add(reply.raw));
    reply.raw.once('finish', () => boundUnread(request.raw, config.stallMs));
    reply.raw.once('close', () => {
      answers.delete(reply.raw);
      void discardBody(request.body as ReceivedBody | undefined);
    });
    requireHost(request);
    requireAllowedHost(request);
    if (isOnReportsHost(request, config)) refuseAllButReports(request);
    if (stopping.now) throw new AppError('unavailable', 'The service is stopping; try again shortly');
    if (request.is404) {
      const allowed = methodsOf(request.url.split('?', 1)[0]!);
      if (allowed.length > 0) return answerOtherMethod(request, reply, allowed);
    }
    context.storage.requireWritable(request);
  });
  app.addHook('onSend', async (_request, reply) => {
    // A client that keeps its connection would keep the service from ending.
    if (stopping.now || context.draining.now) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    recordRequest(metrics, request, reply);
  });
  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...config.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      exposedHeaders: ['etag', 'link', 'x-request-id'],
    });
  }
  const { identifier } = context.accounts;
  const guard = createGuard(identifier, config);
  const routes = [...routesOf(context), ...eventStreams.routes];
  for (const route of routes) registerRoute(app, context, guard, route);
  registerViewer(app);
  registerService(
    app,
    context,
    routes.map((route) => route.endpoint),
  );
  registerInterface(app, config);
  return app;
};

const noSchemas = () => (): never => {
  throw new Error('Routes have no schemas of Fastify');
};

interface Connections {
  /** Browsers open connections ahead of need; one that has never sent anything would keep the service from ending. */
  destroySilent(): void;
  destroyAll(): void;
}

const watchConnections = ({ server }: FastifyInstance): Connections => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    destroySilent() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
    destroyAll() {
      for (const socket of open) socket.destroy();
    },
  };
};

/** A path that takes other methods than this one. */
const answerOtherMethod = (
  { method }: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): FastifyReply => {
  reply.header('allow', allowed.join(', '));
  if (method === 'OPTIONS') return reply.code(204).send();
  throw new AppError('method_not_allowed', `This path takes ${allowed.join(', ')}, not ${method}`);
};

const recordRequest = (metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void => {
  const { method, url, routeOptions, log } = request;
  const status = reply.statusCode;
  metrics.requests.observe({ method, route: routeOptions?.url ?? 'none', status }, reply.elapsedTime / 1000);
  const path = url.split('?', 1)[0];
  const refused = REFUSED.has(status) ? { address: clientAddress(request) } : {};
  log.info({ method, path, status, ms: Math.round(reply.elapsedTime * 10) / 10, ...refused }, 'request');
};

/** Only results are large; everything else is parsed by the thread that answers. */
const bodyLimitOf = ({ routeOptions }: FastifyRequest, { maxBodyBytes }: Config): number =>
  routeOptions.config.takesRawBody ? maxBodyBytes : Math.min(SMALL_BODY_BYTES, maxBodyBytes);

const trustedProxies = ({ trustProxy }: Config): boolean | string | ((address: string, hop: number) => boolean) =>
  typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy;

const isOnReportsHost = (request: FastifyRequest, { reportsUrl }: Config): boolean =>
  reportsUrl !== null && isForHost(request, new URL(reportsUrl).hostname);

/** A service worker of one report could change all others. */
const refuseAllButReports = ({ url, headers }: FastifyRequest): void => {
  if (!url.startsWith('/api/files/reports/') || headers['service-worker'] !== undefined) {
    throw new AppError('not_found', 'This address serves the files of reports and nothing else');
  }
};

const createRequestIds = (): (() => string) => {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
};
