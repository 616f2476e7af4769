import { describe, expect, it } from 'vitest';
import { sharedServer, startTestServer } from './server.ts';

const ask = (url: string, origin: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/api/projects`, { ...init, headers: { origin, ...init.headers } });

describe('pages of other origins', () => {
  it('may not read answers unless a setting allows them', async () => {
    const server = await sharedServer();
    const answer = await ask(server.url, 'https://other.test');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('may read and write when a setting lists them, and only they', async () => {
    await using server = await startTestServer({ corsOrigins: ['https://board.test', 'https://ci.test'] });
    const allowed = await ask(server.url, 'https://board.test');
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://board.test');
    expect(allowed.headers.get('access-control-expose-headers')).toContain('link');
    expect((await ask(server.url, 'https://other.test')).headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await ask(server.url, 'https://ci.test', {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
  });
});
