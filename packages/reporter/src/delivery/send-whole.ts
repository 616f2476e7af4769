import { stat } from 'node:fs/promises';
import type { SubmissionOutcome, SubmissionReply } from '@assay/contract';
import type { Client, Reply } from '../http/client.ts';
import { type Failure, UNREADABLE } from '../http/failure.ts';
import type { Output } from '../output.ts';
import type { Delivery } from './delivery.ts';
import { sizeOfAll } from './file-to-send.ts';
import { type FormFile, type FormText, formBody } from './form.ts';
import { jsonWith } from './json-with.ts';
import { showProgress } from './progress.ts';

export type Sent =
  | {
      readonly ok: true;
      readonly runId: number;
      readonly projectId: number;
      readonly outcome: SubmissionOutcome;
      /** Why its files were not taken; null when they were. */
      readonly withoutFiles: string | null;
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Sends all of a delivery in one request, with its cases as JSON. Files that the service refuses do not keep the results
 * away from it.
 */
export const sendWhole = async (
  client: Client,
  delivery: Delivery,
  cases: string,
  output: Output,
  signal: AbortSignal,
): Promise<Sent> => {
  const files = await filesOf(delivery);
  if (files.length === 0) return sentOf(await submit(client, delivery, cases, signal), null);
  const reply = await upload(client, delivery, cases, files, output, signal);
  if (reply.ok || !isAboutFiles(reply.failure)) return sentOf(reply, null);
  return sentOf(await submit(client, delivery, cases, signal), reply.failure.why);
};

const sentOf = (reply: Reply<SubmissionReply>, withoutFiles: string | null): Sent => {
  if (!reply.ok) return reply;
  const { testRunId: runId, projectId } = reply.body;
  return { ok: true, runId, projectId, outcome: outcomeIn(reply.body), withoutFiles };
};

/** What became of the results; services of earlier versions do not say. */
export const outcomeIn = ({ outcome }: Partial<SubmissionReply>): SubmissionOutcome => outcome ?? 'stored';

/**
 * A file may be too large or cannot be read, or a report is such that it is not unpacked; a proxy in between answers 413 as
 * well.
 */
export const isAboutFiles = (failure: Failure): boolean =>
  failure.kind === 'refused' && (failure.code === UNREADABLE || [400, 411, 413, 415, 422].includes(failure.status));

const submit = (
  client: Client,
  { submission, idempotencyKey }: Delivery,
  cases: string,
  signal: AbortSignal,
): Promise<Reply<SubmissionReply>> => {
  const { testCases, ...run } = submission;
  const text = jsonWith(run, 'testCases', cases);
  return client.call({ path: '/api/test-runs/submit', idempotencyKey, body: { kind: 'json', text }, signal });
};

const upload = (
  client: Client,
  { submission, idempotencyKey, reports }: Delivery,
  cases: string,
  files: readonly FormFile[],
  output: Output,
  signal: AbortSignal,
): Promise<Reply<SubmissionReply>> => {
  const { projectName, testCases, ...testRun } = submission;
  const texts = [
    { name: 'projectName', text: projectName },
    { name: 'testRun', text: JSON.stringify(testRun) },
    { name: 'testCases', text: cases },
    ...labelsOf(reports),
  ];
  return sendForm(client, { path: '/api/test-runs/upload', idempotencyKey }, texts, files, output, signal);
};

/** The files of a run whose results are there already. */
export const sendFiles = async (
  client: Client,
  delivery: Delivery,
  { path, part }: { readonly path: string; readonly part: number },
  output: Output,
  signal: AbortSignal,
): Promise<Reply<unknown>> => {
  const files = await filesOf(delivery);
  if (files.length === 0) return { ok: true, body: null };
  const texts = [{ name: 'part', text: String(part) }, ...labelsOf(delivery.reports)];
  const idempotencyKey = `${delivery.idempotencyKey}-files`;
  return sendForm(client, { path, idempotencyKey }, texts, files, output, signal);
};

const sendForm = async <T>(
  client: Client,
  to: { readonly path: string; readonly idempotencyKey: string },
  texts: readonly FormText[],
  files: readonly FormFile[],
  output: Output,
  signal: AbortSignal,
): Promise<Reply<T>> => {
  const progress = showProgress(output, await sizeOfAll(files));
  try {
    return await client.call<T>({ ...to, body: formBody({ texts, files, onSent: progress.sent }), signal });
  } finally {
    progress.end();
  }
};

const labelsOf = (reports: Delivery['reports']): FormText[] =>
  reports.flatMap(({ type, label }) => (label ? [{ name: `report_label_${type}`, text: label }] : []));

/** Those that are there. */
const filesOf = async ({ reports, traces }: Delivery): Promise<FormFile[]> => {
  const files: FormFile[] = [
    ...reports.map((report) => ({ ...report, name: `report_${report.type}` })),
    ...traces.map((trace) => ({ ...trace, name: `trace_${trace.caseIndex}` })),
  ];
  const found = await Promise.all(files.map(({ path }) => stat(path).catch(() => null)));
  return files.filter((_, at) => found[at]);
};
