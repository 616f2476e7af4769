import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MAX_SHARDS } from '@assay/contract/limits';
import { type FilesImported, type ImportedRun, importFiles } from '@assay/import';
import { readSource } from '../ci/source.ts';
import { writeStepSummary } from '../ci/step-summary.ts';
import { sendCommits } from '../commits/send-commits.ts';
import type { Delivery, Outcome, ReportToSend } from '../delivery/delivery.ts';
import { openClient } from '../http/client.ts';
import { deleteLastRun } from '../last-run/last-run.ts';
import type { GivenOptions } from '../options/options.ts';
import { outputTo } from '../output.ts';
import { rootOf } from '../repository/root.ts';
import { deliver, conclude } from '../sending/deliver.ts';
import { sendKept } from '../spool/send-kept.ts';
import { describePlan } from './describe-plan.ts';
import { planUpload } from './plan-upload.ts';
import { SERVICE_FLAGS, UsageError, readArguments, readCommandOptions, readPairs } from './read-arguments.ts';
import { EXIT, type Exit, type Terminal } from './terminal.ts';

const FLAGS = {
  ...SERVICE_FLAGS,
  project: { type: 'string' },
  'run-key': { type: 'string' },
  shard: { type: 'string' },
  branch: { type: 'string' },
  commit: { type: 'string' },
  report: { type: 'string', multiple: true },
  label: { type: 'string', multiple: true },
  attachments: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  strict: { type: 'boolean' },
} as const;

export const runUpload = async (args: string[], terminal: Terminal): Promise<Exit> => {
  const { env, cwd, stdout } = terminal;
  const output = outputTo(terminal.stderr);
  const { values, positionals } = readArguments(args, FLAGS);
  if (positionals.length === 0) throw new UsageError('no files; see assay upload --help');
  const isDry = values['dry-run'] === true;
  // Nothing is sent, so nothing need be known about where to.
  const dryEnv = isDry ? { ASSAY_URL: 'http://localhost', ASSAY_PROJECT: 'dry-run', ...withoutEmpty(env) } : env;
  const labels = readPairs('label', values.label ?? []);
  const options = readCommandOptions(
    {
      serverUrl: values.url,
      projectName: values.project,
      apiKey: values['api-key'],
      runKey: values['run-key'],
      attachments: values.attachments as GivenOptions['attachments'],
      ...(labels.length > 0 ? { labels: Object.fromEntries(labels) } : {}),
    },
    dryEnv,
    { projectName: true },
    output,
  );
  const shard = readShard(values.shard);
  const reports = await readReports(values.report ?? [], options.labels, cwd);
  const root = rootOf(cwd, options, output);
  const files = await importFiles(
    positionals.map((path) => resolve(cwd, path)),
    { root },
  );
  if (!files.ok) throw new UsageError(`nothing was sent: ${files.problems.join('\n  ')}`);
  for (const warning of files.warnings) output.say(`Assay: ${warning}`);
  const source = await readSource(cwd, env);
  const given = { branch: values.branch ?? source.branch, commit: values.commit ?? source.commit };
  const plan = planUpload(files, { options, source: { ...source, ...given }, shard, reports });
  if (isDry) {
    stdout.write(
      values.json ? `${JSON.stringify(plan.map(withoutBodies), null, 2)}\n` : describePlan(plan, formatsOf(files)),
    );
    return files.damage.length > 0 ? EXIT.bad : EXIT.good;
  }
  deleteLastRun(options, cwd);
  const outcomes: Outcome[] = [];
  const signal = AbortSignal.timeout(options.timeoutMs);
  let away: string | null = null;
  for (const delivery of plan) {
    // Who was away for one part is not waited for with each of the others.
    const outcome: Outcome =
      away === null
        ? await deliver(delivery, options, output, signal)
        : await conclude({ ok: false, failure: { kind: 'away', why: away } }, delivery, options, output);
    if (outcome.kind === 'kept' && outcome.mayPass) away = outcome.why;
    outcomes.push(outcome);
    await writeStepSummary(delivery, outcome, env);
  }
  const allSent = outcomes.every(({ kind }) => kind === 'sent');
  if (allSent) {
    const client = openClient(options.serverUrl, options.credentials, env);
    await sendCommits(inOne(plan), { client, root, options, output, until: signal });
    client.close();
    await sendKept(options, output, env, signal);
  }
  if (values.json) stdout.write(`${JSON.stringify(outcomes, null, 2)}\n`);
  // What was sent of a damaged report is not all that the tests said.
  if (files.damage.length > 0) return EXIT.bad;
  return allSent || !values.strict ? EXIT.good : EXIT.bad;
};

const inOne = (plan: readonly Delivery[]): Delivery['submission'] => ({
  ...plan[0]!.submission,
  testCases: plan.flatMap(({ submission: { testCases } }) => testCases ?? []),
});

/** Attachments may be in memory. */
const withoutBodies = (delivery: Delivery): Delivery => ({
  ...delivery,
  attachments: delivery.attachments.map(({ body, ...attachment }) => attachment),
});

const readShard = (text: string | undefined): ImportedRun['shard'] => {
  if (text === undefined) return null;
  const [, index, total] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), total: Number(total) };
  if (shard.index >= 1 && shard.index <= shard.total && shard.total <= MAX_SHARDS) return shard;
  throw new UsageError(`--shard must be such as 1/3, but is "${text}"`);
};

const readReports = async (
  given: readonly string[],
  labels: Readonly<Record<string, string>>,
  cwd: string,
): Promise<ReportToSend[]> => {
  const reports: ReportToSend[] = [];
  for (const [type, path] of readPairs('report', given)) {
    const label = labels[type];
    const found = await stat(resolve(cwd, path)).catch(() => null);
    if (found === null) throw new UsageError(`--report ${type}=${path}: no such file or folder`);
    reports.push({ type, path: resolve(cwd, path), ...(label === undefined ? {} : { label }) });
  }
  return reports;
};

const formatsOf = ({ formats }: FilesImported): string =>
  [...formats].map(([format, count]) => `${count} ${count === 1 ? 'file' : 'files'} of ${format}`).join(', ');

const withoutEmpty = (env: Terminal['env']): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])));
