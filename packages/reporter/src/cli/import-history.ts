import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countCases } from '../delivery/counts.ts';
import type { Delivery } from '../delivery/delivery.ts';
import { reportDropped } from '../delivery/refused-files.ts';
import type { Sent } from '../delivery/send-whole.ts';
import { findAllureHistory, readAllureHistory } from '../history/allure-history.ts';
import { openDoneList } from '../history/done-list.ts';
import { findFolderHistory } from '../history/folder-history.ts';
import type { HistoryRun } from '../history/history-run.ts';
import { openPiwiHistory } from '../history/piwi-history.ts';
import { type Client, openClient } from '../http/client.ts';
import { sendAll } from '../live/send-all.ts';
import type { Options } from '../options/options.ts';
import { type Output, outputTo } from '../output.ts';
import { rootOf } from '../repository/root.ts';
import { SERVICE_FLAGS, UsageError, readArguments, readCommandOptions } from './read-arguments.ts';
import { EXIT, type Exit, type Terminal } from './terminal.ts';

const FLAGS = {
  ...SERVICE_FLAGS,
  project: { type: 'string' },
  branch: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const;

const MOST_LEFT_OUT = 10;

interface History {
  readonly runs: readonly HistoryRun[];
  readonly notes: readonly string[];
  close(): void;
}

export const runImportHistory = async (args: string[], terminal: Terminal): Promise<Exit> => {
  const { env, cwd, stdout } = terminal;
  const output = outputTo(terminal.stderr);
  const { values, positionals } = readArguments(args, FLAGS);
  if (positionals.length !== 1)
    throw new UsageError('takes one folder or database file; see assay import-history --help');
  const path = resolve(cwd, positionals[0]!);
  const found = await stat(path).catch(() => null);
  if (found === null) throw new UsageError(`${path} does not exist`);
  const isDatabase = found.isFile();
  if (isDatabase && !(await isSqlite(path))) throw new UsageError(`${path} is neither a folder nor a database of Piwi`);
  const isDry = values['dry-run'] === true;
  const options = readCommandOptions(
    { serverUrl: values.url, projectName: values.project, apiKey: values['api-key'] },
    isDry ? { ASSAY_URL: 'http://localhost', ASSAY_PROJECT: 'dry-run', ...env } : env,
    // A database names its projects itself.
    { projectName: !isDatabase },
    output,
  );
  const history = isDatabase
    ? await openDatabaseHistory(path, values.project)
    : await readFolderHistory(path, options, { branch: values.branch, root: rootOf(path, options, output) });
  try {
    for (const note of history.notes) output.say(`Assay: ${note}`);
    if (history.runs.length === 0) throw new UsageError(`there is no run in ${path}`);
    if (isDry) {
      for (const run of history.runs) stdout.write(`${await describe(run)}\n`);
      return EXIT.good;
    }
    return await importAll(history.runs, options, path, output, env);
  } finally {
    history.close();
  }
};

const openDatabaseHistory = async (path: string, projectName: string | undefined): Promise<History> => {
  const { runs, close } = await openPiwiHistory(path, projectName);
  return { runs, close, notes: ['reports and traces are not in a database of Piwi, so they are left out'] };
};

const readFolderHistory = async (
  path: string,
  options: Options,
  settings: { readonly branch: string | undefined; readonly root: string },
): Promise<History> => {
  const close = (): void => undefined;
  const allure = await findAllureHistory(path);
  if (allure === null) return { runs: await findFolderHistory(path, { options, ...settings }), notes: [], close };
  const { runs, nameless } = await readAllureHistory(allure, options.projectName);
  const notes =
    nameless === 0 ? [] : [`${nameless} tests of the past are left out: the report no longer knows their names`];
  return { runs, notes, close };
};

const isSqlite = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(15), 0, 15, 0);
    return buffer.toString('latin1') === 'SQLite format 3';
  } finally {
    await file.close();
  }
};

const describe = async (run: HistoryRun): Promise<string> => {
  const loaded = await run.load();
  if (!loaded.ok) return `${run.name}: left out: ${loaded.why}`;
  return loaded.deliveries
    .map(({ submission }) => {
      const { totalTests, passedTests, failedTests } = countCases(submission.testCases ?? []);
      const counts = `${totalTests} tests, ${passedTests} passed, ${failedTests} failed`;
      return `${run.name}: ${submission.projectName}, ${submission.startTime}, ${submission.status}, ${counts}`;
    })
    .join('\n');
};

const importAll = async (
  runs: readonly HistoryRun[],
  options: Options,
  source: string,
  output: Output,
  env: Terminal['env'],
): Promise<Exit> => {
  const done = openDoneList(options, source);
  const client = openClient(options.serverUrl, options.credentials, env);
  const leftOut: string[] = [];
  let imported = 0;
  let before = 0;
  try {
    for (const [at, run] of runs.entries()) {
      if (done.has(run.id)) {
        before++;
        continue;
      }
      output.progress(`Assay: run ${at + 1} of ${runs.length}: ${run.name}`);
      const result = await importRun(client, run, options, output);
      if (result.kind === 'away') {
        output.progress(null);
        output.say(
          `Assay: stopped after ${imported + before} of ${runs.length} runs: ${result.why}. Run the command again to go on`,
        );
        return EXIT.bad;
      }
      if (result.kind === 'left out') leftOut.push(`${run.name}: ${result.why}`);
      else {
        done.add(run.id);
        imported++;
      }
    }
  } finally {
    output.progress(null);
    client.close();
  }
  for (const line of leftOut.slice(0, MOST_LEFT_OUT)) output.say(`Assay: left out ${line}`);
  if (leftOut.length > MOST_LEFT_OUT) output.say(`Assay: left out ${leftOut.length - MOST_LEFT_OUT} more`);
  const earlier = before > 0 ? `, ${before} were imported before` : '';
  output.say(`Assay: imported ${imported} of ${runs.length} runs${earlier} ${options.serverUrl}`);
  return leftOut.length > 0 ? EXIT.bad : EXIT.good;
};

type RunImported = { readonly kind: 'imported' } | { readonly kind: 'left out' | 'away'; readonly why: string };

const importRun = async (client: Client, run: HistoryRun, options: Options, output: Output): Promise<RunImported> => {
  const loaded = await run.load().catch((error: unknown) => ({ ok: false as const, why: String(error) }));
  if (!loaded.ok) return { kind: 'left out', why: loaded.why };
  for (const warning of loaded.warnings) output.say(`Assay: ${run.name}: ${warning}`);
  for (const delivery of loaded.deliveries) {
    const sent = await send(client, delivery, options, output);
    if (sent.ok) {
      reportDropped(sent.dropped, output);
      continue;
    }
    const { failure } = sent;
    // What concerns one run alone does not keep the others away.
    const isOfRun = failure.kind === 'refused' && [400, 413, 422].includes(failure.status);
    return { kind: isOfRun ? 'left out' : 'away', why: failure.why };
  }
  return { kind: 'imported' };
};

/** Details of another tool may be such as Assay does not take; the results count more. */
const send = async (client: Client, delivery: Delivery, { timeoutMs }: Options, output: Output): Promise<Sent> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const sent = await sendAll(client, delivery, output, signal);
  if (sent.ok || sent.failure.kind !== 'refused' || sent.failure.status !== 400) return sent;
  const plain = (delivery.submission.testCases ?? []).map(
    ({ title, status, duration, location, error, retries, browser }) => ({
      title,
      status,
      duration,
      location,
      error,
      retries,
      browser,
    }),
  );
  return sendAll(client, { ...delivery, submission: { ...delivery.submission, testCases: plain } }, output, signal);
};
