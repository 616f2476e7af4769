import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Submission } from '@assay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, startTestServer } from '../../server/test/server.ts';
import type { Delivery } from '../src/delivery/delivery.ts';
import { deliver } from '../src/sending/deliver.ts';
import { openRunSender } from '../src/sending/run-sender.ts';
import { flushNow } from '../src/spool/flush-now.ts';
import { keep } from '../src/spool/keep.ts';
import { reportFlushed } from '../src/spool/send-kept.ts';
import { createWorkplace } from './cli/run-assay.ts';
import { type Workspace, createWorkspace, listen } from './deliveries.ts';

let server: TestServer;
let workspace: Workspace;
beforeAll(async () => {
  server = await startTestServer();
  workspace = createWorkspace();
});
afterAll(async () => {
  workspace[Symbol.dispose]();
  await server.stop();
});

const EARLIER = '2026-03-01T10:00:00.000Z';
const LATER = '2026-03-01T10:00:05.000Z';
const NOT_STORED =
  /^Assay: results not stored: another test run with run key "build 7" took their place\. If that was another suite, give each suite its own run key .* http:\/\/\S+\/test-runs\/\d+$/;

const suite = (projectName: string, title: string, more: Partial<Submission>): Delivery => ({
  submission: {
    projectName,
    status: 'passed',
    runKey: 'build 7',
    startTime: EARLIER,
    testCases: [{ title, status: 'passed', location: 'a.spec.ts:1:1' }],
    totalTests: 1,
    passedTests: 1,
    failedTests: 0,
    skippedTests: 0,
    ...more,
  },
  idempotencyKey: randomUUID(),
  reports: [],
  traces: [],
  attachments: [],
});

const titlesOf = async (projectName: string): Promise<string[]> => {
  const project = (await server.client.listProjects()).find(({ name }) => name === projectName)!;
  const { testRuns } = await server.client.getProject({ params: { id: project.id } });
  const runs = await Promise.all(testRuns.map(({ id }) => server.client.getRun({ params: { id } })));
  return runs.flatMap(({ testCases }) => testCases.map(({ title }) => title));
};

describe('two suites with one run key', () => {
  it('without shards: the second is told that the first stays', async () => {
    const options = workspace.options(server.url);
    const [first, second] = [listen(), listen()];
    expect(await deliver(suite('whole', 'of the first', {}), options, first)).toMatchObject({ kind: 'sent' });
    const other = suite('whole', 'of the second', { startTime: LATER });
    expect(await deliver(other, options, second)).toMatchObject({ kind: 'superseded' });
    expect(await deliver(other, options, second)).toMatchObject({ kind: 'superseded' });
    expect(second.said).toEqual([expect.stringMatching(NOT_STORED), expect.stringMatching(NOT_STORED)]);
    expect(await titlesOf('whole')).toEqual(['of the first']);
  });

  it('as one shard each: whichever started later stays, and says what it replaced', async () => {
    const options = workspace.options(server.url);
    const shard = { index: 1, total: 1 };
    const [first, second, last] = [listen(), listen(), listen()];
    await deliver(suite('shard', 'of the first', { shard, startTime: EARLIER }), options, first);
    await deliver(suite('shard', 'of the second', { shard, startTime: LATER }), options, second);
    await deliver(suite('shard', 'of one that took long', { shard, startTime: EARLIER }), options, last);
    expect(first.said).toEqual([expect.stringMatching(/^Assay: 1 passed http/)]);
    expect(second.said).toEqual([
      expect.stringMatching(/^Assay: 1 passed http/),
      expect.stringMatching(/^Assay: these results replaced those of an earlier test run with run key "build 7"\. /),
    ]);
    expect(last.said).toEqual([expect.stringMatching(NOT_STORED)]);
    expect(await titlesOf('shard')).toEqual(['of the second']);
  });

  it('a job that is tried again says nothing of what it replaces', async () => {
    const options = workspace.options(server.url);
    const shard = { index: 2, total: 3 };
    const again = listen();
    await deliver(suite('retried', 'first try', { shard }), options, listen());
    await deliver(suite('retried', 'second try', { shard, attempt: 2, startTime: LATER }), options, again);
    expect(again.said).toEqual([expect.stringMatching(/^Assay: 1 passed http/)]);
    expect(await titlesOf('retried')).toEqual(['second try']);
  });

  it('while they happen: the one whose place was taken says so, whether it was running or began too late', async () => {
    const options = { ...workspace.options(server.url), live: true };
    const run = async (title: string, startTime: string) => {
      const delivery = suite('live', title, { startTime });
      const output = listen();
      const sender = openRunSender(options, delivery.idempotencyKey, { env: {}, root: workspace.folder, output });
      const { projectName, runKey } = delivery.submission;
      sender.begin(Promise.resolve({ projectName, runKey, startTime }));
      sender.add(delivery.submission.testCases![0]!);
      return {
        output,
        async end() {
          await sender.deliver(delivery, true, AbortSignal.timeout(20_000));
          sender.close();
        },
      };
    };
    const first = await run('of the first', EARLIER);
    await expect.poll(() => titlesOf('live').catch(() => [])).toEqual(['of the first']);
    const second = await run('of the second', LATER);
    await expect.poll(() => titlesOf('live')).toEqual(['of the second']);
    await first.end();
    expect(first.output.said).toEqual([expect.stringMatching(NOT_STORED)]);
    await second.end();
    expect(second.output.said[0]).toMatch(/^Assay: 1 passed http/);
    const third = await run('of the third', '2026-03-01T10:00:09.000Z');
    await third.end();
    expect(third.output.said).toEqual([expect.stringMatching(NOT_STORED)]);
    expect(await titlesOf('live')).toEqual(['of the second']);
  });

  it('from the spool: a kept run whose place is taken is not told as sent', async () => {
    using kept = createWorkspace();
    const options = kept.options(server.url);
    await deliver(suite('kept', 'of the first', {}), options, listen());
    await keep(suite('kept', 'of the second', { startTime: LATER }), options, false);
    const output = listen();
    const flushed = await flushNow(options, output);
    expect(flushed).toMatchObject({ sent: [], left: 0, superseded: [expect.stringContaining('run key "build 7"')] });
    reportFlushed(flushed, output);
    expect(output.said).toEqual([expect.stringMatching(/^Assay: results of a kept run not stored: another test run/)]);
  });

  it('in the command: what is uploaded in vain is told, and the gate judges no other suite', async () => {
    const place = createWorkplace({ ASSAY_URL: server.url, ASSAY_PROJECT: 'gated', ASSAY_RUN_KEY: 'build 7' });
    try {
      const junit = (name: string, timestamp: string): string =>
        `<testsuite name="${name}" timestamp="${timestamp}"><testcase classname="a" name="${name}" time="1"/></testsuite>`;
      writeFileSync(join(place.folder, 'later.xml'), junit('later', '2026-03-01T10:00:05Z'));
      writeFileSync(join(place.folder, 'earlier.xml'), junit('earlier', '2026-03-01T10:00:00Z'));
      await place.assay(['upload', 'later.xml']);
      expect(await place.assayHere(['gate'])).toMatchObject({ code: 0 });
      const upload = await place.assay(['upload', 'earlier.xml', '--strict']);
      expect(upload.stderr.trim()).toMatch(NOT_STORED);
      expect(upload.code).toBe(1);
      const judged = await place.assayHere(['gate']);
      expect(judged).toMatchObject({
        code: 2,
        stdout: expect.stringContaining('the last run was not stored: another'),
      });
    } finally {
      place.remove();
    }
  });
});
