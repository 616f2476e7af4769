import type { SubmittedRequest } from '@assay/contract';
import type { Attempt } from '../behaviour.ts';
import { logNormal } from '../random.ts';
import type { Random } from '../random.ts';
import { fillPath, hex } from '../tokens.ts';
import type { Domain } from '../vocabulary.ts';

const STATIC: readonly (readonly [string, (hash: string) => string])[] = [
  ['script', (hash) => `/assets/index-${hash}.js`],
  ['stylesheet', (hash) => `/assets/index-${hash}.css`],
  ['font', () => '/fonts/inter-latin.woff2'],
  ['image', (hash) => `/images/${hash}@2x.webp?w=640`],
];

/** The requests of an attempt that began at `startTime`, oldest first: those that its test always makes. */
export const requestsOf = (
  random: Random,
  lasting: Random,
  domain: Domain,
  page: string,
  attempt: Attempt,
  startTime: number,
): SubmittedRequest[] => {
  const requests: SubmittedRequest[] = [];
  const down = attempt.failure?.kind === 'connection';
  let at = startTime + Math.round(attempt.durationMs * 0.1);
  const add = (method: string, path: string, resourceType: string, status: number, medianMs: number): void => {
    const duration = Math.max(1, Math.round(medianMs * logNormal(random, 0.5)));
    requests.push({ method, url: domain.host + path, status, duration, resourceType, startTime: at });
    at += random.integer(3, 120);
  };
  if (domain.framework === 'playwright') {
    add('GET', page, 'document', down ? 0 : 200, 120);
    if (down) return requests;
    if (lasting.chance(0.5)) {
      const [type, path] = lasting.pick(STATIC);
      add('GET', path(hex(random, 8)), type, random.chance(0.4) ? 304 : 200, 25);
    }
  }
  const calls = domain.framework === 'vitest' ? lasting.integer(0, 1) : lasting.integer(1, 2);
  for (let count = 0; count < calls; count++) {
    const [method = 'GET', path = '/'] = lasting.pick(domain.endpoints).split(' ');
    const failing = attempt.failure?.kind === 'server' && count === calls - 1;
    const status = down ? random.pick([0, 503]) : failing ? 500 : statusOf(random, usualStatus(lasting, method));
    add(method, fillPath(random, path), 'fetch', status, method === 'GET' ? 70 : 140);
  }
  return requests;
};

const usualStatus = (lasting: Random, method: string): number => {
  if (method === 'POST') return lasting.pick([200, 201, 202]);
  return method === 'DELETE' ? 204 : 200;
};

const statusOf = (random: Random, usual: number): number => {
  const draw = random.next();
  if (draw < 0.004) return 0;
  if (draw < 0.01) return random.pick([500, 502, 503, 504]);
  return draw < 0.035 ? random.pick([400, 401, 403, 404, 409, 422, 429]) : usual;
};
