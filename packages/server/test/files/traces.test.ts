import { readFileSync } from 'node:fs';
import type { SubmittedCase, TestCaseDetails, UploadReply } from '@assay/contract';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { newName, richCase, testCase } from '../conformance/build.ts';
import { PLAYWRIGHT_REPORTS_TIMEOUT_MS, type PlaywrightReports, makePlaywrightReports } from '../playwright-reports.ts';
import { newFolder, until } from '../robustness/service-process.ts';
import { type TestServer, countWaitingJobs, emptyServer, sharedServer, startTestServer } from '../server.ts';
import { zipOf } from './archives.ts';
import { type Part, file, json, readStored, runFields, text, uniqueBytes, upload } from './form.ts';
import { expectNoFiles } from './stored.ts';

let server: TestServer;
let reports: PlaywrightReports;
beforeAll(async () => {
  server = await sharedServer();
  reports = await makePlaywrightReports(inject('chromium'));
}, PLAYWRIGHT_REPORTS_TIMEOUT_MS);

const USER = 'shows the name of the user';
const BROKEN_PAGE = 'a page that fails says so in its console';
const traceOf = (title: string): Buffer => readFileSync(reports.traces.find((trace) => trace.title === title)!.file);

const send = (cases: readonly SubmittedCase[], traces: readonly Part[], on = server): Promise<UploadReply> =>
  upload(on, [...traces, text('projectName', newName()), json('testRun', runFields()), json('testCases', cases)]);

/** The cases of a run as they are once none of their traces waits any more. */
const readCases = async ({ testRunId }: UploadReply, on = server): Promise<TestCaseDetails[]> => {
  const { testCases } = await on.client.getRun({ params: { id: testRunId } });
  const details = () => Promise.all(testCases.map(({ id }) => on.client.getTestCase({ params: { id } })));
  await until('all traces are read', async () =>
    (await details()).every(({ traces }) => traces.every(({ state }) => state !== 'waiting')),
  );
  return details();
};

const bare = (title: string): SubmittedCase => testCase({ title });

