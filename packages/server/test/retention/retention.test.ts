import type { AuditEntry, RetentionInput, Submission } from '@assay/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { daysAgo, newName, runStart, submission, testCase } from '../conformance/build.ts';
import { expectError, expectIssue, sendJson } from '../conformance/wire.ts';
import { openEvents } from '../events/read-events.ts';
import { type Part, file, json, runFields, text, upload } from '../files/form.ts';
import { inDatabase } from '../in-database.ts';
import { sharedServer, startTestServer, type TestServer } from '../server.ts';

let server: TestServer;
const onItsOwnServer = (): void => {
  beforeAll(async () => void (server = await startTestServer()));
  afterAll(() => server.stop());
};

const submit = (projectName: string, days: number, fields: Partial<Submission> = {}) =>
  server.client.submitRun({ body: submission({ projectName, startTime: daysAgo(days), ...fields }) });
const uploadOld = (projectName: string, days: number, name = 'report', files: readonly Part[] = []) =>
  upload(server, [
    text('projectName', projectName),
    json('testRun', runFields({ startTime: daysAgo(days) })),
    json('testCases', [testCase({ title: 'first' })]),
    file('report_html', `<!doctype html><title>${name}</title>`, 'index.html'),
    file('attachment_0_0', `text of ${name}`, 'note.txt'),
    ...files,
  ]);
const set = (body: RetentionInput) => server.client.setRetention({ body });
const preview = (body: RetentionInput) => server.client.previewRetention({ body });
const run = () => server.client.runRetention();
const runsOf = async (projectId: number): Promise<number[]> =>
  (await server.client.getProject({ params: { id: projectId } })).testRuns.map(({ id }) => id).sort((a, b) => a - b);
const told = async (): Promise<AuditEntry[]> =>
  (await server.client.listAudit({ query: { limit: 100 } })).filter(({ action }) => action === 'runs.retention');
const change = (statement: string, ...values: unknown[]) => inDatabase(server.dataDir, statement, ...values);
const read = async (path: string) => (await fetch(`${server.url}/api/files/${path}`)).status;

/** So that the next test finds an installation as at its first start. */
const forget = async (): Promise<void> => {
  for (const { id } of await server.client.listProjects({})) await server.client.deleteProject({ params: { id } });
  await set({});
  await change('DELETE FROM audit');
  await change('UPDATE installation SET retention_at = NULL');
};

