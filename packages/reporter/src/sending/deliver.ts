import { countFlaky } from '../delivery/counts.ts';
import type { Delivery, Outcome } from '../delivery/delivery.ts';
import { describeReplaced, describeSuperseded } from '../delivery/other-sender.ts';
import { reportDropped } from '../delivery/refused-files.ts';
import type { Sent } from '../delivery/send-whole.ts';
import { environment } from '../environment.ts';
import { openClient } from '../http/client.ts';
import { type Failure, isFinal } from '../http/failure.ts';
import { writeLastRun } from '../last-run/last-run.ts';
import { sendAll } from '../live/send-all.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { type Kept, keep } from '../spool/keep.ts';

/** Sends a run until the signal, or keeps it for later, and says which in a line. Never rejects. */
export const deliver = async (
  delivery: Delivery,
  options: Options,
  output: Output,
  signal = AbortSignal.timeout(options.timeoutMs),
): Promise<Outcome> => {
  const client = openClient(options.serverUrl, options.credentials, environment());
  try {
    return await conclude(await sendAll(client, delivery, output, signal), delivery, options, output);
  } catch (error) {
    return await conclude({ ok: false, failure: { kind: 'away', why: String(error) } }, delivery, options, output);
  } finally {
    client.close();
  }
};

/** What becomes of a delivery after it was tried to be sent. Never rejects. */
export const conclude = async (sent: Sent, delivery: Delivery, options: Options, output: Output): Promise<Outcome> => {
  const outcome = await reportOutcome(sent, delivery, options, output);
  const { runKey, shard } = delivery.submission;
  await writeLastRun(options, process.cwd(), environment(), {
    runId: outcome.kind === 'sent' ? outcome.runId : null,
    why: outcome.kind === 'sent' ? null : outcome.why,
    // The run of a shard that was tried again is still the run of this suite.
    supersededKey: outcome.kind === 'superseded' && (shard?.total ?? 1) === 1 ? (runKey ?? null) : null,
  });
  return outcome;
};

const reportOutcome = async (sent: Sent, delivery: Delivery, options: Options, output: Output): Promise<Outcome> => {
  if (sent.ok) {
    const { runId, projectId, outcome, dropped } = sent;
    const url = `${options.serverUrl}/test-runs/${runId}`;
    if (outcome === 'superseded') {
      const why = describeSuperseded(delivery);
      output.say(`Assay: results not stored: ${why} ${url}`);
      return { kind: 'superseded', why, url };
    }
    reportDropped(dropped, output);
    output.say(`Assay: ${summaryOf(delivery)} ${url}`);
    if (outcome === 'replaced' && !isRetry(delivery)) output.say(`Assay: ${describeReplaced(delivery)}`);
    return { kind: 'sent', runId, projectId, url };
  }
  return reportKept(await keep(delivery, options, isFinal(sent.failure)), sent.failure, output);
};

/** The CI system tried the job again, so replacing its earlier results is what people expect. */
const isRetry = ({ submission: { attempt } }: Delivery): boolean => (attempt ?? 1) > 1;

/** Says what became of a run that was not sent. */
export const reportKept = (kept: Kept, failure: Failure, output: Output): Outcome => {
  const { why } = failure;
  if (!kept.ok) {
    output.say(`Assay: this run is lost: ${why}; it could not be kept: ${kept.why}`);
    return { kind: 'lost', why: `${why}; ${kept.why}` };
  }
  const missing = kept.missing === null ? '' : `, ${kept.missing}`;
  const gone = kept.gone === 0 ? '' : ` (deleted ${kept.gone} older ones to make room: see spoolMaxMb)`;
  const later = isFinal(failure) ? '`assay flush` retries it' : 'the next run or `assay flush` sends it';
  output.say(`Assay: not sent: ${why}. Kept in ${kept.folder}${missing}${gone}; ${later}`);
  return { kind: 'kept', why, folder: kept.folder, mayPass: failure.kind === 'away' };
};

const summaryOf = ({ submission }: Delivery): string => {
  const { status, passedTests, failedTests, skippedTests, testCases } = submission;
  const outside = status === 'failed' && !failedTests ? ['failed outside of its tests'] : [];
  const counts: [number | null | undefined, string][] = [
    [passedTests, 'passed'],
    [failedTests, 'failed'],
    [countFlaky(testCases), 'flaky'],
    [skippedTests, 'skipped'],
  ];
  const told = counts.flatMap(([count, word]) => (count ? [`${count} ${word}`] : []));
  return [...outside, ...told].join(', ') || 'no tests';
};
