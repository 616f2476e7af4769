import { fork } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildServer } from '../scripts/build-server.ts';
import { causeRows } from './causes.ts';
import { benchExpression } from './expression.ts';
import {
  type Row,
  megabytes,
  milliseconds,
  missedLimits,
  percentile,
  printTable,
  thousands,
  times,
} from './figures.ts';
import { benchFiles } from './files.ts';
import { bodyRequest, openConnection, submitRequest } from './http-client.ts';
import { importRows } from './imports.ts';
import { benchStory, fill, submit } from './load.ts';
import { LOGIN_SETTINGS, loginRows } from './login.ts';
import { settledRss } from './measuring.ts';
import { checkOut } from './previous-commit.ts';
import { GROWING_READS, type ReadFigures, measureReads, readForAWhile } from './reads.ts';
import { reporterRows } from './reporter.ts';
import { benchScale } from './scale.ts';
import { type BenchService, type ServiceOptions, startBenchService } from './service.ts';
import { startupRows } from './startup.ts';
import { measureSubmissions, submissionRows } from './submission.ts';
import { webRows } from './web.ts';

const HELP = `npm run bench -- [PART] [options]

  --small N   results of the small data set   (100000)
  --large N   results of the large data set   (5000000)
  --only PART measure only startup, submissions, reads, cleanup, files, login,
              web, reporter, expression or base
  --base REF  the commit to compare with      (HEAD~1; "none" for no comparison)

npm run bench -- imports [FORMAT]

  The memory that importing 100000 results takes, for each report format.

npm run bench -- causes

  How well the causes of errors group errors whose causes are known: see docs/causes.md.

npm run bench -- scale [PART] [--factor F]

  Very many clients, runs, results, projects and files, only when asked for: it takes half an hour.
  PART is one of startup, clients, large-submission, large-run, files, runs, query, postgres,
  postgres-reads, fifty-million, replica and s3.
  --factor F  share of all amounts, such as 0.1 for a quick look   (1)

Exits with 1 when a limit is missed.
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    small: { type: 'string', default: '100000' },
    large: { type: 'string', default: '5000000' },
    only: { type: 'string' },
    base: { type: 'string', default: 'HEAD~1' },
    factor: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const root = join(import.meta.dirname, '..');
const workDir = join(root, '.bench');
const source = join(root, 'packages/server/src/main.ts');
const READS_EACH = 150;
/** p50 of a read that looks at all runs of a project, at the large data set. */
const GROWING_READ_LIMIT_MS = 50;
const FIRST_RUNS_MS = 5_000;
const READ_UNDER_LOAD_MS = 10_000;
const CLEANUP_RUNS = 1_000;
const withoutAnswerCache = { SERVICE_ANSWER_CACHE_MB: '0' };

const progress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
};

const withService = async <T>(
  entry: string,
  environment: Record<string, string>,
  work: (service: BenchService) => Promise<T>,
  options: Pick<ServiceOptions, 'dataDir' | 'watchTurns'> = {},
): Promise<T> => {
  const service = await startBenchService({ entry, workDir, environment, ...options });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
};

const filled = (service: BenchService, results: number): Promise<number> =>
  fill(service.url, results, (share) => progress(`filling with ${results} results: ${Math.round(share * 100)} %`));

const benchSubmissions = async (): Promise<void> => {
  progress('submissions');
  printTable(
    'Submissions of fifty projects, for 1,000 results',
    submissionRows(await withService(built, {}, measureSubmissions)),
  );
};

const benchReadsAndSize = async (): Promise<void> => {
  const small = Number(options.small);
  const large = Number(options.large);
  const atSmall = await withService(built, withoutAnswerCache, async (service) => {
    await filled(service, small);
    return measureReads(service.url, READS_EACH);
  });
  await withService(built, withoutAnswerCache, async (service) => {
    const empty = service.diskBytes();
    const results = await filled(service, large);
    const perResult = (service.diskBytes() - empty) / results;
    const afterFilling = await settledRss(service);
    const atLarge = await measureReads(service.url, READS_EACH);
    printTable(
      `Reads at ${thousands(small)} and at ${thousands(large)} results, answer cache off`,
      readRows(atSmall, atLarge),
    );
    const underLoad = await readsUnderLoad(service);
    printTable('Reads while two clients send runs of fifty projects without pause', underLoad);
    printTable('Size', [
      {
        what: 'Bytes on disk per result',
        measured: perResult.toFixed(1),
        limit: '22',
        ok: perResult <= 22,
      },
      { what: `RSS after storing ${thousands(large)} results`, measured: megabytes(afterFilling) },
    ]);
  });
};

const readRows = (small: ReadFigures, large: ReadFigures): Row[] =>
  [...small].map(([what, before]) => {
    const after = large.get(what)!;
    const ratio = after.p50 / before.p50;
    const grows = what in GROWING_READS;
    return {
      what,
      measured: `p50 ${milliseconds(before.p50)} → ${milliseconds(after.p50)} (${times(ratio)}), p99 ${milliseconds(before.p99)} → ${milliseconds(after.p99)}`,
      limit: grows ? `${GROWING_READ_LIMIT_MS} ms` : '1.5 ×',
      ok: grows ? after.p50 <= GROWING_READ_LIMIT_MS : ratio <= 1.5,
    };
  });

const readsUnderLoad = async (service: BenchService): Promise<Row[]> => {
  progress('reads while two clients send runs');
  const submitter = fork(join(import.meta.dirname, 'submitter.ts'), [service.url, '2']);
  await new Promise((resolve) => submitter.once('message', resolve));
  // Until most projects have runs to read.
  await new Promise((resolve) => setTimeout(resolve, FIRST_RUNS_MS));
  const timings = await readForAWhile(service.url, READ_UNDER_LOAD_MS);
  const done = new Promise<{ results: number }>((resolve) =>
    submitter.once('message', (message) => resolve(message as never)),
  );
  submitter.kill('SIGTERM');
  const { results } = await done;
  const p99 = percentile(timings, 99);
  return [
    { what: 'p50 of all reads', measured: milliseconds(percentile(timings, 50)) },
    { what: 'p99 of all reads', measured: milliseconds(p99), limit: '15 ms', ok: p99 <= 15 },
    {
      what: 'Results stored meanwhile, per second',
      measured: thousands(results / ((FIRST_RUNS_MS + READ_UNDER_LOAD_MS) / 1000)),
    },
  ];
};

const benchCleanup = async (): Promise<void> => {
  await withService(built, {}, async (service) => {
    progress('cleanup');
    const connection = await openConnection(service.url);
    const story = benchStory('old', 1_000);
    for (let n = 0; n < CLEANUP_RUNS; n++) {
      const submission = { ...story.run(n), startTime: new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toISOString() };
      await submit(connection, submitRequest(Buffer.from(JSON.stringify(submission))));
    }
    const recent = benchStory('new', 1_000);
    for (let n = 0; n < 10; n++) {
      await submit(connection, submitRequest(Buffer.from(JSON.stringify(recent.run(n)))));
    }
    const before = service.diskBytes();
    const start = performance.now();
    const { body } = await connection.send(
      bodyRequest('DELETE', '/api/admin/cleanup', Buffer.from(JSON.stringify({ olderThanDays: 1_000 }))),
    );
    const elapsed = performance.now() - start;
    const reply = JSON.parse(body.toString()) as { deletedRuns: number; freedBytes: number };
    connection.close();
    printTable('Cleanup', [
      { what: `Deleting ${reply.deletedRuns} runs of 1,000 cases`, measured: `${(elapsed / 1000).toFixed(2)} s` },
      { what: 'Data folder before and after', measured: `${megabytes(before)} and ${megabytes(service.diskBytes())}` },
      { what: 'Bytes returned to the file system, by its answer', measured: megabytes(reply.freedBytes) },
    ]);
  });
};

const benchAgainst = async (reference: string): Promise<void> => {
  const previous = reference === 'none' ? null : checkOut(root, reference, workDir);
  if (previous === null) return;
  try {
    progress(`comparing with ${previous.name}`);
    const measure = (entry: string) =>
      withService(entry, withoutAnswerCache, async (service) => {
        const submissions = await measureSubmissions(service);
        await filled(service, Number(options.small));
        return { submissions, reads: await measureReads(service.url, READS_EACH) };
      });
    const before = await measure(previous.entry);
    const now = await measure(source);
    printTable(`Beside ${previous.name}`, [
      {
        what: 'A submission, one client',
        measured: times(now.submissions.oneClientMs / before.submissions.oneClientMs),
      },
      {
        what: 'A submission, four clients',
        measured: times(now.submissions.fourClientsMs / before.submissions.fourClientsMs),
      },
      ...[...now.reads].map(([what, { p50 }]) => ({
        what: `p50 of ${what}`,
        measured: times(p50 / before.reads.get(what)!.p50),
      })),
    ]);
  } finally {
    previous.remove();
  }
};

const benchWeb = ({ url }: BenchService): Promise<Row[]> => webRows(url, join(root, 'packages/web/dist'));

rmSync(workDir, { recursive: true, force: true });
mkdirSync(workDir, { recursive: true });
const only = options.only ?? positionals[0];
/** What operators run; the comparison with another commit is between sources. */
const built = only === 'expression' || only === 'causes' ? '' : await buildServer();
const parts: Record<string, () => Promise<void>> = {
  startup: async () => printTable('Startup', await startupRows(built, workDir)),
  submissions: benchSubmissions,
  reads: benchReadsAndSize,
  cleanup: benchCleanup,
  files: () =>
    benchFiles(
      (work, dataDir) => withService(built, {}, work, dataDir === undefined ? {} : { dataDir }),
      root,
      workDir,
    ),
  login: async () => printTable('Sign-in', await withService(built, LOGIN_SETTINGS, loginRows)),
  web: async () => printTable('Web interface, in headless Chromium', await withService(built, {}, benchWeb)),
  reporter: async () =>
    printTable('Reporter', await withService(built, {}, (service) => reporterRows(service, root, workDir))),
  expression: () => benchExpression(root, workDir, options.base),
  base: () => benchAgainst(options.base),
};
/** Parts that are measured only when they are asked for. */
const onRequest: Record<string, () => Promise<void>> = {
  imports: async () =>
    printTable(
      'Memory of imports',
      await withService(built, {}, (service) => importRows(service, { built, workDir, format: positionals[1] })),
    ),
  causes: async () => printTable('Causes of errors', causeRows()),
  scale: () =>
    benchScale(positionals[1], {
      built,
      workDir,
      factor: Number(options.factor),
      progress,
      withService: (work, dataDir) =>
        withService(built, {}, work, { watchTurns: true, ...(dataDir === undefined ? {} : { dataDir }) }),
    }),
};
const [loadBefore] = loadavg();
console.log(
  `${availableParallelism()} cores, load average ${loadBefore!.toFixed(1)} before: times are true on an idle machine`,
);
const chosen = only === undefined ? Object.values(parts) : [{ ...parts, ...onRequest }[only]];
for (const measure of chosen) {
  if (measure === undefined) throw new Error(`No part ${only}: see npm run bench -- --help`);
  await measure();
}
progress('');
if (missedLimits().length > 0) {
  console.error(
    `\nMissed:\n${missedLimits()
      .map((text) => `  ${text}`)
      .join('\n')}`,
  );
  process.exitCode = 1;
}
