import { randomUUID } from 'node:crypto';
import type { Submission, SubmittedCase } from '@assay/contract';
import type { SerializedError, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { commonArguments } from '../ci/command-line.ts';
import { describeSource } from '../ci/describe-source.ts';
import { partOf, runKeyOf } from '../ci/run-key.ts';
import { readSource } from '../ci/source.ts';
import { writeStepSummary } from '../ci/step-summary.ts';
import { countCases } from '../delivery/counts.ts';
import { deliver } from '../delivery/deliver.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Environment } from '../environment.ts';
import type { Options } from '../options/options.ts';
import type { Output } from '../output.ts';
import { relativePath } from '../repository/paths.ts';
import { rootOf } from '../repository/root.ts';
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
  const root = rootOf(folder, options, output);
  const testCases = run.modules.flatMap((module) => casesOf(module, root));
  const delivery: Delivery = {
    submission: await buildSubmission(run, vitest, testCases, root, around),
    idempotencyKey: randomUUID(),
    reports: [],
    traces: [],
  };
  const signal = AbortSignal.timeout(options.timeoutMs);
  const outcome = await deliver(delivery, options, output, signal);
  await writeStepSummary(delivery, outcome, env);
  if (outcome.kind === 'sent') await sendKept(options, output, env, signal);
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
  const { shard } = config;
  const args = commonArguments(process.argv.slice(2), root);
  const what = [process.platform, process.version, 'vitest', relativePath(root, config.root), ...names, '', ...args];
  const derived = shard ? runKeyOf(source.ci, options.projectName, what) : null;
  return {
    projectName: options.projectName,
    status: reason,
    startTime: new Date(startMs).toISOString(),
    duration: endMs - startMs,
    ...countCases(testCases),
    ...told,
    ...partOf(options.runKey ?? derived, shard ? { index: shard.index, total: shard.count } : null),
    metadata: {
      ...options.metadata,
      ...metadata,
      vitest: { version, projects: names },
      ...(unhandledErrors.length > 0 ? { errors: unhandledErrors.map((error) => errorText([error])) } : {}),
    },
    testCases,
  };
};
