import type { Endpoint } from '@assay/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { buildDocsPage } from '../../docs/docs-page.ts';
import { notFoundPage } from '../../docs/not-found-page.ts';
import { buildOpenApi } from '../../docs/openapi.ts';
import { AppError } from '../../errors.ts';
import { sendError } from '../../http/errors.ts';

const HTML = 'text/html; charset=utf-8';
/** The pages have one inline style sheet and nothing else; they load nothing from anywhere. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What the service says about itself: health, metrics and documentation. */
export const registerService = (app: FastifyInstance, context: Context, endpoints: readonly Endpoint[]): void => {
  const openApi = JSON.stringify(buildOpenApi(endpoints));
  const docs = buildDocsPage(endpoints);

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady(context);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'unavailable' });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(context.metrics.registry.contentType).send(await context.metrics.registry.metrics()),
  );
  app.get('/api/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(openApi));
  app.get('/docs', async (_request, reply) => sendPage(reply, 200, docs));
  app.get('/', async (_request, reply) => reply.redirect('/docs'));
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? sendPage(reply, 404, notFoundPage)
      : sendError(
          new AppError('not_found', `There is nothing at ${request.method} ${pathOf(request)}`),
          request,
          reply,
        ),
  );
};

const isReady = async ({ queries, writer }: Context): Promise<boolean> => {
  if (!writer.ready) return false;
  try {
    await queries.selectFrom('projects').select('id').limit(1).execute();
    return true;
  } catch {
    return false;
  }
};

const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .type(HTML)
    .header('content-security-policy', PAGE_POLICY)
    .header('referrer-policy', 'same-origin')
    .send(html);

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!.slice(0, 200);

const wantsPage = (request: FastifyRequest): boolean =>
  !/^\/api(?:\/|$)/.test(pathOf(request)) && (request.headers.accept?.includes('text/html') ?? false);
