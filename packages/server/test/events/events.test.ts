import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysAgo, newName, submission } from '../conformance/build.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { type EventReader, nextOf, openEvents } from './read-events.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const listen = async (): Promise<EventReader> => {
  const events = await openEvents(server);
  expect((await events.next())?.event).toBe('hello');
  return events;
};

describe('a stream of events', () => {
  it('begins with who speaks, and is kept by nobody', async () => {
    const events = await openEvents(server);
    const { headers, status } = events.response;
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('etag')).toBeNull();
    const { version } = await server.client.getService();
    expect(await events.next()).toEqual({
      event: 'hello',
      data: {
        version,
        installation: expect.stringMatching(/^[\w-]+$/),
        revision: expect.stringMatching(/^all[\d.]+$/),
      },
    });
    events.close();
  });

  it('answers HEAD without beginning', async () => {
    const response = await fetch(`${server.url}/api/events`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('tells that a run was stored, and that it was deleted', async () => {
    const events = await listen();
    const { testRunId, projectId } = await server.client.submitRun({ body: submission() });
    const stored = { event: 'run', data: { kind: 'stored', projectId, testRunId } };
    expect(await nextOf(events, projectId)).toEqual(stored);
    // What it tells is there to be read.
    expect((await server.client.getRun({ params: { id: testRunId } })).id).toBe(testRunId);
    await server.client.deleteRun({ params: { id: testRunId } });
    const deleted = { event: 'run', data: { kind: 'deleted', projectId, testRunId } };
    expect(await nextOf(events, projectId)).toEqual(deleted);
    events.close();
  });

  it('tells a change of a project', async () => {
    const { projectId } = await server.client.submitRun({ body: submission() });
    const events = await listen();
    await server.client.updateProject({ params: { id: projectId }, body: { label: 'New' } });
    expect(await nextOf(events, projectId)).toEqual({ event: 'project', data: { projectId } });
    events.close();
  });

  it('tells a cleanup once for each project that lost runs', async () => {
    const old = { startTime: daysAgo(500) };
    const stored = [];
    for (let count = 0; count < 3; count++) stored.push(await server.client.submitRun({ body: submission(old) }));
    const events = await listen();
    await server.client.cleanUp({ body: { olderThanDays: 400 } });
    const told = [await events.next(), await events.next(), await events.next()];
    const ids = told.map((seen) => (seen!.data as { projectId: number }).projectId);
    expect(ids.sort()).toEqual(stored.map(({ projectId }) => projectId).sort());
    expect(told.map((seen) => seen?.event)).toEqual(['project', 'project', 'project']);
    events.close();
  });

  it('says nothing of a submission that was there before', async () => {
    const body = submission();
    const headers = { 'idempotency-key': newName('key') };
    const { projectId } = await server.client.submitRun({ body, headers });
    const events = await listen();
    await server.client.submitRun({ body, headers });
    await server.client.updateProject({ params: { id: projectId }, body: { label: 'After' } });
    expect(await nextOf(events, projectId)).toEqual({ event: 'project', data: { projectId } });
    events.close();
  });

  it('tells many runs of a project in few events, the last of them after the last run', async () => {
    const events = await listen();
    const projectName = newName();
    const first = await server.client.submitRun({ body: submission({ projectName }) });
    await Promise.all(Array.from({ length: 40 }, () => server.client.submitRun({ body: submission({ projectName }) })));
    const { projectId } = first;
    const told = [await nextOf(events, projectId)];
    // A change that comes later than a window is told for itself: all before it has been told by then.
    const last = await server.client.submitRun({ body: submission() });
    const marker = (async () => {
      for (;;) {
        const seen = await events.next();
        if (seen === null || (seen.data as { projectId: number }).projectId === last.projectId) return;
        told.push(seen);
      }
    })();
    await marker;
    expect(told[0]).toEqual({ event: 'run', data: { kind: 'stored', projectId, testRunId: first.testRunId } });
    expect(told.length).toBeLessThan(40);
    events.close();
  });
});

describe('stopping', () => {
  it('ends the streams, and waits for nobody who listens or never asked for anything', async () => {
    // Longer than a test may take.
    const stopped = await startTestServer({ stopMs: 3_600_000 });
    const events = await openEvents(stopped);
    await events.next();
    const silent = connect({ host: '127.0.0.1', port: Number(new URL(stopped.url).port) });
    const gone = new Promise((resolve) => silent.once('close', resolve).on('error', resolve));
    await new Promise((resolve) => silent.once('connect', resolve));
    // It is accepted before any request that comes after it is answered.
    await stopped.client.listProjects();
    await stopped.stop();
    expect(await events.next()).toBeNull();
    await gone;
  });
});
