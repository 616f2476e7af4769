import type {
  BatchReply,
  RunFinish,
  RunStart,
  StartReply,
  SubmissionOutcome,
  SubmissionReply,
  SubmittedCase,
} from '@assay/contract';
import type { Delivery } from '../delivery/delivery.ts';
import { jsonWith } from '../delivery/json-with.ts';
import type { DroppedFile } from '../delivery/refused-files.ts';
import { type Sent, outcomeIn, sendFiles } from '../delivery/send-whole.ts';
import { retryDelayMs } from '../http/backoff.ts';
import { type Client, type Reply, jsonBody } from '../http/client.ts';
import type { Failure } from '../http/failure.ts';
import type { Output } from '../output.ts';
import { createBatches } from './batches.ts';

/** A run that is sent while it happens. */
export interface LiveRun {
  add(testCase: SubmittedCase): void;
  /**
   * Sends what is left, the files and the end. When that is refused, all of the run is to be sent at once under the same
   * key, and takes the place of what was sent.
   */
  finish(delivery: Delivery, output: Output, signal: AbortSignal): Promise<Sent>;
  /** Where the batches end that may have been sent. */
  batchEnds(): readonly number[];
  /** Sends nothing more; what is being sent has a moment to arrive, unless the signal ends it. */
  stop(signal: AbortSignal): Promise<void>;
}

const EVERY_MS = 1_000;
const HEARTBEAT_MS = 20_000;
const PATIENCE_MS = 20_000;
const LAST_MOMENT_MS = 5_000;

