import { endpoints } from '@assay/contract';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type Route, file } from '../../http/endpoint.ts';
import { viewerRedirect } from '../viewer/trace-link.ts';
import { servedType } from './attachment.ts';
import { contentTypeOf, isPage } from './content-type.ts';
import { createFileFinder } from './find-file.ts';
import { parseFilePath } from './paths.ts';
import { findRedirect, sendRedirect } from './redirect-download.ts';
import { REPORT_KEY_PARAMETER, reportCors, reportKey, reportSecret } from './report-cors.ts';
import { openReport, sandboxedReport } from './report-html.ts';
import { fileNotFound, sendStoredFile } from './serve-file.ts';
import { sendReportPage } from './serve-page.ts';

const RUN_AS_SCRIPT = new Set(['script', 'worker', 'sharedworker', 'serviceworker', 'audioworklet', 'paintworklet']);

export const fileRoutes = ({ database, blobs, config }: Context): Route[] => {
  const files = createFileFinder(database);
  const { publicUrl, reportsUrl } = config;
  const reportsHost = reportsUrl === null ? null : new URL(reportsUrl).host;
  const secret = reportSecret(config.authSecrets);
  return [
    file(endpoints.getFile, async ({ params: { path } }, request, reply) => {
      const name = parseFilePath(path);
      if (name === null) throw fileNotFound();
      if (name.kind === 'trace') {
        const found = await files.find(name);
        if (!found) throw fileNotFound();
        const address = await findRedirect(blobs, found, 'application/zip', path, request);
        if (address !== null) return sendRedirect(reply, address);
        return sendStoredFile(blobs, found, 'application/zip', request, reply);
      }
      if (name.kind === 'attachment') {
        const found = await files.findAttachment(name.attachmentId);
        if (!found) throw fileNotFound();
        requireNoScriptOfOurs(request, null);
        const { contentType, headers } = servedType(found.contentType);
        const address = await findRedirect(blobs, found, contentType, path, request);
        if (address !== null) return sendRedirect(reply, address);
        return sendStoredFile(blobs, found, contentType, request, reply, headers);
      }
      const folder = `/api/files/reports/${name.reportId}`;
      const query = new URLSearchParams(searchOf(request.url));
      const viewer = viewerRedirect(name.path, query.toString(), folder);
      if (viewer !== null) return reply.redirect(reportsHost === null ? viewer : `${publicUrl}${viewer}`);
      const found = await files.find(name);
      if (!found) throw fileNotFound();
      const contentType = contentTypeOf(name.path);
      const key = reportKey(secret, folder);
      if (!isPage(contentType)) {
        requireNoScriptOfOurs(request, reportsHost);
        const { origin } = request.headers;
        reply.headers(reportCors(contentType, { origin, key: query.get(REPORT_KEY_PARAMETER) }, key));
        return sendStoredFile(blobs, found, contentType, request, reply);
      }
      if (reportsHost === null) {
        return sendReportPage(blobs, found, (start) => sandboxedReport(start, key), request, reply);
      }
      if (request.host === reportsHost) return sendReportPage(blobs, found, openReport, request, reply);
      return reply.redirect(`${reportsUrl}${request.url}`);
    }),
  ];
};

/**
 * The pages of the interface run the scripts of this origin. Those of a report must never be among them: a sandboxed
 * report is another site to the browser, so that only a page of ours can ask for a script like this.
 */
const requireNoScriptOfOurs = ({ headers, host }: FastifyRequest, reportsHost: string | null): void => {
  if (host === reportsHost || headers['sec-fetch-site'] !== 'same-origin') return;
  if (RUN_AS_SCRIPT.has(String(headers['sec-fetch-dest']))) {
    throw new AppError('insufficient_permissions', 'A script of a report runs only in the pages of the report');
  }
};

const searchOf = (url: string): string => {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
};
