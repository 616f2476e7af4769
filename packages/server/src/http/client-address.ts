import { isIP, isIPv4, isIPv6 } from 'node:net';
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

/** One customer has a whole network of IPv6 addresses. */
export const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) {
    const end = tail.split(':').filter(Boolean);
    while (groups.length + end.length < 8) groups.push('0');
    groups.push(...end);
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
};
