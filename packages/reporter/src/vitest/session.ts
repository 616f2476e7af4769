import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { SubmittedCase } from '@assay/contract';
import type { SerializedError, TestCase, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { detectCi } from '../ci/detect-ci.ts';
import { mergeSource, readSource } from '../ci/source.ts';
import { type Beginning, buildSubmission } from '../delivery/build-submission.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { findReports } from '../delivery/find-reports.ts';
import type { Environment } from '../environment.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { rootOf } from '../repository/root.ts';
import { openRunSender } from '../sending/run-sender.ts';
import { buildBeginning } from '../session/beginning.ts';
import { errorText } from './build-cases.ts';
import { createCollector } from './collect.ts';
import { placesOfReports } from './reports.ts';
import { factsOf, statusOfRun } from './submission.ts';

/** One run of Vitest, from its beginning to what became of it. */
export interface Session {
  testEnded(test: TestCase): void;
  moduleEnded(module: TestModule): void;
  ended(end: RunEnd): void;
  /** Whether reports will come along that others write only when they are told the end. */
  readonly awaitsReports: boolean;
  /** To be called once all reports are written. */
  deliver(): Promise<void>;
  /** Leaves nothing running. */
  close(): void;
}

export interface RunEnd {
  readonly modules: readonly TestModule[];
  readonly errors: readonly SerializedError[];
  readonly reason: TestRunEndReason;
}

interface Ended extends RunEnd {
  readonly atMs: number;
}

export interface Surroundings {
  readonly env: Environment;
  /** Of the command line. */
  readonly args: readonly string[];
  readonly output: Output;
}

const EVERY_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export const beginSession = (options: Options, vitest: Vitest, { env, args, output }: Surroundings): Session => {
  const startedAt = Date.now();
  const { config, version } = vitest;
  const root = rootOf(config.root, options, output);
  const collector = createCollector(root, options.attachments);
  const idempotencyKey = randomUUID();
  const sender = openRunSender(options, idempotencyKey, { env, root, output });
  const places = options.uploadReports ? placesOfReports(config, version) : [];
  let end: Ended | null = null;

  // Until git has said more.
  let source = mergeSource({}, detectCi(env), {});
  const begin = (): Beginning => buildBeginning(options, factsOf(vitest), source, root, new Date(startedAt), args);
  const beginning = readSource(config.root, env).then((read) => {
    source = read;
    return begin();
  });
  // Whoever needs it is told.
  beginning.catch(() => undefined);
  sender.begin(beginning);

  const add = (testCases: readonly SubmittedCase[]): void => testCases.forEach(sender.add);
  const timer = setInterval(() => add(collector.settled(Date.now())), EVERY_MS).unref();

  const buildDelivery = (began: Beginning, { modules, errors, reason, atMs }: Ended) => {
    const { testCases, traces, attachments, matchesStream, unsent } = collector.finish(modules);
    const failedTests = testCases.filter(({ status }) => status === 'failed' || status === 'timedOut').length;
    const status = statusOfRun(config, { reason, failedTests, errors });
    if (reason === 'interrupted') {
      const left = unsent.filter(({ annotations }) => annotations?.some(({ type }) => type === 'did not run'));
      for (const one of left) one.notRun = { reason: status === 'interrupted' ? 'interrupted' : 'maxFailures' };
    }
    add(unsent);
    const delivery: Delivery = {
      submission: buildSubmission(began, {
        status,
        durationMs: atMs - startedAt,
        testCases,
        errors: errors.map((error) => errorText([error])),
      }),
      idempotencyKey,
      reports: findReports(places, startedAt, options.labels),
      traces: options.uploadTraces ? traces : [],
      attachments,
    };
    return { delivery, matchesStream: matchesStream && errors.length === 0 };
  };

  /** Vitest ends at once when it is told to by a signal, and says so to nobody. */
  const keepAtExit = (): void => {
    try {
      const reached: Ended = end ?? {
        modules: vitest.state.getTestModules(),
        errors: [],
        reason: 'interrupted',
        atMs: Date.now(),
      };
      const { delivery, matchesStream } = buildDelivery(begin(), reached);
      sender.keepNow(delivery, matchesStream, 'Vitest ended before it was done');
    } catch (error) {
      output.say(`Assay: this run is lost: ${String(error)}`);
    }
  };
  process.once('exit', keepAtExit);

  /** While Vitest closes it listens to signals no longer, and one that nobody listens to ends a process without an exit. */
  const exitBySignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    process.exitCode ??= 128 + constants.signals[signal];
    process.exit();
  };

  const close = (): void => {
    process.off('exit', keepAtExit);
    for (const signal of SIGNALS) process.off(signal, exitBySignal);
    clearInterval(timer);
    sender.close();
  };

  return {
    awaitsReports: places.length > 0,
    testEnded: (test) => collector.testEnded(test, Date.now()),
    moduleEnded: (module) => add(collector.moduleEnded(module)),
    ended(given) {
      end = { ...given, atMs: Date.now() };
      clearInterval(timer);
      if (places.length > 0) for (const signal of SIGNALS) process.once(signal, exitBySignal);
    },
    async deliver() {
      try {
        if (end === null) return;
        const signal = AbortSignal.timeout(options.timeoutMs);
        const { delivery, matchesStream } = buildDelivery(await beginning, end);
        await sender.deliver(delivery, matchesStream, signal);
      } finally {
        close();
      }
    },
    close,
  };
};
