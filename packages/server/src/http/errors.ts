import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorBody, errorStatus } from '@assay/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

const HEADERS_OF_CONTENT = ['etag', 'content-encoding', 'content-length', 'accept-ranges', 'link'];

/** Answers an error in the one shape that all errors have. */
export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const refused = asAppError(error);
  if (refused.code === 'unavailable') request.log.warn({ reason: refused.message }, 'request refused');
  else if (refused.status >= 500) request.log.error({ err: error }, 'request failed');
  const body: ErrorBody = {
    statusCode: refused.status,
    code: refused.code,
    message: refused.message,
    ...(refused.issues ? { issues: [...refused.issues] } : {}),
    requestId: request.id,
  };
  // The route may have got as far as describing the file or the list that it cannot send.
  for (const header of HEADERS_OF_CONTENT) reply.removeHeader(header);
  if (refused.status !== 416) reply.removeHeader('content-range');
  reply.code(refused.status).header('cache-control', 'no-store').type('application/json; charset=utf-8');
  if (refused.retryAfterSeconds !== null) reply.header('retry-after', String(refused.retryAfterSeconds));
  if (refused.code === 'request_timeout') reply.header('connection', 'close');
  // Node would otherwise close on a client that asked for it, and a client that still sends would lose the answer.
  if (refused.code === 'body_too_large') reply.header('connection', 'keep-alive');
  void reply.send(JSON.stringify(body));
};

const asAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  const { code, statusCode, message } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new AppError('unsupported_media_type', 'The content type of the body must be application/json');
  }
  if (code === 'ENOSPC') return new AppError('storage_full', 'The disk of the service is full');
  if (code === 'ECONNRESET' || code === 'ECONNABORTED')
    return new AppError('invalid_request', 'The request was cut off');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('invalid_request', message ?? 'The request is not valid');
  }
  return new AppError('internal', 'Something went wrong in the service; its log has the details under this request id');
};

/** Answers an `Expect` that is not `100-continue`; Node would leave the body empty. */
export const refuseExpectation = (_request: IncomingMessage, response: ServerResponse): void => {
  const code = 'expectation_failed';
  const statusCode = errorStatus[code];
  const message = 'The only Expect that is understood is 100-continue';
  const body = JSON.stringify({ statusCode, code, message, requestId: '' } satisfies ErrorBody);
  response
    .writeHead(statusCode, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    })
    .end(body);
};

/** What a client gets whose bytes are no HTTP request. */
export const malformedRequestResponse = (error: NodeJS.ErrnoException): string => {
  const code =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? 'request_timeout'
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers_too_large'
        : 'invalid_request';
  const message =
    code === 'request_timeout'
      ? 'The request took too long to arrive'
      : code === 'headers_too_large'
        ? 'The headers of the request are too large'
        : 'This is not an HTTP request';
  const statusCode = errorStatus[code];
  const body = JSON.stringify({ statusCode, code, message, requestId: '' } satisfies ErrorBody);
  return `HTTP/1.1 ${statusCode} Error\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
};
