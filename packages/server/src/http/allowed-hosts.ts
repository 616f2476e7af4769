import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';

/*
 * A page of a stranger may point its own name at this service and then read and write as the browser that shows it.
 * Such a request names the stranger's host. Where nothing else protects the service, it answers to its own names only.
 */

/** Probes come by any name and learn nothing. */
const PROBES = new Set(['/healthz', '/readyz']);

/** HTTP/1.1 wants exactly one. */
export const requireHost = ({ raw: { httpVersion, headersDistinct } }: FastifyRequest): void => {
  const count = headersDistinct['host']?.length ?? 0;
  if (count > 1 || (count === 0 && httpVersion === '1.1')) {
    throw new AppError('invalid_request', 'The request must have one Host header');
  }
};

/** Throws when the service does not answer to the host that a request names. */
export const createHostGuard = (config: Config): ((request: FastifyRequest) => void) => {
  const isAllowed = createHostRule(config);
  if (isAllowed === null) return () => undefined;
  return (request) => {
    if (PROBES.has(request.url.split('?', 1)[0]!)) return;
    const foreign = hostsOf(request).find((host) => !isAllowed(nameOf(host)));
    if (foreign === undefined) return;
    throw new AppError(
      'host_not_allowed',
      `The service does not answer to the host "${foreign.slice(0, 100)}"; add its name to SERVICE_ALLOWED_HOSTS, or set SERVICE_PUBLIC_URL to its address`,
    );
  };
};

/** Whether a request names this host. */
export const isForHost = (request: FastifyRequest, name: string): boolean =>
  hostsOf(request).some((host) => nameOf(host) === name);

/** As it came, and as a proxy says that it was: scripts of a page can claim the second, but not change the first. */
const hostsOf = ({ headers, host }: FastifyRequest): string[] => [headers.host ?? '', host].filter(Boolean);

/** Null when any host will do. */
const createHostRule = (config: Config): ((name: string) => boolean) | null => {
  const { host, authEnabled, allowedHosts, publicUrl, reportsUrl } = config;
  if (allowedHosts.includes('*')) return null;
  const named = new Set(allowedHosts);
  for (const url of [publicUrl, reportsUrl]) if (url !== null) named.add(new URL(url).hostname);
  const isSaid = allowedHosts.length > 0 || (!authEnabled && publicUrl !== null);
  const isOpenHere = !authEnabled && isLocal(nameOf(host.includes(':') ? `[${host}]` : host));
  if (!isSaid && !isOpenHere) return null;
  return (name) => named.has(name) || isLocal(name) || isOutOfReach(name);
};

/** The name without its port, as a browser writes it; empty for what is none. */
const nameOf = (host: string): string => URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';

const isLocal = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(?:\.\d+){3}$/.test(name);

/** No stranger can point these anywhere: addresses, and names that only the own network knows. */
const isOutOfReach = (name: string): boolean => name.startsWith('[') || isIP(name) !== 0 || /^[^.]+$/.test(name);
