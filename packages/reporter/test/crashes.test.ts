import { describe, expect, it } from 'vitest';
import type { Delivery } from '../src/delivery/delivery.ts';
import type { Sent } from '../src/delivery/send-whole.ts';
import { openClient } from '../src/http/client.ts';
import { openLiveRun } from '../src/live/live-run.ts';
import { sendAll } from '../src/live/send-all.ts';
import { conclude } from '../src/sending/deliver.ts';
import { expectOneCompleteRun } from './complete-run.ts';
import { createWorkspace, flushSpool, listen } from './deliveries.ts';
import { startProxy } from './proxy.ts';
import { startService } from './service.ts';

describe('runs that are being sent when the service is killed', () => {
  /** Each waits for an answer that it does not get: this one of those that the service gives it. */
  const MOMENTS = [
    ...['the start', 'the first results', 'the files', 'the end'].map((moment, at) => ({ moment, live: true, at })),
    { moment: 'the answer to a whole run that is stored', live: false, at: 0 },
  ];

  it('are exactly one complete run each, whichever of their requests that was', async () => {
    await using service = await startService();
    using workspace = createWorkspace();
    const givenUp = new AbortController();
    const begin = async (projectName: string, live: boolean, traceBytes?: number) => {
      const proxy = await startProxy(service.url);
      const options = workspace.options(service.url);
      const client = openClient(proxy.url, options.credentials, {});
      const delivery = workspace.delivery(projectName, { traceBytes });
      const send = (): Promise<Sent> => {
        if (!live) return sendAll(client, delivery, listen(), givenUp.signal);
        const run = openLiveRun(client, Promise.resolve(startOf(delivery)), delivery.idempotencyKey);
        for (const testCase of delivery.submission.testCases!) run.add(testCase);
        return run.finish(delivery, listen(), givenUp.signal);
      };
      const end = async (sent: Sent): Promise<void> => {
        expect(sent, projectName).toMatchObject({ ok: false });
        expect(await conclude(sent, delivery, options, listen()), projectName).toMatchObject({ kind: 'kept' });
        client.close();
        await proxy[Symbol.asyncDispose]();
      };
      return { proxy, send, end };
    };
    const waiting = MOMENTS.map(async ({ moment, live, at }) => {
      const { proxy, send, end } = await begin(moment, live);
      let answers = 0;
      const isHeld = new Promise<void>((resolve) => {
        proxy.onAnswer = () => {
          if (answers++ < at) return false;
          resolve();
          return true;
        };
      });
      const sent = send();
      await Promise.race([isHeld, sent]);
      return async () => end(await sent);
    });
    const ends = await Promise.all(waiting);
    const uploading = await begin('the middle of the files', false, 1_000_000);
    uploading.proxy.onUp = (bytes) => {
      if (bytes > 600_000) void service.kill().then(() => givenUp.abort());
    };
    await uploading.end(await uploading.send());
    for (const end of ends) await end();
    workspace.clean();
    await service.startAgain();
    const flushed = await flushSpool(service.url, workspace.spoolDir);
    expect(flushed).toMatchObject({ sent: { length: MOMENTS.length + 1 }, left: 0 });
    for (const { moment } of [...MOMENTS, { moment: 'the middle of the files' }]) {
      await expectOneCompleteRun(service, moment);
    }
  });
});

const startOf = ({ submission: { projectName, startTime } }: Delivery) => ({ projectName, startTime });
