import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { type Context, openContext } from '../../context.ts';

let dataDir: string;
let context: Context;
let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'assay-streams-'));
  const config = { ...readConfig({ PORT: '0', SERVICE_DATA_DIR: dataDir }), trustProxy: true };
  context = await openContext(config, () => undefined);
  app = await buildApp(context, pino({ level: 'silent' }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.server.address() as AddressInfo);
});
afterAll(async () => {
  await app.close();
  await context.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const sockets: Socket[] = [];
const connections = (): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await vi.waitUntil(async () => (await connections()) === 0, { timeout: 60_000 });
});

interface Stream {
  readonly socket: Socket;
  text(): string;
}

/** A stream of a client at this address; resolves when its answer begins. */
const openStream = async (address: string): Promise<Stream> => {
  const socket = connect({ host: '127.0.0.1', port });
  sockets.push(socket.on('error', () => undefined));
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  return { socket, text: () => text };
};

const openMany = async (count: number, addressOf: (index: number) => string): Promise<string[]> => {
  const statuses: string[] = [];
  for (let from = 0; from < count; from += 100) {
    const size = Math.min(100, count - from);
    const some = await Promise.all(Array.from({ length: size }, (_, index) => openStream(addressOf(from + index))));
    statuses.push(...some.map(({ text }) => text().slice(9, 12)));
  }
  return statuses;
};

describe('the streams of one client', () => {
  it('are a hundred at most, and leave room for others', async () => {
    expect(await openMany(100, () => '203.0.113.1')).toEqual(Array(100).fill('200'));
    const refused = await openStream('203.0.113.1');
    expect(refused.text()).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused.text()).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect(refused.text()).toContain('"code":"too_many_streams"');
    expect((await openStream('203.0.113.2')).text()).toMatch(/^HTTP\/1\.1 200 /);
    sockets[0]!.destroy();
    await expect.poll(async () => (await openStream('203.0.113.1')).text().slice(9, 12)).toBe('200');
  });

  it('are those of its whole network', async () => {
    expect(await openMany(100, (index) => `2001:db8::${index.toString(16)}`)).toEqual(Array(100).fill('200'));
    expect((await openStream('2001:db8::ffff')).text()).toMatch(/^HTTP\/1\.1 429 /);
    expect((await openStream('2001:db8:0:1::1')).text()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('all streams together are a thousand at most', async () => {
  expect(await openMany(1_000, (index) => `203.0.113.${index % 20}`)).toEqual(Array(1_000).fill('200'));
  const refused = await openStream('203.0.113.99');
  expect(refused.text()).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused.text()).toMatch(/\r\nretry-after: \d+\r\n/i);
});

it('a client that does not read is disconnected, and others get every event', async () => {
  const reader = await openStream('203.0.113.1');
  const idle = await openStream('203.0.113.2');
  idle.socket.pause();
  let projectId = 0;
  const hasReadAll = (): boolean => reader.text().slice(-100).includes(`{"projectId":${projectId}}`);
  // The system keeps some megabytes for a client that does not read.
  while ((await connections()) === 2 && projectId < 1_000_000) {
    for (let count = 0; count < 200; count++) context.events.publish({ type: 'project', projectId: ++projectId });
    while (!hasReadAll()) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await connections()).toBe(1);
  expect(reader.text().match(/^event: project$/gm)).toHaveLength(projectId);
});

it('a stream without events sends heartbeats', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { socket, text } = await openStream('203.0.113.1');
    for (const beats of [1, 2]) {
      vi.advanceTimersByTime(20_000);
      await expect.poll(() => text().match(/^:$/gm)?.length).toBe(beats);
    }
    socket.destroy();
    await expect.poll(connections).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
