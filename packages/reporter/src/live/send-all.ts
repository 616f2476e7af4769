import type { RunStart, Submission } from '@assay/contract';
import type { Delivery } from '../delivery/delivery.ts';
import { piecesOf } from '../delivery/json-with.ts';
import { type Sent, fitsOneForm, sendWhole } from '../delivery/send-whole.ts';
import type { Client } from '../http/client.ts';
import type { Output } from '../output.ts';
import { openLiveRun } from './live-run.ts';

/** Bytes of JSON. A service accepts twice that at once, unless it is set to less. */
const LARGEST_WHOLE = 32_000_000;

/** Sends a delivery in one request, or in several where that would be too large for one. */
export const sendAll = async (
  client: Client,
  delivery: Delivery,
  output: Output,
  signal: AbortSignal,
  largestWhole = LARGEST_WHOLE,
): Promise<Sent> => {
  const testCases = delivery.submission.testCases ?? [];
  const cases = fitsOneForm(delivery) ? piecesOf(testCases, largestWhole) : null;
  if (cases !== null) {
    const whole = await sendWhole(client, delivery, cases, output, signal);
    // A service, or a proxy before it, may accept less at once.
    const isTooLarge = !whole.ok && whole.failure.kind === 'refused' && whole.failure.status === 413;
    if (!isTooLarge) return whole;
  }
  const sent = await sendInBatches(client, delivery, output, signal);
  // A service that does not know how to take a run in batches.
  const isUnknown = !sent.ok && sent.failure.kind === 'refused' && [404, 405].includes(sent.failure.status);
  if (!isUnknown) return sent;
  return sendWhole(client, delivery, piecesOf(testCases)!, output, signal);
};

/** As a run that is sent while it happens, all at once. */
const sendInBatches = async (client: Client, given: Delivery, output: Output, signal: AbortSignal): Promise<Sent> => {
  const delivery = given.batchEnds === null ? inPlaceOf(given) : given;
  const { submission, idempotencyKey, batchEnds } = delivery;
  const live = openLiveRun(client, Promise.resolve(startOf(submission)), idempotencyKey, batchEnds ?? []);
  for (const testCase of submission.testCases ?? []) live.add(testCase);
  return live.finish(delivery, output, signal);
};

const startOf = (submission: Submission): RunStart => {
  const { status, duration, totalTests, passedTests, failedTests, skippedTests, testCases, ...start } = submission;
  return { ...start, expectedTests: testCases?.length ?? 0 };
};

/** Batches that were sent cannot be taken back, but what begins later takes the place of a part. */
const inPlaceOf = ({ submission, idempotencyKey, ...rest }: Delivery): Delivery => ({
  ...rest,
  batchEnds: [],
  idempotencyKey: `${idempotencyKey}-again`,
  submission: { ...submission, startTime: new Date(Date.parse(submission.startTime) + 1).toISOString() },
});
