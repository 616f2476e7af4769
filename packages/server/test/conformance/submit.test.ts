import type { RunDetails, Submission } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';
import { SUBMIT, expectError, sendJson, sendText } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const store = async (overrides: Partial<Submission>): Promise<RunDetails> => {
  const { testRunId } = await server.client.submitRun({ body: submission(overrides) });
  return server.client.getRun({ params: { id: testRunId } });
};

describe('the answer of a submission', () => {
  it('is 200 with success and the ids of the run and its project', async () => {
    const response = await sendJson(server, 'POST', SUBMIT, submission());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
    const body = (await response.json()) as { success: unknown; testRunId: number; projectId: number };
    expect(body.success).toBe(true);
    for (const id of [body.testRunId, body.projectId]) {
      expect(Number.isInteger(id)).toBe(true);
      expect(id).toBeGreaterThan(0);
    }
  });

  it('names the project that was made, and the same project for the next run', async () => {
    const projectName = newName();
    const first = await server.client.submitRun({ body: submission({ projectName }) });
    const second = await server.client.submitRun({ body: submission({ projectName }) });
    expect(second.projectId).toBe(first.projectId);
    expect(second.testRunId).not.toBe(first.testRunId);
    const project = await server.client.getProject({ params: { id: first.projectId } });
    expect(project).toMatchObject({ id: first.projectId, name: projectName, totalRuns: 2 });
  });

  it('accepts a content type with a charset', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await sendText(server, 'POST', SUBMIT, JSON.stringify(submission()), headers)).status).toBe(200);
  });
});

describe('required and optional fields', () => {
  it('needs no more than projectName, status and startTime', async () => {
    const body = { projectName: newName(), status: 'passed', startTime: minute(0) };
    const { testRunId } = await server.client.submitRun({ body });
    expect(await server.client.getRun({ params: { id: testRunId } })).toMatchObject({
      status: 'passed',
      startTime: minute(0),
      duration: null,
      totalTests: 0,
      passedTests: 0,
      failedTests: 0,
      skippedTests: 0,
      flakyTests: 0,
      avgTestDuration: null,
      p90TestDuration: null,
      testCases: [],
      reports: [],
    });
  });

  it('needs no more than title and status of a case', async () => {
    const { testCases } = await store({ testCases: [{ title: 'bare', status: 'passed' }] });
    expect(testCases).toMatchObject([{ title: 'bare', status: 'passed', duration: null, retries: 0, error: null }]);
  });

  it('takes null for an optional field as absent', async () => {
    const nulls = { duration: null, totalTests: null, passedTests: null, failedTests: null, skippedTests: null };
    const run = await store({
      ...nulls,
      metadata: null,
      testCases: [testCase({ duration: null, location: null, error: null, retries: null, steps: null, tags: null })],
    });
    expect(run).toMatchObject({ duration: null, totalTests: 1, passedTests: 1, metadata: null });
    expect(run.testCases).toMatchObject([{ duration: null, filePath: 'unknown', error: null, retries: 0 }]);
  });

  it('ignores fields it does not know, in the run and in its cases', async () => {
    const body = {
      ...submission(),
      reporterVersion: '9.9.9',
      shards: [{ index: 1 }],
      testCases: [{ ...testCase({ title: 'richer' }), colour: 'blue', nested: { a: [1] } }],
    };
    const response = await sendJson(server, 'POST', SUBMIT, body);
    expect(response.status).toBe(200);
    const { testRunId } = (await response.json()) as { testRunId: number };
    expect((await server.client.getRun({ params: { id: testRunId } })).testCases).toMatchObject([{ title: 'richer' }]);
  });
});

describe('a project name', () => {
  it('is trimmed, so that both spellings are one project', async () => {
    const projectName = newName();
    const plain = await server.client.submitRun({ body: submission({ projectName }) });
    const padded = await server.client.submitRun({ body: submission({ projectName: `  ${projectName}\t ` }) });
    expect(padded.projectId).toBe(plain.projectId);
  });

  it('may have 200 characters after trimming', async () => {
    const projectName = newName().padEnd(200, 'x');
    const { projectId } = await server.client.submitRun({ body: submission({ projectName: ` ${projectName} ` }) });
    expect((await server.client.getProject({ params: { id: projectId } })).name).toBe(projectName);
  });

  it.each(['مشروع', '🧪 проект', 'a/b', "Robert'); DROP TABLE runs;--", '%_%', '../..'])(
    'is kept as sent: %s',
    async (text) => {
      const projectName = newName(text);
      const { projectId } = await server.client.submitRun({ body: submission({ projectName }) });
      expect((await server.client.getProject({ params: { id: projectId } })).name).toBe(projectName);
    },
  );
});

describe('statuses', () => {
  it.each(['passed', 'failed', 'timedout', 'interrupted', 'skipped', 'broken', 'не знаю'])(
    'keeps the run status %s',
    async (status) => {
      expect((await store({ status })).status).toBe(status);
    },
  );

  it.each(['passed', 'failed', 'skipped', 'timedOut', 'interrupted', 'quarantined'])(
    'keeps the case status %s',
    async (status) => {
      expect((await store({ testCases: [testCase({ status })] })).testCases).toMatchObject([{ status }]);
    },
  );
});

describe('start times', () => {
  it.each([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00:00.5Z', '2026-03-01T10:00:00.500Z'],
    ['2026-03-01T10:00:00.123000Z', '2026-03-01T10:00:00.123Z'],
    ['2026-03-01T10:00:00.250+00:00', '2026-03-01T10:00:00.250Z'],
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01T10:00:00+02', '2026-03-01T08:00:00.000Z'],
    ['2026-03-01T10:00:00.007-05:30', '2026-03-01T15:30:00.007Z'],
    ['2026-03-01T00:30:00+14:00', '2026-02-28T10:30:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
  ])('%s is answered as %s', async (startTime, expected) => {
    expect((await store({ startTime })).startTime).toBe(expected);
  });
});

describe('refused submissions', () => {
  it('leave no project behind', async () => {
    const projectName = newName();
    await expectError(
      await sendJson(server, 'POST', SUBMIT, { ...submission({ projectName }), startTime: 'never' }),
      400,
    );
    const invalidCase = { ...submission({ projectName }), testCases: [testCase(), { title: 'no status' }] };
    await expectError(await sendJson(server, 'POST', SUBMIT, invalidCase), 400);
    const names = (await server.client.listProjects()).map((project) => project.name);
    expect(names).not.toContain(projectName);
  });
});