export const openLiveRun = (
  client: Client,
  start: Promise<RunStart>,
  idempotencyKey: string,
  sentEnds: readonly number[] = [],
): LiveRun => {
  const batches = createBatches(sentEnds);
  const stopping = new AbortController();
  let started: StartReply | null = null;
  let hasReplaced = false;
  let nextBatch = 0;
  let lastContactAt = 0;
  let refusal: Failure | null = null;
  let failures = 0;
  let notBefore = 0;
  let current: Promise<void> | null = null;

  const post = <T>(path: string, text: string, signal: AbortSignal, tries?: number): Promise<Reply<T>> =>
    client.call<T>({
      path,
      idempotencyKey,
      body: jsonBody(text),
      signal,
      ...(tries === undefined ? {} : { tries }),
    });

  const postStart = async (signal: AbortSignal, tries?: number): Promise<Reply<StartReply>> =>
    post<StartReply>('/api/test-runs/start', JSON.stringify(await start), signal, tries);

  /** After a failure the answer to `start` says how far the service got. */
  const advance = async (signal: AbortSignal, tries?: number): Promise<Failure | null> => {
    if (started === null) {
      const reply = await postStart(signal, tries);
      if (!reply.ok) return reply.failure;
      started = reply.body;
      ({ nextBatch } = started);
      hasReplaced ||= outcomeIn(started) === 'replaced';
    }
    if (outcomeIn(started) === 'superseded') return SUPERSEDED;
    batches.cut();
    while (nextBatch < batches.count()) {
      const failure = await sendBatch(started, batches.get(nextBatch), signal, tries);
      if (failure) return failure;
    }
    return null;
  };

  const sendBatch = async (
    { testRunId, part }: StartReply,
    testCases: readonly string[],
    signal: AbortSignal,
    tries?: number,
  ): Promise<Failure | null> => {
    const text = jsonWith({ part, batch: nextBatch }, 'testCases', `[${testCases.join(',')}]`);
    const reply = await post<BatchReply>(`/api/test-runs/${testRunId}/results`, text, signal, tries);
    if (!reply.ok) return reply.failure;
    ({ nextBatch } = reply.body);
    return null;
  };

  const noteOutcome = (failure: Failure | null): void => {
    lastContactAt = Date.now();
    failures = failure === null ? 0 : failures + 1;
    if (failure === null) return;
    if (isFinished(failure)) {
      refusal = failure;
      return;
    }
    started = null;
    notBefore = Date.now() + retryDelayMs(failures, undefined);
    if (failure.kind === 'refused' && failure.code !== 'batch_missing') refusal = failure;
  };

  const tick = (): void => {
    const isIdle = started !== null && batches.loose() === 0 && nextBatch >= batches.count();
    if (current !== null || refusal !== null || Date.now() < notBefore) return;
    if (isIdle && Date.now() < lastContactAt + HEARTBEAT_MS) return;
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(PATIENCE_MS)]);
    // A batch without cases says that this is still there.
    const work = isIdle && started !== null ? sendBatch(started, [], signal, 1) : advance(signal, 1);
    current = work
      .then(noteOutcome)
      .catch((error: unknown) => {
        refusal = { kind: 'refused', status: 0, code: null, why: String(error) };
      })
      .finally(() => {
        current = null;
      });
  };

  // Does not keep a process that has nothing else to do.
  const timer = setInterval(tick, EVERY_MS).unref();
  tick();

  const stop = async (signal: AbortSignal): Promise<void> => {
    clearInterval(timer);
    const lastMoment = AbortSignal.any([signal, AbortSignal.timeout(LAST_MOMENT_MS)]);
    const abort = (): void => stopping.abort();
    lastMoment.addEventListener('abort', abort);
    if (lastMoment.aborted) abort();
    await current;
    lastMoment.removeEventListener('abort', abort);
  };

  /** Files may take long, and nothing else is heard of the run meanwhile. */
  const withHeartbeat = async <T>(run: StartReply, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const beat = setInterval(() => void sendBatch(run, [], signal, 1), HEARTBEAT_MS).unref();
    return work().finally(() => clearInterval(beat));
  };

  const finish: LiveRun['finish'] = async (delivery, output, signal) => {
    await stop(signal);
    const failure = refusal ?? (await advance(signal));
    if (started === null || (failure && !isFinished(failure))) return { ok: false, failure: failure ?? NOT_STARTED };
    const { testRunId, projectId, part } = started;
    const sentAs = (outcome: SubmissionOutcome, dropped: readonly DroppedFile[] = []): Sent => ({
      ok: true,
      runId: testRunId,
      projectId,
      outcome: hasReplaced && outcome === 'stored' ? 'replaced' : outcome,
      dropped,
    });
    /** A part that takes nothing more is complete, or another sender has its place. */
    const askOutcome = async (): Promise<Sent> => {
      const reply = await postStart(signal);
      return reply.ok ? sentAs(outcomeIn(reply.body)) : reply;
    };
    if (failure) return askOutcome();
    const path = `/api/test-runs/${testRunId}`;
    const files = await withHeartbeat(started, signal, () =>
      sendFiles(client, delivery, { part, path: `${path}/files` }, output, signal),
    );
    if (files.failure !== null) return isFinished(files.failure) ? askOutcome() : { ok: false, failure: files.failure };
    const { status, duration, totalTests, passedTests, failedTests, skippedTests } = delivery.submission;
    const end: RunFinish = { part, status, duration, totalTests, passedTests, failedTests, skippedTests };
    const reply = await post<SubmissionReply>(`${path}/finish`, JSON.stringify(end), signal);
    if (!reply.ok) return isFinished(reply.failure) ? askOutcome() : reply;
    return sentAs(outcomeIn(reply.body), files.dropped);
  };

  return { add: (testCase) => batches.add(testCase), finish, stop, batchEnds: batches.ends };
};

const NOT_STARTED: Failure = { kind: 'refused', status: 0, code: null, why: 'the run was not started' };

const SUPERSEDED: Failure = {
  kind: 'refused',
  status: 409,
  code: 'part_finished',
  why: 'another sender with the same run key and shard has its place',
};

const isFinished = (failure: Failure): boolean => failure.kind === 'refused' && failure.code === 'part_finished';
