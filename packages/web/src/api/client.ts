import type { EndpointName, Endpoints, Reply } from '@assay/contract';
import { ApiError, type Input, send } from '@assay/contract/request';
import {
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query';
import { endpoints } from 'virtual:endpoints';
import { navigate } from 'wouter/use-browser-location';
import { clampMarks } from '../format/text.ts';
import { paths } from '../paths.ts';

const FRESH_MS = 10_000;
const KEPT_MS = 10 * 60_000;

/** A session that has ended leads to signing in, and from there back to the same page. */
const signInAgain = (error: Error): void => {
  const { pathname, search } = window.location;
  if (!(error instanceof ApiError) || error.body?.code !== 'authentication_required') return;
  void queryClient.invalidateQueries({ queryKey: ['getSession'] });
  if (pathname !== paths.login()) navigate(paths.login({ next: pathname + search }));
};

/** What was deleted is not shown any longer; after any other failure the last answer stays. */
const forgetDeleted = (error: Error, query: Query<unknown, unknown, unknown>): void => {
  if (error instanceof ApiError && error.status === 404) query.setState({ data: undefined });
};

/** By an answer, its ETag: as long as that stays the same, the answer need not be parsed and compared again. */
const versions = new WeakMap<object, string>();
const setVersion = (answer: unknown, version: string | null | undefined): void => {
  if (version && typeof answer === 'object' && answer !== null) versions.set(answer, version);
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, query) {
      signInAgain(error);
      forgetDeleted(error, query);
    },
  }),
  mutationCache: new MutationCache({ onError: signInAgain }),
  defaultOptions: {
    // A service on this machine or in this house answers without the internet.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      structuralSharing(before, now) {
        const kept: unknown = replaceEqualDeep(before, now);
        setVersion(kept, versions.get(now as object));
        return kept;
      },
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 2,
      retryDelay: (failures) => 500 * 2 ** failures,
    },
  },
});

type InputOf<N extends EndpointName> = Input<Endpoints[N]>;
type ReplyOf<N extends EndpointName> = Reply<Endpoints[N]>;

/** Sends one request; the browser revalidates by ETag what it still has. */
export const request = async <N extends EndpointName>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
  known?: ReplyOf<N>,
): Promise<ReplyOf<N>> => {
  const { body } = await requestPage(name, input, signal, known);
  return body;
};

export interface PageOf<T> {
  readonly body: T;
  /** Asks for the page behind this one; null when there is none. */
  readonly nextCursor: string | null;
}

/** The same for a list in pages. */
export const requestPage = async <N extends EndpointName>(
  name: N,
  input: InputOf<N>,
  signal?: AbortSignal,
  known?: ReplyOf<N>,
): Promise<PageOf<ReplyOf<N>>> => {
  const version = known && versions.get(known);
  const findKnown = (headers: Headers) => (version === headers.get('etag') ? known : undefined);
  const options = { baseUrl: '', filterText: clampMarks, findKnown, ...(signal ? { signal } : {}) };
  const { body, headers } = await send<Endpoints[N]>(options, endpoints[name], input);
  setVersion(body, headers.get('etag'));
  return { body, nextCursor: cursorIn(headers.get('link')) };
};

const cursorIn = (link: string | null): string | null => {
  const next = link && /<([^>]*)>;\s*rel="next"/.exec(link)?.[1];
  return next ? new URL(next, 'http://localhost').searchParams.get('cursor') : null;
};

/** A read as a value: for `useQuery`, for prefetching, for the cache. */
export const ask = <N extends EndpointName>(name: N, input: InputOf<N>) =>
  queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ client, queryKey, signal }) => request(name, input, signal, client.getQueryData(queryKey)),
  });
