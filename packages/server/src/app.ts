import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { endpoints } from '@assay/contract';
import cors from '@fastify/cors';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { accountRoutes } from './features/accounts/routes.ts';
import { adminRoutes } from './features/admin/routes.ts';
import { caseRoutes } from './features/cases/routes.ts';
import { ingestRoutes } from './features/ingest/routes.ts';
import { insightRoutes } from './features/insights/routes.ts';
import { networkRoutes } from './features/network/routes.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { runRoutes } from './features/runs/routes.ts';
import { registerService } from './features/service/routes.ts';
import { testRoutes } from './features/tests/routes.ts';
import { type ReceivedBody, discardBody, receiveBody } from './http/body.ts';
import type { Route } from './http/endpoint.ts';
import { malformedRequestResponse, sendError } from './http/errors.ts';
import { registerRoute } from './http/routes.ts';

const REQUEST_TIMEOUT_MS = 300_000;
const LONGEST_PATH_PARAMETER = 2_000;
const SMALL_BODY_BYTES = 1024 * 1024;

const routesOf = (context: Context): Route[] => [
  ...ingestRoutes(context),
  ...projectRoutes(context),
  ...insightRoutes(context),
  ...testRoutes(context),
  ...runRoutes(context),
  ...networkRoutes(context),
  ...caseRoutes(context),
  ...adminRoutes(context),
  ...accountRoutes(),
];

/** The HTTP server over a context; nothing listens yet. */
export const buildApp = async (context: Context, logger: FastifyBaseLogger): Promise<FastifyInstance> => {
  const { config, stagingDir, buffers, metrics } = context;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    frameworkErrors: sendError,
    clientErrorHandler(error, socket) {
      if (socket.writable) socket.end(malformedRequestResponse(error));
    },
  });
  app.setErrorHandler(sendError);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
    receiveBody(payload, { maxBytes: bodyLimitOf(request, config), stagingDir, buffers }),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  });
  app.addHook('onResponse', async (request, reply) => {
    await discardBody(request.body as ReceivedBody | undefined);
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  });
  if (config.corsOrigins.length > 0) {
    await app.register(cors, { origin: [...config.corsOrigins], exposedHeaders: ['etag', 'link', 'x-request-id'] });
  }
  const routes = routesOf(context);
  for (const route of routes) registerRoute(app, context, route);
  registerService(
    app,
    context,
    routes.map((route) => route.endpoint),
  );
  return app;
};

/** Only a submission is large; everything else is parsed by the thread that answers. */
const bodyLimitOf = ({ routeOptions }: FastifyRequest, { maxBodyBytes }: Config): number =>
  routeOptions.url === endpoints.submitRun.path ? maxBodyBytes : Math.min(SMALL_BODY_BYTES, maxBodyBytes);

const createRequestIds = (): (() => string) => {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
};
