import type { IncomingMessage } from 'node:http';
import type { Body, Endpoint, Headers, Params, Query, Reply, User } from '@assay/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReceivedBody } from './body.ts';

/** Who asks, and from where. */
export interface Caller {
  /** Null when nobody is signed in. */
  readonly user: User | null;
  readonly sessionId: number | null;
  readonly address: string;
  readonly userAgent: string | null;
}

/** Lets a request pass to its endpoint, or throws; answers who asks, which is looked up only when someone wants to know. */
export type Guard = (endpoint: Endpoint, request: FastifyRequest) => Promise<() => Promise<Caller>>;

/** The checked parts of a request without its body. */
export interface Call<E extends Endpoint> {
  caller(): Promise<Caller>;
  /** Asks again whether the caller may do this, and throws when not: rights may end while an upload comes. */
  readmit(): Promise<void>;
  /** Whether it came by HTTPS. */
  readonly secure: boolean;
  /** Aborts when the client goes before it has its answer. */
  untilGone(): AbortSignal;
  /** To be awaited before so many results are read: few large answers are made at once, and none when too many wait. */
  startLargeRead(rows: number): Promise<void>;
  /** Adds a header to the answer. */
  setHeader(name: string, value: string): void;
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly headers: Headers<E>;
}

export interface CallWithBody<E extends Endpoint> extends Call<E> {
  readonly body: Body<E>;
}

/** A page of a list carries the cursor of the next one in a header, so that the body keeps its shape. */
export interface Answer<R> {
  readonly body: R | WrittenJson;
  readonly nextCursor?: string | null;
}

/** JSON that is written in pieces, each of a few milliseconds, for answers too large to be built at once. */
export interface WrittenJson {
  readonly pieces: AsyncGenerator<string>;
}

export interface ReadRoute<C = never, R = unknown> {
  readonly kind: 'read';
  readonly endpoint: Endpoint;
  /** Names the state that the answer depends on; the same name means the same answer. Throws when there is nothing. */
  revision(call: C): Promise<string>;
  answer(call: C): Promise<Answer<R>>;
  /** Of the answer, where it is not plain JSON. */
  headers?(call: C): Readonly<Record<string, string>>;
}

/** Anything but a read of what runs are made of. */
export interface ActionRoute<C = never, R = unknown> {
  readonly kind: 'action';
  readonly endpoint: Endpoint;
  run(call: C): Promise<R>;
}

/** Takes the body as it came, unparsed. */
export interface RawRoute<C = never, R = unknown> {
  readonly kind: 'raw';
  readonly endpoint: Endpoint;
  run(call: C, body: ReceivedBody): Promise<R>;
}

/** Takes a multipart form as it comes. */
export interface FormRoute<C = never, R = unknown> {
  readonly kind: 'form';
  readonly endpoint: Endpoint;
  run(call: C, request: IncomingMessage): Promise<R>;
}

/** Answers with anything but JSON. */
export interface FileRoute<C = never> {
  readonly kind: 'file';
  readonly endpoint: Endpoint;
  run(call: C, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** A route whose call was checked against its endpoint where it was made. */
export type Route = ReadRoute | ActionRoute | RawRoute | FormRoute | FileRoute;

export const read = <const E extends Endpoint>(
  endpoint: E,
  handler: Pick<ReadRoute<Call<E>, Reply<E>>, 'revision' | 'answer' | 'headers'>,
): Route => ({ kind: 'read', endpoint, ...handler });

export const action = <const E extends Endpoint>(
  endpoint: E,
  run: (call: CallWithBody<E>) => Promise<Reply<E>>,
): Route => ({ kind: 'action', endpoint, run });

export const raw = <const E extends Endpoint>(
  endpoint: E,
  run: (call: Call<E>, body: ReceivedBody) => Promise<Reply<E>>,
): Route => ({ kind: 'raw', endpoint, run });

export const form = <const E extends Endpoint>(
  endpoint: E,
  run: (call: Call<E>, request: IncomingMessage) => Promise<Reply<E>>,
): Route => ({ kind: 'form', endpoint, run });

export const file = <const E extends Endpoint>(
  endpoint: E,
  run: (call: Call<E>, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): Route => ({ kind: 'file', endpoint, run });
