import type { RunStart, SubmittedCase } from '@assay/contract';
import { writeStepSummary } from '../ci/step-summary.ts';
import { sendCommits } from '../commits/send-commits.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Sent } from '../delivery/send-whole.ts';
import type { Environment } from '../environment.ts';
import { openClient } from '../http/client.ts';
import type { Failure } from '../http/failure.ts';
import { type LiveRun, openLiveRun } from '../live/live-run.ts';
import { sendAll } from '../live/send-all.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { keepNow } from '../spool/keep.ts';
import { sendKept } from '../spool/send-kept.ts';
import { reportKept, conclude } from './deliver.ts';

/** Sends one run: its results while it happens, where that is wanted, and all of it when it has ended. */
export interface RunSender {
  begin(start: Promise<RunStart>): void;
  add(testCase: SubmittedCase): void;
  /**
   * Sends what is left, or keeps all for later. What was added cannot be changed, nor can anything be said beside it:
   * unless the delivery is as it was told, all of it is sent again. Never rejects.
   */
  deliver(delivery: Delivery, matchesStream: boolean, signal: AbortSignal): Promise<void>;
  /** Keeps a run for later whose process ends now, unless it was sent or kept. Never throws. */
  keepNow(delivery: Delivery, matchesStream: boolean, why: string): void;
  /** Leaves nothing running. */
  close(): void;
}

export const openRunSender = (
  options: Options,
  idempotencyKey: string,
  { env, root, output }: { readonly env: Environment; readonly root: string; readonly output: Output },
): RunSender => {
  const client = openClient(options.serverUrl, options.credentials, env);
  let live: LiveRun | null = null;
  let isConcluded = false;

  const finishLive = async (delivery: Delivery, matchesStream: boolean, signal: AbortSignal): Promise<Sent | null> => {
    if (live === null) return null;
    if (!matchesStream) {
      await live.stop(signal);
      return null;
    }
    const sent = await live.finish(delivery, output, signal);
    return sent.ok || sent.failure.kind === 'away' ? sent : null;
  };

  /** With what was told of it while it happened. */
  const asSent = (delivery: Delivery, matchesStream: boolean): Delivery => {
    if (live === null || live.batchEnds().length === 0) return delivery;
    return { ...delivery, batchEnds: matchesStream ? live.batchEnds() : null };
  };

  const send = async (delivery: Delivery, matchesStream: boolean, signal: AbortSignal): Promise<Sent> => {
    try {
      return (
        (await finishLive(delivery, matchesStream, signal)) ??
        (await sendAll(client, asSent(delivery, matchesStream), output, signal))
      );
    } catch (error) {
      return { ok: false, failure: { kind: 'away', why: String(error) } };
    }
  };

  return {
    begin(start) {
      if (options.live) live = openLiveRun(client, start, idempotencyKey);
    },
    add: (testCase) => live?.add(testCase),
    async deliver(given, matchesStream, signal) {
      const sent = await send(given, matchesStream, signal);
      const delivery = asSent(given, matchesStream);
      const outcome = await conclude(sent, delivery, options, output);
      isConcluded = true;
      await writeStepSummary(delivery, outcome, env);
      if (outcome.kind !== 'sent') return;
      await sendCommits(delivery.submission, { client, root, options, output, until: signal });
      await sendKept(options, output, env, signal);
    },
    keepNow(delivery, matchesStream, why) {
      if (isConcluded) return;
      const failure: Failure = { kind: 'away', why };
      reportKept(keepNow(asSent(delivery, matchesStream), options), failure, output);
    },
    close() {
      void live?.stop(AbortSignal.abort());
      client.close();
    },
  };
};
