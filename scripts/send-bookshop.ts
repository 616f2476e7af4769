import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, Submission, SubmittedRequest, SubmittedStep } from '@assay/contract';
import { importFiles } from '@assay/import';
import { mergeSource } from '../packages/reporter/src/ci/source.ts';
import { planUpload } from '../packages/reporter/src/cli/plan-upload.ts';
import { openClient } from '../packages/reporter/src/http/client.ts';
import { sendAll } from '../packages/reporter/src/live/send-all.ts';
import { readOptions } from '../packages/reporter/src/options/read-options.ts';
import { outputTo } from '../packages/reporter/src/output.ts';

/** Made by record-bookshop.ts: a real run of a small project, with traces. */
export const BOOKSHOP_BLOB = join(import.meta.dirname, '../packages/testkit/bookshop/blob.zip');
/** Where it ran. */
export const BOOKSHOP_ROOT = join(tmpdir(), 'bookshop');

const PROJECT = 'bookshop';
const HOUR_MS = 3_600_000;
const PATIENCE_MS = 60_000;
const BROKEN_BY = { author: 'Rosamond Vincy', message: 'Take payments in pounds' };
/** Newest last; the run that was recorded is behind them. */
const BEFORE = [
  'Say who wrote a book',
  'Larger buttons on phones',
  'Keep the basket in the browser',
  'Sort books by title',
  'Search while typing',
  'Update to Node 24',
].map((message) => ({ author: 'Tertius Lydgate', message }));

/** A project with everything that a real run brings: traces, their steps and requests, and a report. Gives that run. */
export const sendBookshop = async (
  client: Client,
  serverUrl: string,
  until: number,
  { isMerged } = { isMerged: true },
): Promise<number> => {
  const recorded = await readRecorded(serverUrl, until - HOUR_MS);
  for (const [at, commit] of BEFORE.entries()) {
    const startTime = until - HOUR_MS - (BEFORE.length - at) * 26 * HOUR_MS;
    await client.submitRun({ body: { ...beforeItBroke(recorded.submission, startTime), ...madeBy(commit) } });
  }
  const service = openClient(serverUrl, { kind: 'none' }, {});
  try {
    const submission = { ...recorded.submission, ...madeBy(BROKEN_BY) };
    const delivery = { ...recorded, submission };
    const sent = await sendAll(service, delivery, outputTo(process.stderr), AbortSignal.timeout(PATIENCE_MS));
    if (!sent.ok) throw new Error(sent.failure.why);
    if (isMerged) await client.mergeReports({ params: { id: sent.runId } });
    return sent.runId;
  } finally {
    service.close();
  }
};

const readRecorded = async (serverUrl: string, startTime: number) => {
  const read = await importFiles([BOOKSHOP_BLOB], { root: BOOKSHOP_ROOT });
  if (!read.ok) throw new Error(read.problems.join());
  const options = readOptions({ serverUrl, projectName: PROJECT }, {});
  if (!options.ok) throw new Error(options.problems.join());
  const settings = { options: options.options, source: mergeSource({}, null, {}), shard: null, reports: [] };
  const delivery = planUpload(read, settings)[0]!;
  return { ...delivery, submission: movedTo(startTime, delivery.submission) };
};

const movedTo = (startTime: number, submission: Submission): Submission => {
  const byMs = startTime - Date.parse(submission.startTime);
  return JSON.parse(JSON.stringify(submission), (key, value: unknown) => {
    if (key !== 'startTime') return value;
    return typeof value === 'number' ? value + byMs : new Date(Date.parse(value as string) + byMs).toISOString();
  }) as Submission;
};

const beforeItBroke = ({ testCases, ...run }: Submission, startTime: number): Submission => ({
  ...run,
  startTime: new Date(startTime).toISOString(),
  status: 'passed',
  passedTests: (run.passedTests ?? 0) + (run.failedTests ?? 0),
  failedTests: 0,
  testCases: (testCases ?? []).map(({ title, location, browser, tags, status, steps, duration = null }) => ({
    title,
    location,
    browser,
    tags,
    status: status === 'failed' ? 'passed' : status,
    duration: duration === null ? null : Math.round(duration / 2),
    ...(status === 'failed' && { steps: (steps ?? []).map(passedStep), networkRequests: REQUESTS_OF_A_PAYMENT }),
  })),
});

const passedStep = ({ error: _, duration, steps, ...step }: SubmittedStep): SubmittedStep => ({
  ...step,
  duration: Math.min(duration ?? 0, 300),
  ...(steps && { steps: steps.map(passedStep) }),
});

const REQUESTS_OF_A_PAYMENT: SubmittedRequest[] = [
  { method: 'GET', url: 'http://127.0.0.1/', status: 200, duration: 35, resourceType: 'document' },
  { method: 'GET', url: 'http://127.0.0.1/api/books', status: 200, duration: 34, resourceType: 'fetch' },
  { method: 'POST', url: 'http://127.0.0.1/api/baskets/4711/items', status: 201, duration: 304, resourceType: 'fetch' },
  { method: 'POST', url: 'http://127.0.0.1/api/baskets/4711/items', status: 201, duration: 305, resourceType: 'fetch' },
  { method: 'POST', url: 'http://127.0.0.1/api/payments', status: 201, duration: 308, resourceType: 'fetch' },
];

const madeBy = (commit: { readonly author: string; readonly message: string }) => {
  const hash = createHash('sha1').update(commit.message).digest('hex');
  return { branch: 'main', commit: hash, metadata: { scm: { branch: 'main', commit: hash, ...commit } } };
};
