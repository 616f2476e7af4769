import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../src/delivery/delivery.ts';
import { openClient } from '../src/http/client.ts';
import { openLiveRun } from '../src/live/live-run.ts';
import { sendAll } from '../src/live/send-all.ts';
import { conclude } from '../src/sending/deliver.ts';
import { flushNow } from '../src/spool/flush-now.ts';
import { expectOneCompleteRun } from './complete-run.ts';
import { createWorkspace, listen } from './deliveries.ts';
import { PLAYWRIGHT } from './playwright-run.ts';
import { startProxy } from './proxy.ts';
import { type ServiceProcess, startService } from './service.ts';
import { shardsCases } from './shards.cases.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('Playwright', () => {
  shardsCases(PLAYWRIGHT, () => service);
});

describe('a run that is sent while it happens', () => {
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
      expect(await conclude(sent, delivery, options, listen()), moment).toMatchObject({ kind: 'kept' });
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
      const sent = await sendAll(client, delivery, listen(), givenUp.signal);
      expect(await conclude(sent, delivery, options, listen()), moment).toMatchObject({ kind: 'kept' });
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