describe('a trace', () => {
  it('fills the steps, the requests and the console of a case that brought none', async () => {
    const answer = await send(
      [bare('user'), bare('broken'), bare('without')],
      [file('trace_0', traceOf(USER)), file('trace_1', traceOf(BROKEN_PAGE))],
    );
    const [user, broken, without] = await readCases(answer);
    expect(user!.traces).toMatchObject([{ state: 'read', problem: null }]);
    expect(JSON.stringify(user!.steps)).toContain('sign in');
    expect(
      user!.networkRequests.map(({ method, url, status }) => `${method} ${new URL(url).pathname} ${status}`),
    ).toEqual(expect.arrayContaining(['GET / 200', 'GET /api/users/123 200']));
    for (const { duration } of user!.networkRequests) expect(duration).toBeGreaterThanOrEqual(0);
    expect(broken!.console.map(({ type, text }) => `${type}: ${text}`)).toEqual(
      expect.arrayContaining(['warning: stock is low: 3', 'error: no price for chair']),
    );
    expect(JSON.stringify(broken!.console)).toContain('basket is undefined');
    expect(JSON.stringify(broken!.console)).not.toContain('nothing to see');
    expect(without).toMatchObject({ steps: [], networkRequests: [], console: [], traces: [] });

    const run = await server.client.getRun({ params: { id: answer.testRunId } });
    expect(run.testCases.map(({ steps, networkRequests, console }) => ({ steps, networkRequests, console }))).toEqual(
      [user!, broken!, without!].map(({ steps, networkRequests, console }) => ({ steps, networkRequests, console })),
    );
  });

  it('counts in the network requests of its run', async () => {
    const answer = await send(
      [bare('user'), bare('broken')],
      [file('trace_0', traceOf(USER)), file('trace_1', traceOf(BROKEN_PAGE))],
    );
    await readCases(answer);
    const groups = await server.client.listRunRequests({ params: { id: answer.testRunId } });
    expect(groups).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          method: 'GET',
          route: '/api/users/:id',
          count: 1,
          errorRate: 0,
          testCases: ['user'],
        }),
        expect.objectContaining({
          method: 'POST',
          route: '/api/orders',
          count: 1,
          errorRate: 100,
          testCases: ['broken'],
        }),
      ]),
    );
    expect(groups.map(({ route }) => route).filter((route) => route.includes('logo'))).toEqual([]);
  });

  it('brings no query, no header, no cookie and no body with it', async () => {
    const answer = await send(
      [bare('user'), bare('broken')],
      [file('trace_0', traceOf(USER)), file('trace_1', traceOf(BROKEN_PAGE))],
    );
    const stored = JSON.stringify([
      await readCases(answer),
      await server.client.getRun({ params: { id: answer.testRunId } }),
      await server.client.listRunRequests({ params: { id: answer.testRunId } }),
    ]);
    for (const secret of ['token=', 'Bearer', 'session=', '"card"', 'set-cookie', 'user-agent', 'cache=1']) {
      expect(stored.toLowerCase().includes(secret.toLowerCase()), secret).toBe(false);
    }
    expect(stored).not.toContain('secret');
  });

  it('overrides nothing that the submission brought', async () => {
    const own = richCase({ title: 'own', console: [{ type: 'error', text: 'mine' }] });
    const { steps, slowestStep, slowestStepDuration, networkRequests, console } = own;
    const cases: SubmittedCase[] = [
      own,
      { ...bare('own steps'), steps },
      { ...bare('own requests'), networkRequests },
      { ...bare('own console'), console },
    ];
    const answer = await send(
      cases,
      cases.map((_, index) => file(`trace_${index}`, traceOf(BROKEN_PAGE))),
    );
    const [all, ownSteps, ownRequests, ownConsole] = await readCases(answer);
    expect(all).toMatchObject({ steps, slowestStep, slowestStepDuration, networkRequests, console });
    expect(ownSteps!.steps).toEqual(steps);
    expect(ownSteps!.networkRequests).not.toEqual([]);
    expect(ownRequests!.networkRequests).toEqual(networkRequests);
    expect(ownRequests!.steps).not.toEqual([]);
    expect(ownConsole!.console).toEqual(console);
    expect(ownConsole!.steps).not.toEqual([]);
    const groups = await server.client.listRunRequests({ params: { id: answer.testRunId } });
    expect(groups.find(({ route }) => route === '/api/basket')).toMatchObject({ count: 2 });
    expect(groups.find(({ route }) => route === '/api/orders')).toMatchObject({ count: 2 });
  });

  it('leaves everything else of its run as it was', async () => {
    const cases = [bare('user'), richCase({ title: 'other' }), testCase({ title: 'flaky', retries: 2 })];
    const answer = await send(cases, [file('trace_0', traceOf(USER))]);
    await readCases(answer);
    const run = await server.client.getRun({ params: { id: answer.testRunId } });
    expect(run).toMatchObject({ totalTests: 3, flakyTests: 1 });
    const { steps, networkRequests, webVitals, annotations, metadata, error } = cases[1]!;
    expect(run.testCases[1]).toMatchObject({ steps, networkRequests, webVitals, annotations, metadata, error });
    expect(run.testCases.map(({ title }) => title)).toEqual(['user', 'other', 'flaky']);
  });

  it('of each attempt is read', async () => {
    const attempts = reports.traces.filter(({ title }) => title === 'keeps its items');
    expect(attempts).toHaveLength(2);
    const answer = await send(
      [bare('items')],
      attempts.map((trace) => file('trace_0', readFileSync(trace.file))),
    );
    const [items] = await readCases(answer);
    expect(items!.traces.map(({ state }) => state)).toEqual(['read', 'read']);
    expect(items!.steps).not.toEqual([]);
    for (const [index, { path }] of answer.traces.entries()) {
      expect(await readStored(server, path)).toEqual(readFileSync(attempts[index]!.file));
    }
  });

  it('that was read is seen by who asks with a tag from before', async () => {
    const { testRunId } = await send([bare('user')], [file('trace_0', traceOf(USER))]);
    const { testCases } = await server.client.getRun({ params: { id: testRunId } });
    for (const path of [`/api/test-cases/${testCases[0]!.id}`, `/api/test-runs/${testRunId}`]) {
      let tag = '';
      let seen = '';
      await until('the steps are seen', async () => {
        const answer = await fetch(`${server.url}${path}`, { headers: { 'if-none-match': tag } });
        if (answer.status !== 304) seen = await answer.text();
        tag = answer.headers.get('etag')!;
        return seen.includes('sign in');
      });
    }
  });
});

