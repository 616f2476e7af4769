import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { matchesEtag } from '../../http/etag.ts';
import { foreignTracePage, missingViewerPage, noTracePage, openTracePage } from './pages.ts';
import { pagePolicy, policyOf } from './policy.ts';
import { STOCK_WORKER, guardedWorker } from './service-worker.ts';
import { type TraceQuery, readTraceQuery, traceViewerUrl } from './trace-link.ts';
import { type ViewerFile, type ViewerFiles, loadViewerFiles, viewerFile } from './viewer-files.ts';

const HTML = 'text/html; charset=utf-8';
const WORKER = 'sw.bundle.js';
const YEAR_SECONDS = 31_536_000;

/** Playwright's trace viewer over the traces that are stored here, and over no others. */
export const registerViewer = (app: FastifyInstance, load: () => ViewerFiles | null = loadViewerFiles): void => {
  let loaded: ViewerFiles | null | undefined;
  /** Read when the viewer is first opened: most services start many times before that. */
  const viewerFiles = (): ViewerFiles | null => {
    if (loaded === undefined) {
      const stock = load();
      loaded = stock && guardWorker(stock);
    }
    return loaded;
  };

  app.get('/trace-viewer', async (request, reply) => reply.redirect(`/trace-viewer/${searchOf(request)}`));
  app.get('/trace-viewer/', async (request, reply) => {
    const trace = readTraceQuery(searchOf(request), request.host);
    if (trace.kind === 'foreign') return sendPage(reply, 400, foreignTracePage(trace.value));
    if (viewerFiles() === null) return sendMissingViewer(request, reply, trace);
    if (trace.kind === 'none') return sendPage(reply, 200, noTracePage);
    if (!trace.canonical) return reply.redirect(traceViewerUrl(trace.path));
    return sendPage(reply, 200, openTracePage(trace.path, absoluteUrl(request, trace.path)));
  });
  app.get<{ Params: { '*': string } }>('/trace-viewer/*', async (request, reply) => {
    const files = viewerFiles();
    const file = files?.get(request.params['*']);
    if (files === null) return sendMissingViewer(request, reply, { kind: 'none' });
    if (file === undefined) throw new AppError('not_found', 'The trace viewer has no such file');
    if (file.type !== HTML) return sendFile(request, reply, file);
    const trace = readTraceQuery(searchOf(request), request.host);
    if (trace.kind === 'foreign') return sendPage(reply, 400, foreignTracePage(trace.value));
    if (trace.kind === 'none') return reply.redirect('/trace-viewer/');
    if (!trace.canonical) return reply.redirect(traceViewerUrl(trace.path));
    return sendFile(request, reply, file);
  });
};

/** Puts our worker in the place of Playwright's, which it then runs. */
const guardWorker = (stock: ViewerFiles): ViewerFiles => {
  const files = new Map(stock);
  const worker = stock.get(WORKER);
  if (worker === undefined) return files;
  return files.set(STOCK_WORKER, worker).set(WORKER, viewerFile(WORKER, worker.type, Buffer.from(guardedWorker)));
};

const sendFile = (request: FastifyRequest, reply: FastifyReply, file: ViewerFile): FastifyReply => {
  reply
    .type(file.type)
    .header('etag', file.etag)
    .header('cache-control', file.hashedName ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
    .header('content-security-policy', policyOf(file.type, file.bytes))
    .header('referrer-policy', 'no-referrer');
  return matchesEtag(request.headers['if-none-match'], file.etag) ? reply.code(304).send() : reply.send(file.bytes);
};

const sendPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply
    .code(status)
    .type(HTML)
    .header('cache-control', 'no-cache')
    .header('content-security-policy', pagePolicy(page))
    .header('referrer-policy', 'no-referrer')
    .send(page);

const sendMissingViewer = (request: FastifyRequest, reply: FastifyReply, trace: TraceQuery): FastifyReply => {
  const path = trace.kind === 'stored' ? trace.path : null;
  return sendPage(reply, 503, missingViewerPage(path, path === null ? '' : absoluteUrl(request, path)));
};

const absoluteUrl = ({ protocol, host }: FastifyRequest, path: string): string => `${protocol}://${host}${path}`;

const searchOf = ({ url }: FastifyRequest): string => {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
};
