import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { minute, newName, submission } from '../conformance/build.ts';
import { openEvents } from '../events/read-events.ts';
import { createMigrated } from '../migrated-database.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { type CutProxy, startCutProxy } from './cut-proxy.ts';

let proxy: CutProxy;
let server: TestServer;
let databaseUrl: string;
beforeEach(async () => {
  const database = await createMigrated();
  databaseUrl = database.url;
  proxy = await startCutProxy(database.url);
  server = await startTestServer({ databaseUrl: proxy.url });
  onTestFinished(async () => {
    proxy.mend();
    await server.stop();
    await proxy[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });
});

const ready = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;
const store = (projectName: string, at = 0, key?: string) =>
  server.client.submitRun({
    body: submission({ projectName, startTime: minute(at) }),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });

describe('a database that is away', () => {
  it('is answered 503 with when to try again, and the service recovers by itself', async () => {
    const projectName = newName();
    const { projectId } = await store(projectName);
    proxy.cut();
    const read = await fetch(`${server.url}/api/projects/${projectId}`);
    expect([read.status, read.headers.get('retry-after')]).toEqual([503, '1']);
    await expect(store(projectName, 1)).rejects.toMatchObject({ status: 503 });
    expect(await ready()).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    proxy.mend();
    await expect.poll(ready).toBe(200);
    await store(projectName, 2);
    expect((await server.client.getProject({ params: { id: projectId } })).totalRuns).toBe(2);
  });

  it('keeps no service from starting once it is back, and is told the operator in one line before', async () => {
    proxy.cut();
    await expect(startTestServer({ databaseUrl: proxy.url })).rejects.toThrow(/SERVICE_DATABASE_URL cannot be used/);
    await expect(startTestServer({ databaseUrl: databaseUrl.replace(/\/[^/]*$/, '/nowhere') })).rejects.toThrow(
      /SERVICE_DATABASE_URL cannot be used: database "nowhere" does not exist/,
    );
  });

  it('loses no event for pages that listen', async () => {
    const { projectId } = await store(newName());
    const other = await startTestServer({ databaseUrl });
    onTestFinished(() => other.stop());
    const events = await openEvents(server);
    expect(await events.next()).toMatchObject({ event: 'hello' });
    proxy.cut();
    await other.client.updateProject({ params: { id: projectId }, body: { label: 'changed meanwhile' } });
    proxy.mend();
    expect(await events.next()).toMatchObject({ event: 'project', data: { projectId } });
    events.close();
  });
});

describe('a connection that breaks in a submission', () => {
  it.each(['insert into "projects"', 'insert into "tests"', 'insert into "segments"', 'COMMIT'])(
    'before %s stores nothing, and the next try stores it',
    async (text) => {
      const projectName = newName();
      proxy.cutAt = { text, when: 'before', times: 2 };
      await expect(store(projectName)).rejects.toMatchObject({ status: 503 });
      expect(await server.client.listProjects({})).toEqual([]);
      proxy.cutAt = null;
      await expect
        .poll(() =>
          store(projectName).then(
            ({ success }) => success,
            () => false,
          ),
        )
        .toBe(true);
      expect(await server.client.listProjects({})).toMatchObject([{ totalRuns: 1 }]);
    },
  );

  it('when the commit was not answered is answered with what became of it', async () => {
    const projectName = newName();
    proxy.cutAt = { text: 'COMMIT', when: 'after', times: 1 };
    const { projectId } = await store(projectName);
    expect(proxy.cutAt.times).toBe(0);
    expect((await server.client.getProject({ params: { id: projectId } })).totalRuns).toBe(1);
  });

  it('at any moment loses nothing that was answered, and stores nothing twice', async () => {
    const projectName = newName();
    const acknowledged = new Set<number>();
    // So few that a slow machine comes to its end.
    const breaking = (async () => {
      for (let cuts = 0; cuts < 20; cuts++) {
        await delay(Math.random() * 120);
        proxy.cut();
        await delay(Math.random() * 20);
        proxy.mend();
      }
    })();
    await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const key = newName('key');
        for (;;) {
          const reply = await store(projectName, at, key).catch((error: { status?: number }) => {
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
    expect(acknowledged.size).toBe(30);
    await expect.poll(ready).toBe(200);
    const [project] = await server.client.listProjects({});
    const { testRuns } = await server.client.getProject({ params: { id: project!.id } });
    expect(new Set(testRuns.map(({ id }) => id))).toEqual(acknowledged);
    expect(testRuns).toHaveLength(30);
  });
});
