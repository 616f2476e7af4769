import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settle } from '../src/delivery/deliver.ts';
import type { Delivery } from '../src/delivery/delivery.ts';
import { sendWhole } from '../src/delivery/send-whole.ts';
import { openClient } from '../src/http/client.ts';
import { openLiveRun } from '../src/live/live-run.ts';
import { flushNow } from '../src/spool/flush-now.ts';
import { expectOneCompleteRun } from './complete-run.ts';
import { createWorkspace, listen } from './deliveries.ts';
import { configOf, createProject, runPlaywright, startPlaywright } from './playwright-run.ts';
import { startProxy } from './proxy.ts';
import { type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('a run in three shards', () => {
  const SPEC = `
import { test } from '@playwright/test';
for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) test(name, () => {
  if (name === 'c' && process.env['BROKEN']) throw new Error('broken');
});
`;

  it('is one run in any order; a shard that is missing is told, one that is tried again is replaced', async () => {
    using project = createProject({
      'playwright.config.ts': configOf('workers: 1, fullyParallel: true'),
      'tests/letters.spec.ts': SPEC,
    });
    const runShard = (index: number, more: Readonly<Record<string, string>> = {}) => {
      const ci = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '7', GITHUB_JOB: 'e2e' };
      const args = [`--shard=${index}/3`, `--output=results-${index}`];
      return runPlaywright(project, { ASSAY_URL: service.url, ...ci, ...more }, args);
    };

    await Promise.all([runShard(3), runShard(2, { BROKEN: '1' })]);
    const [incomplete, ...others] = await service.runsOf('shop');
    expect(others).toEqual([]);
    expect(incomplete).toMatchObject({
      status: 'failed',
      totalTests: 4,
      failedTests: 1,
      shards: { total: 3, missing: [1] },
    });

    await Promise.all([runShard(1), runShard(2, { GITHUB_RUN_ATTEMPT: '2' })]);
    const [complete, ...more] = await service.runsOf('shop');
    expect(more).toEqual([]);
    expect(complete).toMatchObject({
      id: incomplete!.id,
      status: 'passed',
      totalTests: 6,
      failedTests: 0,
      shards: { total: 3, missing: [], parts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 1 }] },
    });
    expect(complete!.testCases.map(({ title }) => title).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});

describe('a run that is sent while it happens', () => {
  const SPEC = `
import { existsSync } from 'node:fs';
import { test } from '@playwright/test';
test('first', () => {});
test('second', async () => {
  while (!existsSync('go-on')) await new Promise((resolve) => setTimeout(resolve, 20));
});
test('third', () => {});
`;

  it('shows its results at once, and is complete though the service was restarted in the middle', async () => {
    using project = createProject({
      'playwright.config.ts': configOf('workers: 1').replace("'shop'", "'live'"),
      'tests/slow.spec.ts': SPEC,
    });
    const { ended } = startPlaywright(project, { ASSAY_URL: service.url });
    await expect
      .poll(() => service.runsOf('live'), { timeout: 60_000 })
      .toMatchObject([{ status: 'running', testCases: [{ title: 'first' }] }]);
    await service.kill();
    await service.start();
    writeFileSync(join(project.folder, 'go-on'), '');
    const { code, said } = await ended;
    expect({ code, said }).toMatchObject({ code: 0, said: [expect.stringMatching(/^Assay: 3 passed http/)] });
    expect(await service.runsOf('live')).toMatchObject([
      { status: 'passed', totalTests: 3, testCases: [{ title: 'first' }, { title: 'second' }, { title: 'third' }] },
    ]);
  });

  const MOMENTS = ['the start', 'the first results', 'the files', 'the end'];

  it('is exactly one complete run after the service was killed over any of its requests', async () => {
    await using proxy = await startProxy(service.url);
    using workspace = createWorkspace();
    const options = workspace.options(proxy.url);
    for (const [at, moment] of MOMENTS.entries()) {
      const client = openClient(proxy.url, options.credentials, {});
      const givenUp = new AbortController();
      let answers = 0;
      proxy.onAnswer = () => {
        if (answers++ < at) return false;
        void service.kill().then(() => givenUp.abort());
        return true;
      };
      const delivery = workspace.delivery(`live-killed-${at}`);
      const live = openLiveRun(client, Promise.resolve(startOf(delivery)), delivery.idempotencyKey);
      for (const testCase of delivery.submission.testCases!) live.add(testCase);
      const sent = await live.finish(delivery, listen(), givenUp.signal);
      expect(sent, moment).toMatchObject({ ok: false });
      expect(await settle(sent, delivery, options, listen()), moment).toMatchObject({ kind: 'kept' });
      client.close();
      proxy.onAnswer = null;
      workspace.clean();
      await service.start();
      expect(await flushNow(options, listen()), moment).toMatchObject({ sent: [expect.any(String)], left: 0 });
      await expectOneCompleteRun(service, `live-killed-${at}`);
    }
  });
});

describe('a run that is sent as a whole', () => {
  const MOMENTS = [
    { moment: 'in the middle of the files', upTo: 600_000 },
    { moment: 'when it has stored all and is about to say so', upTo: null },
  ];

  it('is exactly one complete run after the service was killed', async () => {
    await using proxy = await startProxy(service.url);
    using workspace = createWorkspace();
    const options = workspace.options(proxy.url);
    for (const [at, { moment, upTo }] of MOMENTS.entries()) {
      const client = openClient(proxy.url, options.credentials, {});
      const givenUp = new AbortController();
      const kill = (): true => {
        proxy.onUp = null;
        void service.kill().then(() => givenUp.abort());
        return true;
      };
      if (upTo === null) proxy.onAnswer = kill;
      else proxy.onUp = (bytes) => void (bytes > upTo && kill());
      const delivery = workspace.delivery(`killed-${at}`, { traceBytes: 1_000_000 });
      const sent = await sendWhole(client, delivery, listen(), givenUp.signal);
      expect(await settle(sent, delivery, options, listen()), moment).toMatchObject({ kind: 'kept' });
      client.close();
      proxy.onAnswer = null;
      workspace.clean();
      await service.start();
      expect(await flushNow(options, listen()), moment).toMatchObject({ sent: [expect.any(String)], left: 0 });
      await expectOneCompleteRun(service, `killed-${at}`);
    }
  });
});

const startOf = ({ submission: { projectName, startTime } }: Delivery) => ({ projectName, startTime });