describe('a trace that cannot be read', () => {
  it('is marked so, and its case stays as it was', async () => {
    const whole = traceOf(USER);
    const contents: [string, Buffer][] = [
      ['bytes', uniqueBytes(5_000)],
      ['nothing', Buffer.alloc(0)],
      ['cut off', whole.subarray(0, whole.length >> 1)],
      ['a zip of something else', await zipOf({ 'a.txt': 'a' })],
      ['a trace that is no JSON', await zipOf({ '0-trace.trace': 'no json\n', '0-trace.network': '{' })],
    ];
    const answer = await send(
      contents.map(([title]) => bare(title)),
      contents.map(([, content], index) => file(`trace_${index}`, content)),
    );
    for (const [index, one] of (await readCases(answer)).entries()) {
      const [title, content] = contents[index]!;
      expect(one.traces, title).toMatchObject([{ state: 'broken', size: content.length }]);
      expect(one.traces[0]!.problem, title).toMatch(/\w{3}/);
      expect(one).toMatchObject({ title, steps: [], networkRequests: [], console: [] });
      expect(await readStored(server, one.traces[0]!.path)).toEqual(content);
    }
  });

  it('does not keep another one of the same case from being read', async () => {
    const answer = await send([bare('both')], [file('trace_0', uniqueBytes()), file('trace_0', traceOf(USER))]);
    const [both] = await readCases(answer);
    expect(both!.traces.map(({ state }) => state)).toEqual(['broken', 'read']);
    expect(JSON.stringify(both!.steps)).toContain('sign in');
  });
});

describe('the work on traces', () => {
  it('is in the metrics and comes to an end', async () => {
    // On a shared service, jobs of other tests wait too.
    await using other = await startTestServer();
    await send([bare('a'), bare('b')], [file('trace_0', traceOf(USER)), file('trace_1', uniqueBytes())], other);
    await until('no job waits', async () => (await countWaitingJobs(other)) === 0);
  });

  it('goes on after a restart', async () => {
    using folder = newFolder();
    const before = await startTestServer({ dataDir: folder.path });
    const titles = ['a', 'b', 'c', 'd', 'e', 'f'];
    const traces = titles.map((_, index) => file(`trace_${index}`, traceOf(USER)));
    const answer = await send(titles.map(bare), traces, before);
    await before.stop();
    await using after = await startTestServer({ dataDir: folder.path });
    for (const one of await readCases(answer, after)) {
      expect(one.traces).toMatchObject([{ state: 'read' }]);
      expect(JSON.stringify(one.steps)).toContain('sign in');
    }
    const groups = await after.client.listRunRequests({ params: { id: answer.testRunId } });
    expect(groups.find(({ route }) => route === '/api/users/:id')).toMatchObject({ count: titles.length });
  });

  it('does no harm when its run is deleted meanwhile', async () => {
    const other = await emptyServer();
    const traces = [file('trace_0', traceOf(USER)), file('trace_1', traceOf(BROKEN_PAGE))];
    for (let round = 0; round < 8; round++) {
      const { testRunId } = await send([bare('user'), bare('broken')], traces, other);
      if (round % 2 === 1) await other.client.listRunRequests({ params: { id: testRunId } });
      await other.client.deleteRun({ params: { id: testRunId } });
    }
    await expectNoFiles(other.dataDir);
    expect(await other.client.getStats()).toMatchObject({ totalRuns: 0, totalTraces: 0, totalRunsCases: 0 });
    const kept = await send([bare('user')], [traces[0]!], other);
    expect((await readCases(kept, other))[0]!.traces).toMatchObject([{ state: 'read' }]);
  });
});
