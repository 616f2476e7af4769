import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { SubmittedCase } from '@assay/contract';
import { type Chosen, type FoundAttachment, attachmentsIn, createAttachmentChooser } from '@assay/import/attachments';
import { detectCi } from '../ci/detect-ci.ts';
import { mergeSource, readSource } from '../ci/source.ts';
import { type Beginning, buildSubmission } from '../delivery/build-submission.ts';
import type { Delivery, ReportToSend } from '../delivery/delivery.ts';
import type { Environment } from '../environment.ts';
import { deleteLastRun } from '../last-run/last-run.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { rootOf } from '../repository/root.ts';
import { openRunSender } from '../sending/run-sender.ts';
import { type RunnerFacts, buildBeginning } from './beginning.ts';

/** One run of Jest, Mocha or Cypress, from its beginning to what became of it. */
export interface Session {
  readonly options: Options;
  /** The folder that files are told relative to. */
  readonly root: string;
  /** A test that will not run again. */
  add(testCase: SubmittedCase, attachments?: readonly FoundAttachment[]): void;
  /** Outside of all tests. */
  failed(error: string): void;
  ended(end: RunEnd): void;
  /** Sends the run; once it has, the process may end. Never rejects. */
  deliver(): Promise<void>;
  /** Leaves nothing running. */
  close(): void;
}

export interface RunEnd {
  readonly status: string;
  readonly reports?: readonly ReportToSend[];
}

export interface Surroundings {
  readonly env: Environment;
  /** Of the command line. */
  readonly args: readonly string[];
  readonly output: Output;
}

export const beginSession = (options: Options, facts: RunnerFacts, { env, args, output }: Surroundings): Session => {
  const startedAt = Date.now();
  deleteLastRun(options, process.cwd());
  const root = rootOf(facts.folder, options, output);
  const idempotencyKey = randomUUID();
  const sender = openRunSender(options, idempotencyKey, { env, root, output });
  const testCases: SubmittedCase[] = [];
  const errors: string[] = [];
  const chosen: Chosen[] = [];
  const chooser = createAttachmentChooser(options.attachments);
  let end: (RunEnd & { readonly atMs: number }) | null = null;

  // Until git has said more.
  let source = mergeSource({}, detectCi(env), {});
  const begin = (): Beginning => buildBeginning(options, facts, source, root, new Date(startedAt), args);
  const beginning = readSource(facts.folder, env).then((read) => {
    source = read;
    return begin();
  });
  // Whoever needs it is told.
  beginning.catch(() => undefined);
  sender.begin(beginning);

  const buildDelivery = (
    began: Beginning,
    { status, reports, atMs }: RunEnd & { readonly atMs: number },
  ): Delivery => ({
    submission: buildSubmission(began, { status, durationMs: atMs - startedAt, testCases, errors }),
    idempotencyKey,
    reports: reports ?? [],
    traces: [],
    attachments: attachmentsIn(chosen),
  });
  const matchesStream = (): boolean => errors.length === 0;

  /** A run whose process ends is never better than the process says. */
  const keepAtExit = (code: number): void => {
    stopWatching();
    try {
      const reached = end ?? { status: 'interrupted', atMs: Date.now() };
      const status = code !== 0 && reached.status === 'passed' ? 'failed' : reached.status;
      sender.keepNow(buildDelivery(begin(), { ...reached, status }), matchesStream(), `${facts.title} ended at once`);
      if (end !== null) flushInProcess(options, env);
    } catch (error) {
      output.say(`Assay: this run is lost: ${String(error)}`);
    }
  };
  /** Mocha throws what comes after its end out of its handler of uncaught errors, and then Node says no `exit`. */
  const keepAtError = (): void => keepAtExit(1);
  const stopWatching = (): void => {
    process.off('exit', keepAtExit);
    process.off('uncaughtExceptionMonitor', keepAtError);
  };
  process.once('exit', keepAtExit);

  const close = (): void => {
    stopWatching();
    sender.close();
  };

  return {
    options,
    root,
    add(given, attachments = []) {
      const one = chooser.choose(given, attachments);
      chosen.push(one);
      testCases.push(one.testCase);
      sender.add(one.testCase);
    },
    failed: (error) => void errors.push(error),
    ended(given) {
      if (end === null) process.once('uncaughtExceptionMonitor', keepAtError);
      end = { ...given, atMs: Date.now() };
    },
    async deliver() {
      if (end === null) return;
      try {
        const signal = AbortSignal.timeout(options.timeoutMs);
        await sender.deliver(buildDelivery(await beginning, end), matchesStream(), signal);
        close();
      } catch (error) {
        close();
        output.say(`Assay: this run will not be sent: ${String(error)}`);
      }
    },
    close,
  };
};

const COMMAND = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../cli/main.ts' : './assay.js', import.meta.url),
);

/** A process that ends can wait for nothing but another one. */
const flushInProcess = ({ serverUrl, spoolDir, timeoutMs, credentials }: Options, env: Environment): void => {
  const secrets =
    credentials.kind === 'key'
      ? { ASSAY_API_KEY: credentials.apiKey }
      : credentials.kind === 'login'
        ? { ASSAY_USERNAME: credentials.username, ASSAY_PASSWORD: credentials.password }
        : {};
  const settings = { ASSAY_URL: serverUrl, ASSAY_SPOOL_DIR: spoolDir, ASSAY_TIMEOUT_MS: String(timeoutMs), ...secrets };
  spawnSync(process.execPath, [COMMAND, 'flush'], {
    env: { ...env, ...settings, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: timeoutMs,
    windowsHide: true,
  });
};
