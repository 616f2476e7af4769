import { type Endpoint, endpoints } from '@assay/contract';
import type { FastifyInstance } from 'fastify';
import { findPlaywright } from '../../blob-reports/find-playwright.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { buildOpenApi } from '../../docs/openapi.ts';
import { type Route, action } from '../../http/endpoint.ts';
import { version } from '../../version.ts';

export const serviceRoutes = ({ queries, config: { authEnabled } }: Context): Route[] => {
  const playwrightMerge = findPlaywright() !== null;
  return [
    action(endpoints.getService, async () => ({
      name: 'Assay' as const,
      version,
      authEnabled,
      setupNeeded: authEnabled && !(await hasUsers(queries)),
      playwrightMerge,
    })),
  ];
};

const hasUsers = async (queries: Queries): Promise<boolean> =>
  (await queries.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;

/** What the service says about itself to programs: health, metrics and the description of its interface. */
export const registerService = (app: FastifyInstance, context: Context, described: readonly Endpoint[]): void => {
  let openApi: string | undefined;

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const problem = await findProblem(context);
    if (problem === null) return { status: 'ready' };
    return reply.code(503).send({ status: 'unavailable', reason: problem });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(context.metrics.registry.contentType).send(await context.metrics.registry.metrics()),
  );
  app.get('/api/openapi.json', async (_request, reply) => {
    openApi ??= JSON.stringify(buildOpenApi(described));
    return reply.type('application/json; charset=utf-8').send(openApi);
  });
};

/** Why the service cannot store or read, or null. */
const findProblem = async ({ queries, writer, storage, blobs, draining }: Context): Promise<string | null> => {
  if (draining.now) return 'The service is about to stop';
  if (!writer.ready) return 'The writing thread is not running';
  const problem = await storage.findProblem();
  if (problem !== null) return problem.message;
  try {
    await queries.selectFrom('projects').select('id').limit(1).execute();
  } catch {
    return 'The database cannot be read';
  }
  return blobs.findProblem();
};
