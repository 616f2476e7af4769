import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { guardedWorker } from './service-worker.ts';

const SCOPE = 'http://h/trace-viewer/';
const TRACE = encodeURIComponent('/api/files/traces/7/a.zip');

const start = vm.compileFunction(guardedWorker, ['self', 'FetchEvent', 'importScripts']) as (
  self: unknown,
  FetchEvent: unknown,
  importScripts: (file: string) => void,
) => void;

/** Asks a worker whose stock part gives the same answer to everything. */
const ask = async (path: string, mode: string, stockAnswer: Response): Promise<Response> => {
  type Listener = (event: FetchEvent) => void;
  class FetchEvent {
    readonly request = { url: `${SCOPE}${path}`, mode };
    answer: Promise<Response> | null = null;
    isStopped = false;
    stopImmediatePropagation(): void {
      this.isStopped = true;
    }
    respondWith(answer: Promise<Response>): void {
      this.answer = answer;
    }
  }
  const listeners: Listener[] = [];
  const self = {
    location: { href: `${SCOPE}sw.bundle.js` },
    addEventListener: (_type: string, listener: Listener) => listeners.push(listener),
  };
  start(self, FetchEvent, () => listeners.push((event) => event.respondWith(Promise.resolve(stockAnswer))));
  const event = new FetchEvent();
  for (const listener of listeners) if (!event.isStopped) listener(event);
  return event.answer!;
};

describe('the service worker of the viewer', () => {
  test.each(['https://evil.example/a.zip', '//evil.example/a.zip', 'blob:http://h/1', '/api/projects', 'a.zip'])(
    'opens no %s',
    async (trace) => {
      const query = `trace=${encodeURIComponent(trace)}`;
      for (const [path, mode] of [
        [`contexts?${query}`, 'cors'],
        [`contexts?trace=${TRACE}&${query}`, 'cors'],
        [`snapshot/1?${query}`, 'navigate'],
        [`file/1?${query}`, 'navigate'],
      ] as const) {
        expect((await ask(path, mode, new Response('stock'))).status).toBe(403);
      }
    },
  );

  test('leaves its own pages to the server', async () => {
    expect(await (await ask('index.html?trace=x', 'navigate', new Response('stock'))).text()).toBe('stock');
  });

  test('answers what a page of the viewer asks about a stored trace', async () => {
    const stock = new Response('stock');
    expect(await ask(`contexts?trace=${TRACE}`, 'cors', stock)).toBe(stock);
  });

  test('adds to the policy of a snapshot', async () => {
    const stock = new Response('page', { headers: { 'content-security-policy': "script-src 'nonce-1'" } });
    const policy = (await ask(`snapshot/1?trace=${TRACE}`, 'navigate', stock)).headers.get('content-security-policy');
    expect(policy).toMatch(/^script-src 'nonce-1', sandbox allow-same-origin allow-scripts;/);
  });

  test('never lets a file of a trace be a page of this origin', async () => {
    const { headers, status } = await ask(`file/x?trace=${TRACE}`, 'navigate', new Response(null, { status: 404 }));
    expect(status).toBe(404);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
