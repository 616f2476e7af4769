import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../environment.ts';
import type { Credentials } from '../options/options.ts';
import { retryDelayMs } from './backoff.ts';
import { type HttpAnswer, exchange } from './exchange.ts';
import { type Failure, failureOf, mayPass, refusalOf } from './failure.ts';

/** What is sent; a body that is streamed is opened again for each try. */
export type Body =
  | { readonly kind: 'json'; readonly pieces: readonly Buffer[] }
  | { readonly kind: 'form'; readonly contentType: string; open(): Readable };

export const jsonBody = (text: string): Body => ({ kind: 'json', pieces: [Buffer.from(text)] });

export interface Call {
  readonly method?: 'GET' | 'POST';
  /** Such as `/api/test-runs/submit`. */
  readonly path: string;
  readonly idempotencyKey?: string;
  readonly body?: Body;
  /** Ends the call, and with it all further tries. */
  readonly signal: AbortSignal;
  /** How often it is tried when there is no answer, or one that may pass. */
  readonly tries?: number;
}

export type Reply<T> = { readonly ok: true; readonly body: T } | { readonly ok: false; readonly failure: Failure };

export interface Client {
  /** Never rejects. */
  call<T>(call: Call): Promise<Reply<T>>;
  close(): void;
}

const MOST_TRIES = 6;

/** Calls the service with credentials, and again when it is away for a moment. */
export const openClient = (serverUrl: string, credentials: Credentials, env: Environment): Client => {
  // Where Node knows proxies (from 24.5 on) those of the environment are used.
  const settings = { keepAlive: true, proxyEnv: { ...env } };
  const agent = serverUrl.startsWith('https:') ? new HttpsAgent(settings) : new HttpAgent(settings);
  let cookie: string | null = null;

  const send = ({ method = 'POST', path, idempotencyKey, body, signal }: Call): Promise<HttpAnswer> => {
    const headers: Record<string, string | number> = { accept: 'application/json' };
    if (credentials.kind === 'key') headers['authorization'] = `Bearer ${credentials.apiKey}`;
    if (cookie !== null) headers['cookie'] = cookie;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const url = serverUrl + path;
    if (body === undefined) return exchange({ method, url, headers, body: null, agent, signal });
    if (body.kind === 'form') {
      headers['content-type'] = body.contentType;
      return exchange({ method, url, headers, body: body.open(), agent, signal });
    }
    headers['content-type'] = 'application/json';
    headers['content-length'] = body.pieces.reduce((sum, { length }) => sum + length, 0);
    return exchange({ method, url, headers, body: Readable.from(body.pieces, { objectMode: false }), agent, signal });
  };

  const persist = async (call: Call): Promise<HttpAnswer | Failure> => {
    let before: HttpAnswer | Failure | null = null;
    for (let attempt = 1; ; attempt++) {
      const answer = await send(call).catch((error: Error) => failureOf(error, serverUrl, call.signal));
      if ('kind' in answer && answer.kind === 'refused') return answer;
      // That the deadline ended a try says less than what became of the one before it.
      if ('kind' in answer && call.signal.aborted && before !== null) return before;
      before = answer;
      if ('headers' in answer && !mayPass(answer.status)) return answer;
      const asked = 'headers' in answer ? answer.headers['retry-after'] : undefined;
      if (attempt < (call.tries ?? MOST_TRIES) && !call.signal.aborted) {
        await delay(retryDelayMs(attempt, asked), undefined, { signal: call.signal }).catch(() => undefined);
      }
      if (attempt >= (call.tries ?? MOST_TRIES) || call.signal.aborted) return answer;
    }
  };

  const signIn = async (username: string, password: string, signal: AbortSignal): Promise<Failure | null> => {
    cookie = null;
    const body = jsonBody(JSON.stringify({ username, password }));
    const answer = await persist({ path: '/api/auth/login', body, signal });
    if ('kind' in answer) return answer;
    // Without authentication there is nothing to sign in to, and nothing that needs it.
    if (answer.status === 400) cookie = '';
    else if (answer.status >= 300) return refusalOf(answer, serverUrl);
    else cookie = (answer.headers['set-cookie'] ?? []).map((text) => text.split(';')[0]).join('; ');
    return null;
  };

  const call = async <T>(given: Call): Promise<Reply<T>> => {
    const isLogin = credentials.kind === 'login';
    let signedInNow = false;
    if (isLogin && cookie === null) {
      const failure = await signIn(credentials.username, credentials.password, given.signal);
      if (failure) return { ok: false, failure };
      signedInNow = true;
    }
    let answer = await persist(given);
    if (isLogin && !signedInNow && 'headers' in answer && answer.status === 401) {
      const failure = await signIn(credentials.username, credentials.password, given.signal);
      if (failure) return { ok: false, failure };
      answer = await persist(given);
    }
    if ('kind' in answer) return { ok: false, failure: answer };
    const isGood = answer.status >= 200 && answer.status < 300 && answer.body !== null;
    return isGood ? { ok: true, body: answer.body as T } : { ok: false, failure: refusalOf(answer, serverUrl) };
  };

  return { call, close: () => agent.destroy() };
};
