import type { Endpoint } from '@assay/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { Caller, Guard } from '../../http/endpoint.ts';
import { type Identifier, mayCall, readKey } from './caller.ts';

/** The one place that decides who may call what. It runs before anything of the body is read. */
export const createGuard = (identifier: Identifier, { authEnabled, publicUrl, corsOrigins }: Config): Guard => {
  const trustedOrigins = [...corsOrigins, ...(publicUrl === null ? [] : [publicUrl])];
  const callerByKey = async (endpoint: Endpoint, request: FastifyRequest, key: string): Promise<Caller> => {
    if (endpoint.access !== 'submitter') {
      throw new AppError('authentication_required', 'API keys open the submission endpoints only; sign in instead');
    }
    return { ...identifier.anyone(request), user: await identifier.byKey(key) };
  };

  return async (endpoint, request) => {
    const key = readKey(request);
    if (endpoint.method !== 'GET' && key === null) refuseCrossSite(request, trustedOrigins);
    if (!authEnabled && endpoint.errors.includes('authentication_disabled')) {
      throw new AppError('authentication_disabled', 'Authentication is not enabled');
    }
    if (!authEnabled || endpoint.access === 'public') {
      // Behind a key no cookie is tried, also where neither is needed.
      return once(async () => (key === null ? identifier.bySession(request) : identifier.anyone(request)));
    }
    const caller = key === null ? await identifier.bySession(request) : await callerByKey(endpoint, request, key);
    if (caller.user === null) {
      throw new AppError('authentication_required', 'Sign in first, or send an API key where one is accepted');
    }
    if (!mayCall(endpoint, caller.user, request.params as Record<string, unknown>)) {
      throw new AppError('insufficient_permissions', `The role ${caller.user.role} does not permit this`);
    }
    return async () => caller;
  };
};

/** Pages of other sites make browsers send cookies along; only browsers tell where a request comes from. */
const refuseCrossSite = (request: FastifyRequest, trusted: readonly string[]): void => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined && trusted.includes(origin)) return;
  const isForeign =
    site === 'cross-site' || site === 'same-site' || (origin !== undefined && !isOwnOrigin(origin, request));
  if (isForeign) throw new AppError('cross_site_request', 'The request comes from a page of another site');
};

/** By plain HTTP here a page may still be by HTTPS, behind a proxy that says nothing of it; never the other way. */
const isOwnOrigin = (origin: string, { host, protocol }: FastifyRequest): boolean => {
  const url = URL.parse(origin);
  return url?.host === host && (protocol === 'http' || url.protocol === 'https:');
};

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
};
