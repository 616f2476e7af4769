import { randomUUID } from 'node:crypto';
import type { RunStart } from '@assay/contract';
import type { FullConfig, FullResult, Suite, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { readSource } from '../ci/source.ts';
import { type Beginning, buildSubmission } from '../delivery/build-submission.ts';
import type { Collected } from '../delivery/collected.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { findReports } from '../delivery/find-reports.ts';
import type { Environment } from '../environment.ts';
import { deleteLastRun } from '../last-run/last-run.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { rootOf } from '../repository/root.ts';
import { openRunSender } from '../sending/run-sender.ts';
import { createCollector } from './collect.ts';
import { placesOfReports } from './reports.ts';
import { buildBeginning } from './submission.ts';
import { errorText } from './texts.ts';

/** One run of Playwright, from its beginning to what became of it. */
export interface Session {
  testBegan(result: TestResult): void;
  printed(result: TestResult, stream: 'stdout' | 'stderr', chunk: string | Buffer): void;
  testEnded(test: TestCase, result: TestResult): void;
  failed(error: TestError): void;
  ended(result: FullResult): void;
  /** To be called once all reports are written. */
  deliver(): Promise<void>;
  /** Leaves nothing running. */
  close(): void;
}

export interface Surroundings {
  readonly env: Environment;
  readonly cwd: string;
  /** Of the command line. */
  readonly args: readonly string[];
  readonly output: Output;
}

export const beginSession = (
  options: Options,
  config: FullConfig,
  suite: Suite,
  { env, cwd, args, output }: Surroundings,
): Session => {
  const startedAt = Date.now();
  deleteLastRun(options, cwd);
  const root = rootOf(config.rootDir, options, output);
  const collector = createCollector(root, options.attachments);
  const idempotencyKey = randomUUID();
  const sender = openRunSender(options, idempotencyKey, { env, root, output });
  const source = readSource(config.rootDir, env);
  const begin = async (startTime: Date): Promise<Beginning> =>
    buildBeginning(options, config, await source, root, startTime, args);
  const errors: TestError[] = [];
  let beginning: Promise<Beginning> | null = null;
  let end: FullResult | null = null;

  const buildDelivery = async (
    result: FullResult,
    { testCases, traces, attachments }: Collected,
  ): Promise<Delivery> => {
    const { status, duration: durationMs } = result;
    const submission = buildSubmission(await (beginning ?? begin(result.startTime)), {
      status,
      durationMs,
      testCases,
      errors: errors.map((error) => errorText([error])),
    });
    const places = options.uploadReports ? placesOfReports(config, cwd, env) : [];
    return {
      submission,
      idempotencyKey,
      reports: findReports(places, startedAt, options.labels),
      traces: options.uploadTraces ? traces : [],
      attachments,
    };
  };

  const deliver = async (result: FullResult): Promise<void> => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    const known = collector.known();
    const collected = collector.finish(suite, { status: result.status, maxFailures: config.maxFailures });
    for (const testCase of collected.testCases.slice(known)) sender.add(testCase);
    const delivery = await buildDelivery(result, collected);
    await sender.deliver(delivery, collected.matchesStream && errors.length === 0, signal);
  };

  return {
    testBegan(result) {
      if (beginning !== null) return;
      // Earlier where reports of past runs are merged.
      beginning = begin(new Date(Math.min(startedAt, result.startTime.getTime())));
      // Whoever needs it is told.
      beginning.catch(() => undefined);
      sender.begin(startOf(beginning, suite.allTests().length));
    },
    printed: collector.printed,
    testEnded(test, result) {
      const testCase = collector.ended(test, result);
      if (testCase !== null) sender.add(testCase);
    },
    failed: (error) => void errors.push(error),
    ended: (result) => void (end = result),
    async deliver() {
      try {
        if (end !== null && !isOnlyListed(config, suite, end, errors)) await deliver(end);
      } finally {
        sender.close();
      }
    },
    close: sender.close,
  };
};

const startOf = async (beginning: Promise<Beginning>, expectedTests: number): Promise<RunStart> => ({
  ...(await beginning),
  expectedTests,
});

/** `--list` tells of tests that nobody ran. A shard without tests is told, or it would be missing. */
const isOnlyListed = (
  { shard }: FullConfig,
  suite: Suite,
  { status }: FullResult,
  errors: readonly TestError[],
): boolean => {
  const tests = suite.allTests();
  if (status !== 'passed' || errors.length > 0 || (shard && tests.length === 0)) return false;
  return tests.every(({ results }) => results.length === 0);
};
