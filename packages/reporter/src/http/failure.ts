import type { HttpAnswer } from './exchange.ts';

export type Failure =
  /** No answer, or none that lasts: it may work later. */
  | { readonly kind: 'away'; readonly why: string; readonly isUnreachable?: boolean }
  /** An answer that will be the same next time. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string | null;
      readonly why: string;
      /** Names of the fields or parts of the request that it is about, or the path of the file; none where that is not known. */
      readonly about?: readonly string[];
    };

/** Too many requests, overloaded, disk full: nothing else would be taken either. */
const TAKES_NOTHING = new Set([429, 503, 507]);

/** Whether the same request may be answered otherwise in a moment. */
export const mayPass = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

/** Whether the next run need not try: what is wrong is with this delivery, not with how it was sent. */
export const isFinal = (failure: Failure): boolean =>
  failure.kind === 'refused' && [400, 409, 413, 415, 422].includes(failure.status);

/** Whether anything else that is sent now would fail as well. */
export const concernsAll = (failure: Failure): boolean =>
  failure.kind === 'away' ? failure.isUnreachable === true : !isFinal(failure);

export const refusalOf = ({ status, headers, body }: HttpAnswer, serverUrl: string): Failure => {
  const said =
    typeof body === 'object' && body !== null ? (body as { message?: unknown; code?: unknown; issues?: unknown }) : {};
  const message = typeof said.message === 'string' ? said.message : null;
  const why = `${serverUrl} answered ${status}${message ? `: ${message}` : ''}`;
  if (mayPass(status)) return { kind: 'away', why, isUnreachable: TAKES_NOTHING.has(status) };
  const code = typeof said.code === 'string' ? said.code : null;
  if (status >= 300 && status < 400) {
    return { kind: 'refused', status, code, why: `${why}; set serverUrl to where it redirects, ${headers.location}` };
  }
  if (status === 401) return { kind: 'refused', status, code, why: `${why} (see apiKey or ASSAY_API_KEY)` };
  if (body === null)
    return { kind: 'refused', status, code, why: `${why}, which is not an Assay response: check serverUrl` };
  return { kind: 'refused', status, code, why, about: fieldsIn(said.issues) };
};

/** The first step of each JSON Pointer. */
const fieldsIn = (issues: unknown): string[] =>
  (Array.isArray(issues) ? issues : []).flatMap((issue: unknown) => {
    const { path } = (issue ?? {}) as { path?: unknown };
    const [, field] = typeof path === 'string' ? path.split('/') : [];
    return field ? [field.replaceAll('~1', '/').replaceAll('~0', '~')] : [];
  });

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection',
  EPIPE: 'closed the connection',
  ENOTFOUND: 'could not be resolved',
  EAI_AGAIN: 'could not be resolved (temporary DNS failure)',
  EHOSTUNREACH: 'is unreachable',
  ENETUNREACH: 'is unreachable',
  ETIMEDOUT: 'did not respond',
};

/** A connection that was closed says nothing of the next request. */
const OF_ONE_REQUEST = new Set(['ECONNRESET', 'EPIPE']);

/** A file of the request that cannot be read: the same happens next time. */
export const UNREADABLE = 'unreadable';

export const failureOf = (error: Error, serverUrl: string, signal: AbortSignal): Failure => {
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === UNREADABLE) return { kind: 'refused', status: 0, code, why: error.message, about: path ? [path] : [] };
  const isUnreachable = signal.aborted || !OF_ONE_REQUEST.has(code ?? '');
  return { kind: 'away', why: whyNoAnswer(error, serverUrl, signal), isUnreachable };
};

const whyNoAnswer = (error: Error, serverUrl: string, signal: AbortSignal): string => {
  if (signal.aborted) return `${serverUrl} did not finish in time (see timeoutMs)`;
  // One name may have several addresses, each with its own error.
  const { code } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  return `${serverUrl} ${WORDS[code ?? ''] ?? `cannot be used: ${error.message || code}`}`;
};
