import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../src/delivery/delivery.ts';
import { openClient } from '../src/http/client.ts';
import { openLiveRun } from '../src/live/live-run.ts';
import { sendAll } from '../src/live/send-all.ts';
import { deliver, conclude } from '../src/sending/deliver.ts';
import { stateName } from '../src/spool/entry.ts';
import { flushNow } from '../src/spool/flush-now.ts';
import { keep } from '../src/spool/keep.ts';
import { sendKept } from '../src/spool/send-kept.ts';
import { COMPLETE, expectOneCompleteRun } from './complete-run.ts';
import { createWorkspace, keptIn, listen } from './deliveries.ts';
import { canMount, mountDisk } from './mount-disk.ts';
import { startProxy } from './proxy.ts';
import { type OpenService, openService } from './service.ts';

/** An archive with one file outside of it, in the form that older reporters send. */
const LEAVES_ITS_FOLDER = ((): Buffer => {
  const lengthOf = (text: string): Buffer => Buffer.of(text.length, 0, 0, 0);
  return gzipSync(Buffer.concat(['../out', 'x'].flatMap((text) => [lengthOf(text), Buffer.from(text)])));
})();

describe('a service that is there', () => {
  let service: OpenService;
  beforeAll(async () => {
    service = await openService({ SERVICE_MAX_FILE_MB: '1', SERVICE_MAX_BODY_MB: '1' });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it('has the run with its files, and the spool stays empty', async () => {
    using workspace = createWorkspace();
    const output = listen();
    const outcome = await deliver(workspace.delivery('plain'), workspace.options(service.url), output);
    expect(outcome).toMatchObject({ kind: 'sent' });
    expect(output.said).toEqual([expect.stringMatching(/^Assay: 1 passed, 1 failed http:.*\/test-runs\/\d+$/)]);
    await expectOneCompleteRun(service, 'plain');
    expect(await keptIn(workspace.spoolDir)).toEqual([]);
  });

  it('has it once after it was busy for a moment', async () => {
    using workspace = createWorkspace();
    await using proxy = await startProxy(service.url);
    proxy.answers = { times: 2, text: 'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' };
    const outcome = await deliver(workspace.delivery('busy'), workspace.options(proxy.url), listen());
    expect(outcome).toMatchObject({ kind: 'sent' });
    expect(proxy.connections).toBe(3);
    await expectOneCompleteRun(service, 'busy');
  });

  it.each([
    ['507 Insufficient Storage', ''],
    ['503 Service Unavailable', 'retry-after: 1\r\n'],
  ])('that answers %s has it later, by the next run', async (status, header) => {
    using workspace = createWorkspace();
    await using proxy = await startProxy(service.url);
    const project = `later ${status}`;
    proxy.answers = {
      times: 100,
      text: `HTTP/1.1 ${status}\r\n${header}content-length: 0\r\nconnection: close\r\n\r\n`,
    };
    const options = workspace.options(proxy.url, { timeoutMs: 5_000 });
    const output = listen();
    expect(await deliver(workspace.delivery(project), options, output)).toMatchObject({ kind: 'kept', mayPass: true });
    expect(output.said).toEqual([expect.stringContaining(`answered ${status.slice(0, 3)}`)]);
    expect(output.said[0]).toContain('the next run or `assay flush` sends it');
    expect(proxy.answers.times).toBeLessThan(99);
    proxy.answers = null;
    await sendKept(options, listen(), {}, AbortSignal.timeout(20_000));
    await expectOneCompleteRun(service, project);
    expect(await keptIn(workspace.spoolDir)).toEqual([]);
  });

  it('says what it answered, though the time is over before it answers again', async () => {
    using workspace = createWorkspace();
    await using proxy = await startProxy(service.url);
    proxy.answers = { times: 1, text: 'HTTP/1.1 507 Full\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' };
    proxy.onAnswer = () => true;
    const output = listen();
    const options = workspace.options(proxy.url, { timeoutMs: 4_000 });
    expect(await deliver(workspace.delivery('answered before'), options, output)).toMatchObject({ kind: 'kept' });
    expect(output.said).toEqual([expect.stringContaining('answered 507')]);
    expect(proxy.connections).toBe(2);
  });

  it('has the run and the other files when it refuses one that is too large, whether it names it or not', async () => {
    using workspace = createWorkspace();
    await using proxy = await startProxy(service.url);
    const wrong = join(workspace.folder, 'wrong.zip');
    const sends = async (projectName: string, serverUrl: string, live: boolean): Promise<string[]> => {
      const output = listen();
      const { submission, ...rest } = workspace.delivery(projectName);
      const large = workspace.delivery(projectName, { traceBytes: 3 * 1024 * 1024 }).traces[0]!;
      writeFileSync(wrong, LEAVES_ITS_FOLDER);
      const delivery = {
        ...rest,
        submission,
        reports: [...rest.reports, { type: 'wrong', path: wrong }],
        traces: [{ ...large, caseIndex: 0 }, ...rest.traces],
      };
      const options = workspace.options(serverUrl);
      if (!live) await deliver(delivery, options, output);
      else {
        const client = openClient(serverUrl, options.credentials, {});
        const sent = await sendAll(client, delivery, output, AbortSignal.timeout(20_000), 0);
        client.close();
        await conclude(sent, delivery, options, output);
      }
      return output.said;
    };
    for (const live of [false, true]) {
      expect(await sends(`large-${live}`, service.url, live)).toEqual([
        expect.stringMatching(/^Assay: sent without the trace .*trace\.zip: .* answered 413: trace_0 must not have/),
        expect.stringMatching(/^Assay: sent without the wrong report .*wrong\.zip: .* answered 400: report_wrong: /),
        expect.stringMatching(/^Assay: 1 passed, 1 failed/),
      ]);
      await expectOneCompleteRun(service, `large-${live}`);
    }
    proxy.answers = { times: 1, text: 'HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' };
    expect((await sends('large-proxy', proxy.url, false))[0]).toMatch(/without the trace .* answered 413,/);
    await expectOneCompleteRun(service, 'large-proxy');
  });

  it('has all attachments but those that it refuses, which are said, of a run that has more of them than one form holds', async () => {
    using workspace = createWorkspace();
    const output = listen();
    const given = workspace.delivery('attached');
    const { submission } = given;
    const more = Array.from({ length: 3 }, (_, at) => ({ title: `ships ${at}`, status: 'failed' }));
    const body = Buffer.from('a log');
    const attachments = Array.from({ length: 1_020 }, (_, number) => ({
      caseIndex: 2 + (number % more.length),
      attempt: 0,
      name: `log ${number}`,
      contentType: 'text/plain',
      path: 'log',
      body,
    }));
    const large = { ...given.attachments[1]!, name: 'large', path: 'large', body: Buffer.alloc(1_100_000) };
    const delivery = {
      ...given,
      submission: { ...submission, testCases: [...submission.testCases!, ...more] },
      // In the second form, which alone is sent again without it.
      attachments: [...given.attachments, ...attachments, large],
    };
    expect(await deliver(delivery, workspace.options(service.url), output)).toMatchObject({ kind: 'sent' });
    expect(output.said).toEqual([
      expect.stringMatching(/^Assay: sent without the attachment large: .* answered 413: attachment_1_0 must not have/),
      expect.stringMatching(/^Assay: 1 passed, 1 failed/),
    ]);
    const [run] = await service.runsOf('attached');
    const stored = run!.testCases.map(async ({ id }) => {
      const found = await service.client.getTestCase({ params: { id } });
      return found.attachments.map(({ name }) => name).toSorted();
    });
    const sent = [...given.attachments, ...attachments];
    expect(await Promise.all(stored)).toEqual(
      delivery.submission.testCases.map((_, at) =>
        sent.flatMap(({ caseIndex, name }) => (caseIndex === at ? [name] : [])).toSorted(),
      ),
    );
  });

  it('gets in batches what it refuses as too large for one request, from the spool too, with its files and once', async () => {
    using workspace = createWorkspace();
    const delivery = enlarged(workspace.delivery('batches'), 15, 100_000);
    const { testCases } = delivery.submission;
    const options = workspace.options(service.url);
    await keep(delivery, options, false);
    for (const time of ['once', 'again']) {
      const output = listen();
      expect(await deliver(delivery, options, output), time).toMatchObject({ kind: 'sent' });
      expect(output.said).toEqual([expect.stringMatching(/^Assay: 1 passed, 16 failed http/)]);
    }
    expect(await flushNow(options, listen())).toMatchObject({ sent: [expect.any(String)], left: 0 });
    const runs = await service.runsOf('batches');
    expect(runs).toMatchObject([{ status: 'failed', totalTests: 17, failedTests: 16, reports: [{ type: 'html' }] }]);
    expect(runs[0]!.testCases.map(({ title }) => title)).toEqual(testCases!.map(({ title }) => title));
    const { traces } = await service.client.getTestCase({ params: { id: runs[0]!.testCases[1]!.id } });
    expect(traces).toHaveLength(1);
  });

  it('goes on with batches where they were when it happened, or takes the place of that', async () => {
    using workspace = createWorkspace();
    const { credentials } = workspace.options(service.url);
    const client = openClient(service.url, credentials, {});
    for (const matchesStream of [true, false]) {
      const named = workspace.delivery(`goes-on-${matchesStream}`);
      const part = { runKey: 'build 7', shard: { index: 1, total: 1 } };
      const delivery = enlarged({ ...named, submission: { ...named.submission, ...part } }, 5, 10);
      const { projectName, startTime, testCases } = delivery.submission;
      const live = openLiveRun(client, Promise.resolve({ projectName, startTime, ...part }), delivery.idempotencyKey);
      for (const testCase of testCases!.slice(0, 3)) live.add(testCase);
      await expect.poll(async () => (await service.runsOf(projectName))[0]?.testCases.length).toBe(3);
      await live.stop(AbortSignal.timeout(5_000));
      const batchEnds = matchesStream ? live.batchEnds() : null;
      const sent = await sendAll(client, { ...delivery, batchEnds }, listen(), AbortSignal.timeout(20_000), 0);
      expect(sent).toMatchObject({ ok: true, dropped: [] });
      const runs = await service.runsOf(projectName);
      expect(runs).toMatchObject([{ status: 'failed', totalTests: 7 }]);
      expect(runs[0]!.testCases.map(({ title }) => title)).toEqual(testCases!.map(({ title }) => title));
    }
    client.close();
  });

  it('keeps what it refuses out of the way of the next run, until someone asks for it', async () => {
    using workspace = createWorkspace();
    const output = listen();
    const options = workspace.options(service.url);
    const outcome = await deliver(workspace.delivery('huge', { errorBytes: 2 * 1024 * 1024 }), options, output);
    expect(outcome).toMatchObject({ kind: 'kept', why: expect.stringContaining('answered 413') });
    expect(output.said).toEqual([expect.stringMatching(/Kept in .*; `assay flush` retries it$/)]);
    expect(await flushNow(options, listen())).toMatchObject({ sent: [], left: 1, why: expect.stringContaining('413') });
  });

  it.skipIf(process.platform !== 'linux')(
    'has the results though a file cannot be read, and that is said',
    async () => {
      using workspace = createWorkspace();
      const output = listen();
      const delivery = { ...workspace.delivery('unreadable'), traces: [{ caseIndex: 1, path: '/proc/self/mem' }] };
      await deliver(delivery, workspace.options(service.url), output);
      expect(output.said).toEqual([
        expect.stringMatching(/^Assay: sent without the trace \/proc\/self\/mem: \/proc\/self\/mem cannot be read/),
        expect.stringMatching(/^Assay: 1 passed, 1 failed/),
      ]);
      expect(await service.runsOf('unreadable')).toMatchObject([COMPLETE]);
    },
  );

  it('gets what waits behind a run that it cannot take', async () => {
    using workspace = createWorkspace();
    await using proxy = await startProxy(service.url);
    const options = workspace.options(proxy.url);
    await keep(workspace.delivery('stuck'), options, false);
    await keep(workspace.delivery('behind'), options, false);
    proxy.answers = { times: 1, text: 'HTTP/1.1 500 Broken\r\ncontent-length: 0\r\nconnection: close\r\n\r\n' };
    expect(await flushNow(options, listen())).toMatchObject({ sent: [expect.any(String)], left: 1 });
    await expectOneCompleteRun(service, 'behind');
    expect(await flushNow(options, listen())).toMatchObject({ sent: [expect.any(String)], left: 0 });
    await expectOneCompleteRun(service, 'stuck');
  });

  it('stores a run once, though it answers too late', async () => {
    using workspace = createWorkspace();
    await using proxy = await startProxy(service.url);
    const tooLate = new AbortController();
    proxy.onAnswer = () => {
      tooLate.abort();
      return true;
    };
    const output = listen();
    const options = workspace.options(proxy.url);
    const client = openClient(proxy.url, options.credentials, {});
    const delivery = workspace.delivery('slow');
    const sent = await sendAll(client, delivery, output, tooLate.signal);
    client.close();
    expect(await conclude(sent, delivery, options, output)).toMatchObject({ kind: 'kept' });
    expect(output.said).toEqual([expect.stringMatching(/^Assay: not sent: .* did not finish in time .* Kept in /)]);
    proxy.onAnswer = null;
    workspace.clean();
    expect(await flushNow(options, listen())).toMatchObject({ sent: [expect.any(String)], left: 0, why: null });
    await expectOneCompleteRun(service, 'slow');
  });

  it('gets what a process was sending that is no more, and what it did not finish to write goes', async () => {
    using workspace = createWorkspace();
    const options = workspace.options(service.url);
    await keep(workspace.delivery('abandoned'), options, false);
    const [name] = await keptIn(workspace.spoolDir);
    const nobody = spawnSync(process.execPath, ['--version']).pid;
    renameSync(join(workspace.spoolDir, name!), join(workspace.spoolDir, stateName(name!, 'sending', nobody)));
    const half = `${name!.slice(0, -1)}${name!.endsWith('0') ? '1' : '0'}`;
    mkdirSync(join(workspace.spoolDir, stateName(half, 'writing', nobody)));
    expect(await flushNow(options, listen())).toMatchObject({ sent: [expect.any(String)], left: 0, why: null });
    await expectOneCompleteRun(service, 'abandoned');
    expect(await keptIn(workspace.spoolDir)).toEqual([]);
  });

  it('gets the results that a process was keeping that is no more, with the files it had copied', async () => {
    using workspace = createWorkspace();
    const options = workspace.options(service.url);
    const nobody = spawnSync(process.execPath, ['--version']).pid;
    for (const [at, state] of (['writing', 'removing'] as const).entries()) {
      await keep(workspace.delivery(`half-${state}`), options, false);
      const name = (await keptIn(workspace.spoolDir))[at]!;
      const folder = join(workspace.spoolDir, stateName(name, state, nobody));
      renameSync(join(workspace.spoolDir, name), folder);
      renameSync(join(folder, 'trace-0'), join(folder, 'trace-0.half'));
    }
    expect(await flushNow(options, listen())).toMatchObject({ sent: [expect.any(String)], left: 0, why: null });
    const [run] = await service.runsOf('half-writing');
    expect(run).toMatchObject(COMPLETE);
    expect(await service.client.getTestCase({ params: { id: run!.testCases[1]!.id } })).toMatchObject({ traces: [] });
    expect(await service.runsOf('half-removing')).toEqual([]);
    expect(await keptIn(workspace.spoolDir)).toEqual([]);
  });

  it('gets each run from one of two that flush at once', async () => {
    using workspace = createWorkspace();
    const away = workspace.options(service.url);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `both-${letter}`);
    for (const name of names) await keep(workspace.delivery(name), away, false);
    workspace.clean();
    const flushed = await Promise.all([
      flushInProcess(service.url, workspace.spoolDir),
      flushInProcess(service.url, workspace.spoolDir),
    ]);
    expect(flushed.reduce((sum, count) => sum + count, 0)).toBe(names.length);
    for (const name of names) await expectOneCompleteRun(service, name);
    expect(await keptIn(workspace.spoolDir)).toEqual([]);
  });
});

describe('a service that wants credentials', () => {
  it('gets the run once they are right, by key or by login', async () => {
    await using service = await openService({
      SERVICE_AUTH_ENABLED: 'true',
      SERVICE_AUTH_SECRET: 'a secret of at least 32 characters',
    });
    const account = { username: 'admin', password: 'a long passphrase' };
    await service.client.setUp({ body: { ...account, name: 'Ann' } });
    using workspace = createWorkspace();
    const output = listen();
    const delivery = workspace.delivery('closed');
    const wrong = workspace.options(service.url, { apiKey: `pd_${'0'.repeat(64)}` });
    expect(await deliver(delivery, wrong, output)).toMatchObject({ kind: 'kept' });
    expect(output.said).toEqual([
      expect.stringMatching(/answered 401.*ASSAY_API_KEY.*Kept in .* next run or `assay flush`/),
    ]);
    workspace.clean();
    const right = workspace.options(service.url, account);
    expect(await flushNow(right, listen())).toMatchObject({ sent: [expect.any(String)], left: 0 });
    await expectOneCompleteRun(service, 'closed');
  });
});

describe('a spool', () => {
  const NOBODY = 'http://127.0.0.1:9';

  it('stays within its bounds: the oldest go, and files that alone are too large', async () => {
    using workspace = createWorkspace();
    const options = workspace.options(NOBODY, { timeoutMs: 1, spoolMaxMb: 1 });
    const told = listen();
    for (const name of ['oldest', 'middle', 'newest']) {
      await deliver(workspace.delivery(name, { traceBytes: 400_000 }), options, told);
    }
    expect(told.said.map((line) => line.includes('(deleted 1 older'))).toEqual([false, false, true]);
    expect(await keptIn(workspace.spoolDir)).toHaveLength(2);
    const output = listen();
    await deliver(workspace.delivery('large', { traceBytes: 2_000_000 }), options, output);
    expect(output.said).toEqual([
      expect.stringMatching(/without its largest reports, traces and attachments: .* is limited to 1 MB/),
    ]);
  });

  // Only an administrator can make a disk.
  it.skipIf(!canMount())('on a full disk keeps the results alone, and when even they do not fit says so', async () => {
    using workspace = createWorkspace();
    using disk = mountDisk(workspace.spoolDir, 256 * 1024);
    const options = workspace.options(NOBODY, { timeoutMs: 1 });
    const output = listen();
    await deliver(workspace.delivery('files', { traceBytes: 1_000_000 }), options, output);
    expect(output.said).toEqual([
      expect.stringMatching(/Kept in .*, without reports, traces and attachments: the disk of .* is full;/),
    ]);
    output.said.length = 0;
    const outcome = await deliver(workspace.delivery('results', { errorBytes: 1_000_000 }), options, output);
    expect(outcome).toMatchObject({ kind: 'lost' });
    expect(output.said).toEqual([
      expect.stringMatching(/^Assay: this run is lost: .*could not be kept: the disk of .* is full$/),
    ]);
    expect(await keptIn(disk.path)).toHaveLength(1);
  });

  it('that cannot be written to is one line, and nothing else happens', async () => {
    using workspace = createWorkspace();
    mkdirSync(workspace.folder, { recursive: true });
    writeFileSync(join(workspace.folder, 'file'), '');
    const output = listen();
    const options = workspace.options(NOBODY, { timeoutMs: 1, spoolDir: join(workspace.folder, 'file', 'spool') });
    expect(await deliver(workspace.delivery('lost'), options, output)).toMatchObject({ kind: 'lost' });
    expect(output.said).toEqual([
      expect.stringMatching(/^Assay: this run is lost: .*could not be kept: .* cannot be used/),
    ]);
  });
});

/** With so many more results that failed. */
const enlarged = (delivery: Delivery, cases: number, errorBytes: number): Delivery => {
  const more = Array.from({ length: cases }, (_, at) => ({
    title: `ships ${at}`,
    status: 'failed',
    error: 'x'.repeat(errorBytes),
  }));
  const testCases = [...delivery.submission.testCases!, ...more];
  const counts = { totalTests: testCases.length, failedTests: cases + 1 };
  return { ...delivery, submission: { ...delivery.submission, ...counts, testCases } };
};

/** How many it sent. */
const flushInProcess = (serverUrl: string, spoolDir: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'flush-process.ts'), serverUrl, spoolDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('close', (code) => (code === 0 ? resolve(Number(output)) : reject(new Error(`ended with ${code}`))));
  });
