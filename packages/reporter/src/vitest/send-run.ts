import { randomUUID } from 'node:crypto';
import type { Submission, SubmittedCase } from '@assay/contract';
import type { SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { describeSource } from '../ci/describe-source.ts';
import { runKeyOf } from '../ci/run-key.ts';
import { readSource } from '../ci/source.ts';
import { writeStepSummary } from '../ci/step-summary.ts';
import { deliver } from '../delivery/deliver.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Environment } from '../environment.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { findRepository, relativePath } from '../playwright/paths.ts';
import { sendKept } from '../spool/send-kept.ts';
import { casesOf, errorText } from './build-cases.ts';

export interface VitestRun {
  readonly modules: readonly TestModule[];
  readonly unhandledErrors: readonly SerializedError[];
  readonly reason: TestRunEndReason;
  readonly startMs: number;
  readonly endMs: number;
}

export interface Surroundings {
  readonly options: Options;
  readonly env: Environment;
  readonly output: Output;
}

export const sendRun = async (run: VitestRun, vitest: Vitest, around: Surroundings): Promise<void> => {
  const { options, env, output } = around;
  const folder = vitest.config.root;
  const root = findRepository(folder) ?? folder;
  const testCases = run.modules.flatMap((module) => casesOf(module, root));
  const delivery: Delivery = {
    submission: await buildSubmission(run, vitest, testCases, root, around),
    idempotencyKey: randomUUID(),
    reports: [],
    traces: [],
  };
  const outcome = await deliver(delivery, options, output);
  await writeStepSummary(delivery, outcome, env);
  if (outcome.kind === 'sent') await sendKept(options, output, env);
};

const buildSubmission = async (
  { unhandledErrors, reason, startMs, endMs }: VitestRun,
  { config, version, projects }: Vitest,
  testCases: SubmittedCase[],
  root: string,
  { options, env }: Surroundings,
): Promise<Submission> => {
  const source = await readSource(config.root, env);
  const { metadata, ...told } = describeSource(source);
  const names = projects.map(({ name }) => name).filter((name) => name !== '');
  const count = (...statuses: string[]): number => testCases.filter(({ status }) => statuses.includes(status)).length;
  const submission: Submission = {
    projectName: options.projectName,
    status: reason,
    startTime: new Date(startMs).toISOString(),
    duration: endMs - startMs,
    totalTests: testCases.length,
    passedTests: count('passed'),
    failedTests: count('failed', 'timedOut', 'interrupted'),
    skippedTests: count('skipped'),
    ...told,
    metadata: {
      ...options.metadata,
      ...metadata,
      vitest: { version, projects: names },
      ...(unhandledErrors.length > 0 ? { errors: unhandledErrors.map((error) => errorText([error])) } : {}),
    },
    testCases,
  };
  const { shard } = config;
  const what = [process.platform, 'vitest', relativePath(root, config.root), ...names];
  const runKey = options.runKey ?? (shard ? runKeyOf(source.ci, options.projectName, what) : null);
  if (runKey !== null) submission.runKey = runKey.slice(0, 200);
  // Without a key nothing says which run a shard is of, so it is a run of its own.
  if (shard && runKey !== null) submission.shard = { index: shard.index, total: shard.count };
  return submission;
};