describe('retention', () => {
  onItsOwnServer();
  afterEach(forget);

  it('keeps everything while nothing is set', async () => {
    const { projectId, testRunId } = await submit(newName(), 3_000);
    expect(await server.client.getRetention()).toMatchObject({
      settings: { days: null, runs: null, bytes: null, fileDays: null, keepBranches: [] },
      lastRunAt: null,
      projects: [],
    });
    expect(await run()).toEqual({ success: true, deletedRuns: 0, freedBytes: 0 });
    expect(await runsOf(projectId)).toEqual([testRunId]);
    expect((await server.client.getRetention()).lastRunAt).not.toBeNull();
  });

  it('does nothing where nothing is stored', async () => {
    await set({ days: 1, runs: 1, bytes: 1, fileDays: 1 });
    expect(await preview({ days: 1 })).toMatchObject({ runs: 0, results: 0, projects: [], first: [] });
    expect(await run()).toEqual({ success: true, deletedRuns: 0, freedBytes: 0 });
    expect(await told()).toEqual([]);
  });

  it('deletes runs beyond the age, as the preview says, and tells it in one entry of the audit log', async () => {
    const projectName = newName();
    const old = await submit(projectName, 40, { testCases: [testCase(), testCase({ title: 'gone' })] });
    const older = await uploadOld(projectName, 50);
    const kept = await submit(projectName, 20);
    const other = await submit(newName('other'), 10);
    const before = await server.client.getStorage();
    const said = await preview({ days: 30 });
    expect(said).toMatchObject({ runs: 2, results: 3, strippedRuns: 0, reports: 1, traces: 0, attachments: 1 });
    expect(said.projects).toMatchObject([{ name: projectName, runs: 2, strippedRuns: 0, runsLeft: 1, bytesOver: 0 }]);
    expect(said.first.map(({ id, reason }) => [id, reason])).toEqual([
      [older.testRunId, 'age'],
      [old.testRunId, 'age'],
    ]);
    expect(await server.client.getStorage()).toEqual(before);

    await set({ days: 30 });
    expect(await run()).toMatchObject({ success: true, deletedRuns: 2 });
    expect(await runsOf(kept.projectId)).toEqual([kept.testRunId]);
    expect(await runsOf(other.projectId)).toEqual([other.testRunId]);
    expect(await read(older.reportPath!)).toBe(404);
    const tests = await server.client.listTests({ params: { id: kept.projectId } });
    expect(tests.map(({ title, totalRuns }) => [title, totalRuns])).toEqual([['works', 1]]);
    const [entry, ...more] = await told();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ subject: `project ${projectName}`, username: null });
    expect(entry!.details).toEqual({
      projectId: kept.projectId,
      settings: 'installation',
      runs: 2,
      results: 3,
      strippedRuns: 0,
      reports: 1,
      traces: 0,
      attachments: 1,
      bytes: expect.any(Number) as number,
    });
    expect(entry!.details!['bytes']).toBeGreaterThanOrEqual(said.fileBytes + said.databaseBytes);
    expect(await run()).toMatchObject({ deletedRuns: 0 });
    expect(await told()).toHaveLength(1);
  });

  it('is one execution of many transactions, told in one entry, however many ask for it at once', async () => {
    const projectName = newName();
    for (let nth = 0; nth < 70; nth++) await submit(projectName, 100 + nth);
    const { projectId, testRunId } = await submit(projectName, 1);
    await set({ runs: 1 });
    expect(await preview({ runs: 1 })).toMatchObject({ runs: 70, projects: [{ runs: 70, runsLeft: 1 }] });
    expect((await preview({ runs: 1 })).first).toHaveLength(20);
    const answers = await Promise.all([run(), run(), run()]);
    expect(answers.map(({ deletedRuns }) => deletedRuns)).toContain(70);
    expect(await runsOf(projectId)).toEqual([testRunId]);
    expect((await told()).map(({ details }) => details!['runs'])).toEqual([70]);
  });

  it('deletes what the dry run says, also where one limit leaves less to do for another', async () => {
    const FILE_BYTES = 20_000;
    // Of the first project more runs than one transaction deletes.
    const projects: { count: number; settings: RetentionInput }[] = [
      { count: 75, settings: { bytes: 7 * FILE_BYTES } },
      { count: 20, settings: { days: 15, bytes: 10 * FILE_BYTES } },
      { count: 20, settings: { days: 17, fileDays: 10, bytes: 6 * FILE_BYTES } },
      { count: 20, settings: { runs: 15, fileDays: 12, bytes: 20 * FILE_BYTES } },
    ];
    const said = [];
    for (const { count, settings } of projects) {
      const projectName = newName();
      let projectId = 0;
      for (let days = count; days > 0; days--) {
        const content = `${days} `.repeat(FILE_BYTES).slice(0, FILE_BYTES);
        ({ projectId } = await upload(server, [
          text('projectName', projectName),
          json('testRun', runFields({ startTime: daysAgo(days) })),
          json('testCases', [testCase()]),
          file('attachment_0', content, 'note.txt'),
        ]));
      }
      const params = { id: projectId };
      await server.client.setProjectRetention({ params, body: { settings } });
      const { runs, results, strippedRuns, attachments } = await server.client.previewProjectRetention({
        params,
        body: { settings },
      });
      said.push({ projectId, runs, results, strippedRuns, attachments });
    }
    expect(said.map(({ runs, strippedRuns }) => [runs, strippedRuns])).toEqual([
      [69, 0],
      [11, 0],
      [15, 0],
      [5, 4],
    ]);
    await run();
    const done = (await told())
      .map(({ details }) => details!)
      .sort((a, b) => Number(a['projectId']) - Number(b['projectId']));
    // The log counts a run whose files went first, and then the run, as both.
    expect(done).toMatchObject(said.map(({ strippedRuns: _, ...rest }) => rest));
  });

  it('counts runs of a project, newest first', async () => {
    const projectName = newName();
    // The oldest comes last.
    const [third, first, second, fourth] = [
      await submit(projectName, 3),
      await submit(projectName, 1),
      await submit(projectName, 2),
      await submit(projectName, 4),
    ];
    await set({ runs: 2 });
    expect((await preview({ runs: 2 })).first.map(({ id, reason }) => [id, reason])).toEqual([
      [fourth.testRunId, 'runs'],
      [third.testRunId, 'runs'],
    ]);
    await run();
    expect(await runsOf(first.projectId)).toEqual([first.testRunId, second.testRunId]);
  });

  it('keeps the project below its bytes, oldest runs first, and its newest run in any case', async () => {
    const projectName = newName();
    const large = await uploadOld(projectName, 9, 'x'.repeat(40_000));
    const small = await submit(projectName, 8);
    const newest = await submit(projectName, 1);
    const { databaseBytes, fileBytes } = (await server.client.getStorage()).projects[0]!;
    const limit = databaseBytes + fileBytes - 1_000;
    const said = await preview({ bytes: limit });
    expect(said).toMatchObject({ runs: 1, first: [{ id: large.testRunId, reason: 'bytes' }] });
    expect(said.projects).toMatchObject([{ runs: 1, runsLeft: 2, bytesOver: 0 }]);
    await set({ bytes: limit });
    await run();
    expect(await runsOf(newest.projectId)).toEqual([small.testRunId, newest.testRunId]);

    expect((await preview({ bytes: 1 })).projects).toMatchObject([{ runs: 1, runsLeft: 1 }]);
    expect((await preview({ bytes: 1 })).projects[0]!.bytesOver).toBeGreaterThan(0);
    await set({ bytes: 1 });
    await run();
    expect(await runsOf(newest.projectId)).toEqual([newest.testRunId]);
  });

  it('deletes files before results, and says when', async () => {
    const projectName = newName();
    const old = await uploadOld(projectName, 20, 'old');
    const without = await submit(projectName, 20);
    const recent = await uploadOld(projectName, 2, 'recent');
    const before = await server.client.getRun({ params: { id: old.testRunId } });
    expect(before.reports).toHaveLength(1);
    expect(await preview({ fileDays: 10, days: 30 })).toMatchObject({
      runs: 0,
      results: 0,
      strippedRuns: 1,
      reports: 1,
      attachments: 1,
      databaseBytes: 0,
      first: [{ id: old.testRunId, reason: 'files' }],
    });
    await set({ fileDays: 10, days: 30 });
    expect(await run()).toMatchObject({ deletedRuns: 0 });
    const after = await server.client.getRun({ params: { id: old.testRunId } });
    expect(after).toEqual({
      ...before,
      reports: [],
      filesRemovedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    const one = await server.client.getTestCase({ params: { id: after.testCases[0]!.id } });
    expect(one).toMatchObject({ attachments: [], testRun: { filesRemovedAt: after.filesRemovedAt } });
    expect(await read(old.reportPath!)).toBe(404);
    expect(await read(recent.reportPath!)).toBe(200);
    for (const { testRunId } of [without, recent]) {
      expect(await server.client.getRun({ params: { id: testRunId } })).not.toHaveProperty('filesRemovedAt');
    }
    expect((await told())[0]!.details).toMatchObject({ runs: 0, results: 0, strippedRuns: 1, reports: 1 });
    // What is gone is not deleted again.
    expect(await preview({ fileDays: 10 })).toMatchObject({ strippedRuns: 0, first: [] });
    await run();
    expect(await told()).toHaveLength(1);
  });

  it('keeps pinned runs with their files until they are unpinned', async () => {
    const { testRunId, projectId, reportPath } = await uploadOld(newName(), 100);
    const pin = (pinned: boolean) => server.client.updateRun({ params: { id: testRunId }, body: { pinned } });
    expect(await pin(true)).toEqual({ success: true });
    expect(await server.client.getRun({ params: { id: testRunId } })).toMatchObject({ pinned: true });
    const listed = await server.client.getProject({ params: { id: projectId } });
    expect(listed.testRuns[0]).toMatchObject({ pinned: true });
    const limits = { days: 1, runs: 1, bytes: 1, fileDays: 1 };
    await set(limits);
    expect(await preview(limits)).toMatchObject({ runs: 0, strippedRuns: 0, kept: { pinned: 1, branch: 0, live: 0 } });
    await run();
    expect(await runsOf(projectId)).toEqual([testRunId]);
    expect(await read(reportPath!)).toBe(200);
    await pin(true);
    await pin(false);
    expect(await server.client.getRun({ params: { id: testRunId } })).not.toHaveProperty('pinned');
    const actions = (await server.client.listAudit({ query: {} })).map(({ action }) => action);
    expect(actions).toEqual(['run.unpin', 'retention.update', 'run.pin']);
    await run();
    expect(await runsOf(projectId)).toEqual([]);
    await expectError(
      await sendJson(server, 'PUT', `/api/test-runs/${testRunId}`, { pinned: true }),
      404,
      'run_not_found',
    );
  });

  it('keeps runs of chosen branches', async () => {
    const projectName = newName();
    const { testRunId: main, projectId } = await submit(projectName, 90, { branch: 'main' });
    const { testRunId: release } = await submit(projectName, 90, { branch: 'release/2026/1' });
    await submit(projectName, 90, { branch: 'mainly' });
    await submit(projectName, 90);
    const limits = { days: 30, keepBranches: ['main', ' release/* ', 'main', ' '] };
    expect(await preview(limits)).toMatchObject({ runs: 2, kept: { pinned: 0, branch: 2, live: 0 } });
    expect((await set(limits)).settings.keepBranches).toEqual(['main', 'release/*']);
    await run();
    expect(await runsOf(projectId)).toEqual([main, release]);
  });

  it('leaves runs alone that more may come of', async () => {
    const { client } = server;
    const { testRunId, projectId, part } = await client.startRun({ body: runStart({ startTime: daysAgo(60) }) });
    const limits = { days: 30, runs: 1, bytes: 1, fileDays: 1 };
    await set(limits);
    expect(await preview(limits)).toMatchObject({ runs: 0, kept: { live: 1 } });
    await run();
    await client.addResults({ params: { id: testRunId }, body: { part, batch: 0, testCases: [testCase()] } });
    await run();
    expect(await runsOf(projectId)).toEqual([testRunId]);
    await client.finishRun({ params: { id: testRunId }, body: { part, status: 'passed' } });
    await expect.poll(async () => (await run()).deletedRuns).toBe(1);
  });

  it('takes a run whose clock was ahead for as old as its arrival', async () => {
    const projectName = newName();
    const { testRunId: ahead, projectId } = await submit(projectName, -400);
    const { testRunId: now } = await submit(projectName, 0);
    await set({ days: 30, fileDays: 20 });
    expect(await preview({ days: 30, fileDays: 20 })).toMatchObject({ runs: 0, strippedRuns: 0 });
    await run();
    expect(await runsOf(projectId)).toEqual([ahead, now]);
    await change('UPDATE runs SET created_at = ? WHERE id = ?', Date.parse(daysAgo(31)), ahead);
    expect(await preview({ days: 30 })).toMatchObject({ runs: 1, first: [{ id: ahead, reason: 'age' }] });
    await run();
    expect(await runsOf(projectId)).toEqual([now]);
  });

  it("goes by a project's own settings where it has some", async () => {
    const { projectId: own, testRunId } = await submit(newName('own'), 90);
    const { projectId: other } = await submit(newName('other'), 90);
    await set({ days: 30 });
    const params = { id: own };
    expect(await server.client.getProjectRetention({ params })).toMatchObject({
      settings: null,
      installation: { days: 30 },
    });
    expect((await server.client.previewProjectRetention({ params, body: { settings: null } })).runs).toBe(1);
    expect((await server.client.previewProjectRetention({ params, body: { settings: { days: 100 } } })).runs).toBe(0);
    await server.client.setProjectRetention({ params, body: { settings: { days: 100 } } });
    expect((await server.client.getRetention()).projects).toMatchObject([{ id: own, settings: { days: 100 } }]);
    // The installation's are for the others alone.
    expect((await preview({ days: 30 })).projects.map(({ id }) => id)).toEqual([other]);
    await run();
    expect([await runsOf(own), await runsOf(other)]).toEqual([[testRunId], []]);
    // Settings without limits keep everything.
    await server.client.setProjectRetention({ params, body: { settings: {} } });
    await run();
    expect(await runsOf(own)).toEqual([testRunId]);
    await server.client.setProjectRetention({ params, body: { settings: null } });
    await run();
    expect(await runsOf(own)).toEqual([]);
  });

  it('goes for archived projects too', async () => {
    const { projectId } = await submit(newName(), 90);
    await server.client.updateProject({ params: { id: projectId }, body: { archived: true } });
    await set({ days: 30 });
    expect((await preview({ days: 30 })).projects).toMatchObject([{ id: projectId, archived: true, runs: 1 }]);
    await run();
    expect(await runsOf(projectId)).toEqual([]);
  });
});

