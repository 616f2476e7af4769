import { randomUUID } from 'node:crypto';
import type { Submission, SubmissionReply } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';
import { SUBMIT, expectError, sendText } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

type Submit = (key: string, body: Submission) => Promise<SubmissionReply>;

const ways: [string, Submit][] = [
  ['the header Idempotency-Key', (key, body) => server.client.submitRun({ body, headers: { 'idempotency-key': key } })],
  ['the field runKey', (key, body) => server.client.submitRun({ body: { ...body, runKey: key } })],
];

describe.each(ways)('the same key again by %s', (_, submit) => {
  it('answers the same run and stores nothing twice', async () => {
    const key = randomUUID();
    const body = submission();
    const first = await submit(key, body);
    expect(await submit(key, body)).toEqual(first);
    expect(await submit(key, body)).toEqual(first);
    const project = await server.client.getProject({ params: { id: first.projectId } });
    expect(project.totalRuns).toBe(1);
    expect(project.testRuns).toHaveLength(1);
    const [test] = await server.client.listTests({ params: { id: first.projectId } });
    expect(test?.totalRuns).toBe(1);
  });

  it('keeps the run that came first, whatever the retry carries', async () => {
    const key = randomUUID();
    const body = submission();
    const first = await submit(key, body);
    const retry = await submit(key, { ...body, status: 'failed', testCases: [testCase({ title: 'other' })] });
    expect(retry.testRunId).toBe(first.testRunId);
    const run = await server.client.getRun({ params: { id: first.testRunId } });
    expect(run.status).toBe('passed');
    expect(run.testCases.map((testCase) => testCase.title)).toEqual(['works']);
  });

  it('at the same moment answers one run to all', async () => {
    const key = randomUUID();
    const body = submission();
    const answers = await Promise.all(Array.from({ length: 12 }, () => submit(key, body)));
    expect(new Set(answers.map((answer) => answer.testRunId)).size).toBe(1);
    const project = await server.client.getProject({ params: { id: answers[0]!.projectId } });
    expect(project.totalRuns).toBe(1);
    expect(project.testRuns).toHaveLength(1);
  });

  it('is not confused with another key', async () => {
    const body = submission();
    const key = randomUUID();
    const first = await submit(key, body);
    const second = await submit(`${key}x`, body);
    expect(second.testRunId).not.toBe(first.testRunId);
    expect(second.projectId).toBe(first.projectId);
  });

  it('may have 200 characters', async () => {
    const key = randomUUID().padEnd(200, 'k');
    const body = submission();
    expect(await submit(key, body)).toEqual(await submit(key, body));
  });
});

describe('without a key', () => {
  it('every submission is a new run', async () => {
    const body = submission();
    const answers = await Promise.all(Array.from({ length: 5 }, () => server.client.submitRun({ body })));
    expect(new Set(answers.map((answer) => answer.testRunId)).size).toBe(5);
    const project = await server.client.getProject({ params: { id: answers[0]!.projectId } });
    expect(project.totalRuns).toBe(5);
  });
});

describe('a key that is not valid', () => {
  it('in the header is an invalid header', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(201) };
    const response = await sendText(server, 'POST', SUBMIT, JSON.stringify(submission()), headers);
    await expectError(response, 400, 'invalid_header');
  });
});

describe('many submissions of one new project at the same moment', () => {
  it('make one project with all the runs and one test with all the results', async () => {
    const projectName = newName();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.client.submitRun({ body: submission({ projectName, startTime: minute(index) }) }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.projectId)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.testRunId)).size).toBe(20);
    const named = (await server.client.listProjects()).filter((project) => project.name === projectName);
    expect(named).toMatchObject([{ totalRuns: 20, totalTestCases: 1 }]);
    const project = await server.client.getProject({ params: { id: answers[0]!.projectId } });
    expect(project.testRuns.map((run) => run.startTime)).toEqual(
      Array.from({ length: 20 }, (_, index) => minute(19 - index)),
    );
    expect(await server.client.listTests({ params: { id: answers[0]!.projectId } })).toMatchObject([{ totalRuns: 20 }]);
  });
});
