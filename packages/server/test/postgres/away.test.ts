import { setTimeout as delay } from 'node:timers/promises';
import { draws } from '@assay/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { minute, newName, submission } from '../conformance/build.ts';
import { openEvents } from '../events/read-events.ts';
import { createMigrated } from '../migrated-database.ts';
import { until } from '../robustness/service-process.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { type CutProxy, startCutProxy } from './cut-proxy.ts';

/** So few that a slow machine comes to its end. */
const CUTS = draws(10, 20);
const SENT = draws(15, 30);

interface Away extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly proxy: CutProxy;
  readonly server: TestServer;
}

/** A service whose connections to its database can be cut. */
const startAway = async (): Promise<Away> => {
  await using started = new AsyncDisposableStack();
  const database = started.use(await createMigrated());
  const proxy = started.use(await startCutProxy(database.url));
  const server = started.use(await startTestServer({ databaseUrl: proxy.url }));
  started.defer(() => proxy.mend());
  const owned = started.move();
  return { databaseUrl: database.url, proxy, server, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};

let shared: Away;
let proxy: CutProxy;
let server: TestServer;
beforeAll(async () => {
  shared = await startAway();
  ({ proxy, server } = shared);
});
beforeEach(async () => {
  proxy.cutAt = null;
  proxy.mend();
  // Reads and writes have connections of their own, which the test before has broken.
  await until('it is ready', async () => (await ready()) === 200);
  await until('it can store', () => canStore(server, newName()));
});
afterAll(() => shared[Symbol.asyncDispose]());

const ready = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;
const store = ({ client }: TestServer, projectName: string, at = 0, key?: string) =>
  client.submitRun({
    body: submission({ projectName, startTime: minute(at) }),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const canStore = (on: TestServer, projectName: string): Promise<boolean> =>
  store(on, projectName).then(
    ({ success }) => success,
    () => false,
  );

describe('a database that is away', () => {
  it('is answered 503 with when to try again, and the service recovers by itself', async () => {
    const projectName = newName();
    const { projectId } = await store(server, projectName);
    proxy.cut();
    const read = await fetch(`${server.url}/api/projects/${projectId}`);
    expect([read.status, read.headers.get('retry-after')]).toEqual([503, '1']);
    await expect(store(server, projectName, 1)).rejects.toMatchObject({ status: 503 });
    expect(await ready()).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    proxy.mend();
    await expect.poll(ready).toBe(200);
    await store(server, projectName, 2);
    expect((await server.client.getProject({ params: { id: projectId } })).totalRuns).toBe(2);
  });

  it('keeps no service from starting once it is back, and is told the operator in one line before', async () => {
    proxy.cut();
    await expect(startTestServer({ databaseUrl: proxy.url })).rejects.toThrow(/SERVICE_DATABASE_URL cannot be used/);
    await expect(startTestServer({ databaseUrl: shared.databaseUrl.replace(/\/[^/]*$/, '/nowhere') })).rejects.toThrow(
      /SERVICE_DATABASE_URL cannot be used: database "nowhere" does not exist/,
    );
  });

  it('loses no event for pages that listen', async () => {
    const { projectId } = await store(server, newName());
    const other = await startTestServer({ databaseUrl: shared.databaseUrl });
    onTestFinished(() => other.stop());
    const events = await openEvents(server);
    expect(await events.next()).toMatchObject({ event: 'hello' });
    proxy.cut();
    await other.client.updateProject({ params: { id: projectId }, body: { label: 'changed meanwhile' } });
    proxy.mend();
    let event = await events.next();
    // Those of the tests before may come late.
    while (event && (event.data as { projectId: number }).projectId !== projectId) event = await events.next();
    expect(event).toMatchObject({ event: 'project' });
    events.close();
  });
});

describe('a connection that breaks in a submission', () => {
  it.each(['insert into "projects"', 'insert into "tests"', 'insert into "segments"', 'COMMIT'])(
    'before %s stores nothing, and the next try stores it',
    async (text) => {
      const projectName = newName();
      const listStored = async () => (await server.client.listProjects({})).filter(({ name }) => name === projectName);
      // New connections: one on which a statement was prepared does not send its text again.
      proxy.cut();
      proxy.mend();
      await until('it has noticed', async () => (await ready()) === 200);
      const cut = { text, when: 'before', times: 2 } as const;
      proxy.cutAt = cut;
      await expect(store(server, projectName)).rejects.toMatchObject({ status: 503 });
      expect(cut.times).toBeLessThan(2);
      expect(await listStored()).toEqual([]);
      proxy.cutAt = null;
      await expect.poll(() => canStore(server, projectName)).toBe(true);
      expect(await listStored()).toMatchObject([{ totalRuns: 1 }]);
    },
  );

  it('when the commit was not answered is answered with what became of it', async () => {
    const projectName = newName();
    proxy.cutAt = { text: 'COMMIT', when: 'after', times: 1 };
    const { projectId } = await store(server, projectName);
    expect(proxy.cutAt.times).toBe(0);
    expect((await server.client.getProject({ params: { id: projectId } })).totalRuns).toBe(1);
  });

  it('at any moment loses nothing that was answered, and stores nothing twice', async () => {
    const projectName = newName();
    const acknowledged = new Set<number>();
    const breaking = (async () => {
      for (let cuts = 0; cuts < CUTS; cuts++) {
        await delay(Math.random() * 120);
        proxy.cut();
        await delay(Math.random() * 20);
        proxy.mend();
      }
    })();
    await Promise.all(
      Array.from({ length: SENT }, async (_, at) => {
        const key = newName('key');
        for (;;) {
          const reply = await store(server, projectName, at, key).catch((error: { status?: number }) => {
            expect(error.status).toBe(503);
            return null;
          });
          if (reply) {
            acknowledged.add(reply.testRunId);
            return;
          }
          await delay(20);
        }
      }),
    );
    await breaking;
    expect(acknowledged.size).toBe(SENT);
    await expect.poll(ready).toBe(200);
    const projects = (await server.client.listProjects({})).filter(({ name }) => name === projectName);
    expect(projects).toHaveLength(1);
    const { testRuns } = await server.client.getProject({ params: { id: projects[0]!.id } });
    expect(new Set(testRuns.map(({ id }) => id))).toEqual(acknowledged);
    expect(testRuns).toHaveLength(SENT);
  });
});
