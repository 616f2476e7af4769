import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Where a request comes from, written in one way. A proxy may pass any text on: what is no address is not taken, and the
 * address of the proxy stands in its place.
 */
export const clientAddress = ({ ip, socket }: FastifyRequest): string =>
  canonical(ip) ?? canonical(socket.remoteAddress ?? '') ?? 'unknown';

const canonical = (text: string): string | null => {
  const address = withoutPort(text).split('%', 1)[0]!;
  if (isIP(address) === 0) return null;
  if (isIPv4(address)) return address;
  const six = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:(?<high>[0-9a-f]{1,4}):(?<low>[0-9a-f]{1,4})$/.exec(six)?.groups;
  if (!mapped) return six;
  const [high, low] = [Number.parseInt(mapped['high']!, 16), Number.parseInt(mapped['low']!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/** Some proxies add it. */
const withoutPort = (text: string): string => {
  const groups = /^(?:\[(?<six>[^\]]*)\](?::\d+)?|(?<four>[\d.]+):\d+)$/.exec(text)?.groups;
  return groups?.['six'] ?? groups?.['four'] ?? text;
};
