import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { submission, testCase } from '../conformance/build.ts';
import { SUBMIT, expectError, sendText } from '../conformance/wire.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { holdSubmission, sendEndless } from './raw-http.ts';
import { newFolder, stagedFiles, startServiceProcess, until } from './service-process.ts';

vi.setConfig({ testTimeout: 60_000 });

const MIB = 1024 * 1024;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const padded = (projectName: string, bytes: number): unknown => ({
  ...submission({ projectName }),
  padding: 'x'.repeat(bytes),
});
const projectNames = async (): Promise<string[]> => (await server.client.listProjects()).map((project) => project.name);

describe('bodies larger than the limit', () => {
  it('are refused with 413 when several clients send them at once, chunked, and leave nothing behind', async () => {
    await using service = await startTestServer({ maxBodyBytes: MIB });
    for (let round = 0; round < 3; round++) {
      const senders = Array.from({ length: 8 }, () => sendEndless(service.url, SUBMIT, 20 * MIB));
      for (const answer of await Promise.allSettled(senders)) {
        // A sender that has not read the answer yet must not lose it to a connection that is reset.
        expect(answer).toMatchObject({ status: 'fulfilled', value: { status: 413 } });
        const { body } = (answer as PromiseFulfilledResult<{ body: string }>).value;
        expect(JSON.parse(body)).toMatchObject({ statusCode: 413, code: 'body_too_large' });
      }
    }
    await until('no file is left', () => stagedFiles(service.dataDir).length === 0);
    expect(await service.client.listProjects()).toEqual([]);
    expect((await service.client.submitRun({ body: submission() })).success).toBe(true);
  });
});

describe('a client that disconnects in the middle of a body', () => {
  it('leaves no file and nothing stored when the body was large', async () => {
    const held = ['one', 'two', 'three', 'four'].map((name) =>
      holdSubmission(server.url, bytesOf(padded(`cut off ${name}`, 6 * MIB))),
    );
    const answers = Promise.allSettled(held.map((one) => one.answer));
    await until('all bodies are in files', () => stagedFiles(server.dataDir).length === held.length);
    for (const one of held) one.destroy();
    for (const answer of await answers) expect(answer.status).toBe('rejected');
    await until('the files are gone', () => stagedFiles(server.dataDir).length === 0);
    await server.client.submitRun({ body: submission() });
    for (const name of await projectNames()) expect(name).not.toContain('cut off');
  });

  it('leaves nothing stored when only the last byte was missing', async () => {
    const body = bytesOf(submission({ projectName: 'almost there' }));
    const held = holdSubmission(server.url, body, { sentBytes: body.length - 1 });
    const answer = Promise.allSettled([held.answer]);
    await held.sent;
    held.destroy();
    expect((await answer)[0].status).toBe('rejected');
    await server.client.submitRun({ body: submission() });
    expect(await projectNames()).not.toContain('almost there');
  });
});

describe('a large body', () => {
  const large = 'x'.repeat(2 * MIB);

  const expectNothingLeft = (): Promise<void> =>
    until('no file is left', () => stagedFiles(server.dataDir).length === 0, 5_000);

  it('with a submission of 30 MB is accepted', async () => {
    const testCases = Array.from({ length: 15_000 }, (_, index) =>
      testCase({
        title: `case ${index}`,
        location: `tests/${index % 300}.spec.ts:${index}:1`,
        status: 'failed',
        error: `Error ${index}: ${'expected '.repeat(225)}`,
      }),
    );
    const text = JSON.stringify(submission({ testCases }));
    expect(text.length).toBeGreaterThan(30 * MIB);
    const response = await sendText(server, 'POST', SUBMIT, text);
    expect(response.status).toBe(200);
    const { testRunId } = (await response.json()) as { testRunId: number };
    expect(stagedFiles(server.dataDir)).toEqual([]);
    const run = await server.client.getRun({ params: { id: testRunId }, query: { details: false } });
    expect(run).toMatchObject({ totalTests: testCases.length, failedTests: testCases.length });
    expect(run.testCases).toHaveLength(testCases.length);
    expect(run.testCases.at(-1)).toMatchObject({ title: 'case 14999', error: testCases.at(-1)!.error });
  });

  it.each<[what: string, method: 'POST' | 'PUT' | 'DELETE', path: string, body: unknown]>([
    ['with a submission', 'POST', SUBMIT, padded('large', 2 * MIB)],
    ['that is no submission', 'POST', SUBMIT, { large }],
    ['with a change of a project', 'PUT', '/api/projects/1', { label: 'new', large }],
    ['with a label that is too long', 'PUT', '/api/projects/1', { label: large }],
    ['for a project that does not exist', 'PUT', '/api/projects/999', { label: 'a', large }],
    ['for an id that is none', 'PUT', '/api/projects/x', { large }],
    ['with a cleanup', 'DELETE', '/api/admin/cleanup', { olderThanDays: 36_500, large }],
    ['with a deletion, which has none', 'DELETE', '/api/test-runs/999', { large }],
    ['for a path that is not there', 'POST', '/api/nothing', { large }],
  ])('%s leaves no file behind', async (_, method, path, body) => {
    expect((await sendText(server, method, path, JSON.stringify(body))).status).toBeLessThan(500);
    await expectNothingLeft();
  });

  it('with a header that is refused leaves no file behind', async () => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k'.repeat(500) };
    const text = JSON.stringify(padded('refused', 2 * MIB));
    await expectError(await sendText(server, 'POST', SUBMIT, text, headers), 400, 'invalid_header');
    await expectNothingLeft();
  });

  it.each([
    ['that is valid', {}],
    ['with a header that is refused', { 'idempotency-key': 'k'.repeat(500) }],
  ])('%s leaves no file behind when its sender does not wait for the answer', async (_, headers) => {
    const body = bytesOf(padded('impatient', 2 * MIB));
    for (let sender = 0; sender < 10; sender++) {
      const held = holdSubmission(server.url, body, { sentBytes: body.length - 1, headers });
      const answer = Promise.allSettled([held.answer]);
      await until('the body is in a file', () => stagedFiles(server.dataDir).length > 0);
      await held.finish();
      held.destroy();
      await answer;
      await expectNothingLeft();
    }
  });
});

describe('clients that ask for a large run and do not read', () => {
  it('take little memory, however many they are', async () => {
    using folder = newFolder();
    await using service = await startServiceProcess(folder.path);
    // More than fits into what the system keeps for a connection, so that the service has to wait for its reader.
    const error = 'expected '.repeat(700);
    const testCases = Array.from({ length: 2_500 }, (_, index) => ({
      title: `case ${index}`,
      status: 'failed',
      error,
    }));
    const { testRunId } = await service.client.submitRun({ body: { ...submission(), testCases } });
    const residentBytes = async (): Promise<number> => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
    };
    const before = await residentBytes();
    const { hostname, port } = new URL(service.url);
    const idle = Array.from({ length: 40 }, () => connect(Number(port), hostname).pause());
    for (const socket of idle) {
      await once(socket, 'connect');
      socket.write(`GET /api/test-runs/${testRunId} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    }
    // Each time others are served too, so all that can be written is.
    let after = before;
    for (let ask = 0; ask < 40; ask++) {
      after = Math.max(after, await residentBytes());
      await delay(25);
    }
    for (const socket of idle) socket.destroy();
    expect((after - before) / MIB).toBeLessThan(280);
  });
});
