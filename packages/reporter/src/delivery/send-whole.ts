import type { SubmissionOutcome, SubmissionReply } from '@assay/contract';
import type { Call, Client, Reply } from '../http/client.ts';
import type { Failure } from '../http/failure.ts';
import type { Output } from '../output.ts';
import type { Delivery } from './delivery.ts';
import { kindOf, sizeOf, sizeOfAll } from './file-to-send.ts';
import { type FormFile, type FormText, formBody, textOf } from './form.ts';
import { piecesWith } from './json-with.ts';
import { showProgress } from './progress.ts';
import { type DroppedFile, type SizedFile, filesToDrop, isAboutFiles } from './refused-files.ts';

export type Sent =
  | {
      readonly ok: true;
      readonly runId: number;
      readonly projectId: number;
      readonly outcome: SubmissionOutcome;
      /** Files that the service did not take. */
      readonly dropped: readonly DroppedFile[];
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Sends all of a delivery in one request, with its cases as JSON. Files that the service refuses keep neither the results
 * nor other files away from it.
 */
export const sendWhole = async (
  client: Client,
  delivery: Delivery,
  cases: readonly Buffer[],
  output: Output,
  signal: AbortSignal,
): Promise<Sent> => {
  const { reply, dropped } = await withoutRefused(await filesOf(delivery), (files) =>
    files.length === 0
      ? submit(client, delivery, cases, signal)
      : upload(client, delivery, cases, files, output, signal),
  );
  if (!reply.ok) return reply;
  const { testRunId: runId, projectId } = reply.body;
  return { ok: true, runId, projectId, outcome: outcomeIn(reply.body), dropped };
};

/** Sends files, and as long as some of them are refused, the others again. */
const withoutRefused = async <T>(
  all: readonly SizedFile[],
  send: (files: readonly SizedFile[]) => Promise<Reply<T>>,
): Promise<{ readonly reply: Reply<T>; readonly dropped: readonly DroppedFile[] }> => {
  const dropped: DroppedFile[] = [];
  for (let files = all; ;) {
    const reply = await send(files);
    if (reply.ok || files.length === 0 || !isAboutFiles(reply.failure)) return { reply, dropped };
    const { why } = reply.failure;
    const refused = new Set(filesToDrop(files, reply.failure));
    for (const { name, path } of refused) dropped.push({ name, path, why });
    files = files.filter((file) => !refused.has(file));
  }
};

/** What became of the results; services of earlier versions do not say. */
export const outcomeIn = ({ outcome }: Partial<SubmissionReply>): SubmissionOutcome => outcome ?? 'stored';

const submit = (
  client: Client,
  { submission, idempotencyKey }: Delivery,
  cases: readonly Buffer[],
  signal: AbortSignal,
): Promise<Reply<SubmissionReply>> => {
  const { testCases, ...run } = submission;
  const body = { kind: 'json', pieces: piecesWith(run, 'testCases', cases) } as const;
  return client.call({ path: '/api/test-runs/submit', idempotencyKey, body, signal });
};

const upload = (
  client: Client,
  { submission, idempotencyKey, reports }: Delivery,
  cases: readonly Buffer[],
  files: readonly FormFile[],
  output: Output,
  signal: AbortSignal,
): Promise<Reply<SubmissionReply>> => {
  const { projectName, testCases, ...testRun } = submission;
  const texts = [
    textOf('projectName', projectName),
    textOf('testRun', JSON.stringify(testRun)),
    { name: 'testCases', pieces: cases },
    ...labelsOf(reports),
  ];
  return sendForm(client, { path: '/api/test-runs/upload', idempotencyKey }, texts, files, output, signal);
};

/** The files of a run whose results are there already; what it answers with is why none of the others could be sent. */
export const sendFiles = async (
  client: Client,
  delivery: Delivery,
  { path, part }: { readonly path: string; readonly part: number },
  output: Output,
  signal: AbortSignal,
): Promise<{ readonly failure: Failure | null; readonly dropped: readonly DroppedFile[] }> => {
  const texts = [textOf('part', String(part)), ...labelsOf(delivery.reports)];
  const all = await filesOf(delivery);
  const dropped: DroppedFile[] = [];
  for (let from = 0; from < all.length; from += MOST_FILES) {
    const sent = await withoutRefused(all.slice(from, from + MOST_FILES), async (files) =>
      files.length === 0
        ? { ok: true, body: null }
        : // The service stores the same file once, however often it comes.
          sendForm(client, { path }, texts, files, output, signal),
    );
    dropped.push(...sent.dropped);
    if (!sent.reply.ok) return { failure: sent.reply.failure, dropped };
  }
  return { failure: null, dropped };
};

/** Of one request: what breaks off is sent again, and the service takes forms of at most 10,000 parts. */
const MOST_FILES = 1_000;

/** Whether all of a delivery fits into one request as far as its files go. */
export const fitsOneForm = ({ reports, traces, attachments }: Delivery): boolean =>
  reports.length + traces.length + attachments.length <= MOST_FILES;

const sendForm = async <T>(
  client: Client,
  to: Pick<Call, 'path' | 'idempotencyKey'>,
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
  reports.flatMap(({ type, label }) => (label ? [textOf(`report_label_${type}`, label)] : []));

/** Those that are there. */
const filesOf = async ({ reports, traces, attachments }: Delivery): Promise<SizedFile[]> => {
  const files: FormFile[] = [
    ...reports.map((report) => ({ ...report, name: `report_${report.type}` })),
    ...traces.map((trace) => ({ ...trace, name: `trace_${trace.caseIndex}` })),
    ...attachments.map(({ caseIndex, attempt, name: fileName, ...file }) => ({
      ...file,
      name: `attachment_${caseIndex}_${attempt}`,
      fileName,
    })),
  ];
  const found = await Promise.all(
    files.map(async (file): Promise<SizedFile[]> => {
      const kind = await kindOf(file);
      return kind === 'none' ? [] : [{ ...file, sizeBytes: await sizeOf(file), isExact: kind === 'file' }];
    }),
  );
  return found.flat();
};