it('a retention that deletes tells those who look', async () => {
  await using own = await startTestServer();
  const { projectId } = await own.client.submitRun({ body: submission({ startTime: daysAgo(90) }) });
  await own.client.setRetention({ body: { days: 30 } });
  const events = await openEvents(own);
  expect(await events.next()).toMatchObject({ event: 'hello' });
  await own.client.runRetention();
  expect(await events.next()).toEqual({ event: 'project', data: { projectId } });
  events.close();
});

describe('the schedule', () => {
  it('deletes every hour, whoever did so last', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      await using scheduled = await startTestServer();
      const { projectId } = await scheduled.client.submitRun({ body: submission({ startTime: daysAgo(90) }) });
      await scheduled.client.setRetention({ body: { days: 30 } });
      const runsLeft = async () => (await scheduled.client.getProject({ params: { id: projectId } })).totalRuns;
      const lastRun = async () => (await scheduled.client.getRetention()).lastRunAt;
      const MINUTE_MS = 60_000;
      const setLastRun = (minutesAgo: number) =>
        inDatabase(scheduled.dataDir, 'UPDATE installation SET retention_at = ?', Date.now() - minutesAgo * MINUTE_MS);
      await setLastRun(50);
      const before = await lastRun();
      vi.advanceTimersByTime(10 * MINUTE_MS);
      // What the timer started has asked the writer before this does.
      await scheduled.client.submitRun({ body: submission() });
      expect([await runsLeft(), await lastRun()]).toEqual([1, before]);
      await setLastRun(61);
      vi.advanceTimersByTime(10 * MINUTE_MS);
      await expect.poll(runsLeft).toBe(0);
      const [entry] = await scheduled.client.listAudit({ query: { limit: 1 } });
      expect(entry).toMatchObject({ action: 'runs.retention', username: null, address: null });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('settings of retention', () => {
  beforeAll(async () => void (server = await sharedServer()));

  it.each([
    [{ days: 0 }, '/days'],
    [{ days: 1.5 }, '/days'],
    [{ days: 36_501 }, '/days'],
    [{ runs: 0 }, '/runs'],
    [{ bytes: 0 }, '/bytes'],
    [{ fileDays: 'ten' }, '/fileDays'],
    [{ keepBranches: 'main' }, '/keepBranches'],
    [{ keepBranches: [''] }, '/keepBranches/0'],
    [{ keepBranches: Array.from({ length: 51 }, () => 'a') }, '/keepBranches'],
  ])('cannot be %o', async (body, path) => {
    await expectIssue(await sendJson(server, 'PUT', '/api/admin/retention', body), path);
    await expectIssue(await sendJson(server, 'POST', '/api/admin/retention/preview', body), path);
  });

  it('are those of a project that is there', async () => {
    const answer = await sendJson(server, 'PUT', '/api/projects/999999/retention', { settings: null });
    await expectError(answer, 404, 'project_not_found');
  });
});

describe('the forecast', () => {
  onItsOwnServer();

  const record = async (projectId: number, bytesOf: (day: number) => number, days = 20) => {
    const today = Math.floor(Date.now() / 86_400_000);
    const statement = `INSERT INTO storage_days (project_id, day, bytes) VALUES (?, ?, ?)
      ON CONFLICT (project_id, day) DO UPDATE SET bytes = excluded.bytes`;
    for (let ago = 0; ago < days; ago++) {
      await change(statement, projectId, today - ago, Math.round(bytesOf(days - ago)));
    }
  };

  it('is not known at first', async () => {
    // The database may have been made just before midnight.
    await expect.poll(async () => (await server.client.getForecast()).recordedDays).toBeOneOf([1, 2]);
    expect(await server.client.getForecast()).toMatchObject({ bytesPerDay: null, fullAt: null, projects: [] });
  });

  it('says when the disk is full and when projects reach their limit', async () => {
    const { projectId } = await submit(newName(), 1);
    await set({ bytes: 1_000_000_000 });
    const before = await server.client.getForecast();
    expect(before.projects).toMatchObject([{ id: projectId, bytesPerDay: null, fullAt: null }]);
    await record(0, (day) => day * before.freeBytes! * 0.01);
    await record(projectId, (day) => day * 10_000_000);
    const after = await server.client.getForecast();
    expect(after.recordedDays).toBe(20);
    const inDays = (time: string | null) => (Date.parse(time!) - Date.now()) / 86_400_000;
    expect(inDays(after.fullAt)).toBeGreaterThan(90);
    expect(inDays(after.fullAt)).toBeLessThan(110);
    expect(after.projects[0]).toMatchObject({ limitBytes: 1_000_000_000, bytesPerDay: 10_000_000 });
    expect(inDays(after.projects[0]!.fullAt)).toBeGreaterThan(99);
  });

  it('has no date when nothing grows', async () => {
    await record(0, () => 5);
    expect(await server.client.getForecast()).toMatchObject({ bytesPerDay: 0, fullAt: null });
  });
});
