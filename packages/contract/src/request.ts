import type { Body, Endpoint, Headers as RequestHeaders, Params, Query, Reply } from './endpoint.ts';
import type { EndpointName, Endpoints } from './endpoints.ts';
import type { ErrorBody } from './errors.ts';

export interface ClientOptions {
  readonly baseUrl: string;
  readonly headers?: Record<string, string>;
  readonly fetch?: typeof fetch;
  readonly signal?: AbortSignal;
  /** Changes the text of each answer before it is parsed. */
  readonly filterText?: (text: string) => string;
  /** An earlier answer, if it is what these headers tell of: the body is then not parsed. */
  readonly findKnown?: (headers: Headers) => unknown;
}

/** What a request needs of an endpoint. */
export type Address<E extends Endpoint> = Pick<E, 'method' | 'path'>;
/** The addresses of all endpoints: enough to call them, without their schemas. */
export type AddressTable = { readonly [N in EndpointName]: Address<Endpoints[N]> };

type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };
type Required<T> = { [K in keyof T as {} extends T[K] ? never : K]: T[K] };
type Loose<T> = { [K in keyof T as {} extends T[K] ? K : never]?: T[K] };

type Parts<E extends Endpoint> = Present<{
  params: Params<E>;
  query: Query<E>;
  headers: RequestHeaders<E>;
  body: Body<E>;
}>;

/** What a call takes: the parts that its endpoint declares; a part whose fields are all optional may be left out. */
export type Input<E extends Endpoint> = Required<Parts<E>> & Loose<Parts<E>>;

export interface Answer<E extends Endpoint> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Reply<E>;
}

export type Client = {
  [N in EndpointName]: {} extends Input<Endpoints[N]>
    ? (input?: Input<Endpoints[N]>) => Promise<Reply<Endpoints[N]>>
    : (input: Input<Endpoints[N]>) => Promise<Reply<Endpoints[N]>>;
};

/** An answer that is not a success, with what the service said about it. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody | null;

  constructor(status: number, body: ErrorBody | null) {
    super(body?.message ?? `The service answered ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export const createClientOf = (table: AddressTable, options: ClientOptions): Client => {
  const call = (name: EndpointName) => async (input?: Input<Endpoint>) =>
    (await send<Endpoint>(options, table[name], input ?? {})).body;
  const names = Object.keys(table) as EndpointName[];
  return Object.fromEntries(names.map((name) => [name, call(name)])) as unknown as Client;
};

/** One request, with the status and the headers of its answer. */
export const send = async <E extends Endpoint>(
  options: ClientOptions,
  address: E | Address<E>,
  input: Input<NoInfer<E>>,
): Promise<Answer<E>> => {
  const parts = input as { params?: object; query?: object; headers?: object; body?: unknown };
  const headers = new Headers(options.headers);
  for (const [name, value] of Object.entries(parts.headers ?? {})) headers.set(name, String(value));
  const request: RequestInit = { method: address.method, headers };
  if (options.signal) request.signal = options.signal;
  if (parts.body instanceof FormData) request.body = parts.body;
  else if (parts.body !== undefined) {
    headers.set('content-type', 'application/json');
    request.body = JSON.stringify(parts.body);
  }
  const url = options.baseUrl.replace(/\/+$/, '') + urlOf(address, parts.params ?? {}, parts.query ?? {});
  const response = await (options.fetch ?? fetch)(url, request);
  const known: unknown = response.ok ? options.findKnown?.(response.headers) : undefined;
  if (known !== undefined) {
    // To its end, which leaves the connection to the next request.
    await response.arrayBuffer();
    return { status: response.status, headers: response.headers, body: known as Reply<E> };
  }
  const received = await response.text();
  const text = options.filterText ? options.filterText(received) : received;
  if (!response.ok) throw new ApiError(response.status, parseJson(text) as ErrorBody | null);
  return { status: response.status, headers: response.headers, body: parseJson(text) as Reply<E> };
};

export const urlOf = (address: Pick<Endpoint, 'path'>, params: object, query: object): string => {
  const values = new Map(Object.entries(params));
  const path = address.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const value = String(values.get(name));
    return rest ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${path}?${search.toString()}` : path;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
