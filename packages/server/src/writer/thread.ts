import { readFileSync, rmSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Queries } from '../db/database.ts';
import { openSqlite } from '../db/sqlite.ts';
import { AppError } from '../errors.ts';
import { describeFiles } from '../features/files/present-files.ts';
import { storeFiles } from '../features/files/store-files.ts';
import { createKnownCases } from '../features/ingest/known-cases.ts';
import { type ParsedSubmission, parseSubmission } from '../features/ingest/parse-submission.ts';
import { parseUpload } from '../features/ingest/parse-upload.ts';
import { prepareStatements, storeRun } from '../features/ingest/store-run.ts';
import { createTestPlaces } from '../features/ingest/test-places.ts';
import { addResults } from '../features/live/add-results.ts';
import { type ParsedBatch, parseBatch } from '../features/live/parse-batch.ts';
import { createPartDurations } from '../features/parts/part-durations.ts';
import { rangesOf } from '../features/parts/part-rows.ts';
import { startWork } from './start-work.ts';
import {
  type CommandReplies,
  type FromWriter,
  type SteppedWork,
  type OtherCommand,
  type SubmitCommand,
  type SubmittedBody,
  type ToWriter,
  bodiesOf,
  isSubmission,
} from './work.ts';

/*
 * The one thread that writes. It takes the submissions that wait, parses them and stores them in one durable commit;
 * other work is done in steps between such commits.
 */

const SUBMISSIONS_PER_COMMIT = 16;
const BYTES_PER_COMMIT = 4 * 1024 * 1024;
const SQLITE_FULL = 13;

export interface ThreadData {
  readonly databaseFile: string;
  readonly runQuietMs: number;
}

interface Waiting {
  readonly id: number;
  readonly command: SubmitCommand;
}

const port = parentPort!;
const { databaseFile, runQuietMs: quietMs } = workerData as ThreadData;
const database = openSqlite({ file: databaseFile, access: 'write' });
const statements = prepareStatements(database);
const knownCases = createKnownCases();
const testPlaces = createTestPlaces();
const durations = createPartDurations();
const submissions: Waiting[] = [];
const others: { id: number; work: SteppedWork<CommandReplies[OtherCommand['kind']]> }[] = [];
let closing = false;
let running = false;

const send = (message: FromWriter): void => port.postMessage(message, 'returned' in message ? [message.returned] : []);

const receive = (message: ToWriter): void => {
  if ('close' in message) closing = true;
  else if (isSubmission(message.command)) submissions.push({ id: message.id, command: message.command });
  else others.push({ id: message.id, work: startWork(message.command, { database, durations, quietMs }) });
};

const run = async (): Promise<void> => {
  if (running) return;
  running = true;
  while (submissions.length > 0 || others.length > 0) {
    if (submissions.length > 0) await storeSome();
    if (others.length > 0) await stepNext();
    // Messages that arrived meanwhile join the next commit without a turn of the event loop.
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
      receive(next.message as ToWriter);
  }
  running = false;
  if (closing) {
    await database.close();
    port.close();
  }
};

/** What takes many steps lets everything else have one in between. */
const stepNext = async (): Promise<void> => {
  const next = others.shift()!;
  try {
    const step = await next.work.next();
    if (step.done) send({ id: next.id, value: step.value });
    else others.push(next);
  } catch (error) {
    sendFailure(next.id, error);
  }
};

interface Parsed extends Waiting {
  readonly parsed: ParsedSubmission | ParsedBatch;
}

const storeSome = async (): Promise<void> => {
  const parsed: Parsed[] = [];
  const used: ArrayBuffer[] = [];
  let bytes = 0;
  while (submissions.length > 0 && parsed.length < SUBMISSIONS_PER_COMMIT && bytes < BYTES_PER_COMMIT) {
    const { id, command } = submissions.shift()!;
    const bodies = bodiesOf(command);
    try {
      const texts = bodies.map(takeBody);
      bytes += texts.reduce((sum, text) => sum + text.byteLength, 0);
      parsed.push({ id, command, parsed: parse(command, texts) });
    } catch (error) {
      sendFailure(id, error);
    }
    for (const body of bodies) if ('bytes' in body) used.push(body.bytes.buffer);
  }
  if (!(await storeTogether(parsed))) {
    // One of them cannot be stored: each for itself, so that only that one fails.
    for (const one of parsed) await storeTogether([one], true);
  }
  for (const returned of used) send({ returned });
};

const parse = (command: SubmitCommand, [text, cases]: readonly Uint8Array[]): ParsedSubmission | ParsedBatch => {
  switch (command.kind) {
    case 'submitRun':
      return parseSubmission(text!, knownCases);
    case 'addResults':
      return parseBatch(text!);
    case 'uploadRun':
      return parseUpload({
        projectName: command.projectName,
        testRun: text!,
        testCases: cases ?? null,
        tracedCases: command.traces.map(({ caseIndex }) => caseIndex),
      });
  }
};

const takeBody = (body: SubmittedBody): Uint8Array => {
  if ('bytes' in body) return body.bytes;
  try {
    return readFileSync(body.file);
  } finally {
    rmSync(body.file, { force: true });
  }
};

const storeTogether = async (parsed: readonly Parsed[], last = parsed.length === 1): Promise<boolean> => {
  if (parsed.length === 0) return true;
  try {
    const replies = await database.transaction(async (transaction) => {
      const stored: FromWriter[] = [];
      for (const one of parsed) stored.push(await storeOrRefuse(transaction, one));
      return stored;
    });
    testPlaces.commit();
    replies.forEach(send);
    return true;
  } catch (error) {
    testPlaces.discard();
    durations.forget();
    if (last) sendFailure(parsed[0]!.id, error);
    return last;
  }
};

/** What is refused is refused before anything of it is written, so that it keeps nobody else from being stored. */
const storeOrRefuse = async (transaction: Queries, one: Parsed): Promise<FromWriter> => {
  try {
    return { id: one.id, value: await storeOne(transaction, one) };
  } catch (error) {
    if (error instanceof AppError) return refused(one.id, error);
    throw error;
  }
};

const storeOne = async (
  transaction: Queries,
  { command, parsed }: Parsed,
): Promise<CommandReplies[SubmitCommand['kind']]> => {
  const now = Date.now();
  if (command.kind === 'addResults') {
    return addResults(transaction, command.runId, parsed as ParsedBatch, { testPlaces, durations, now });
  }
  const submission = parsed as ParsedSubmission;
  const { idempotencyKey } = command;
  const options = { statements, testPlaces, durations, quietMs, idempotencyKey, now };
  const { runId, projectId, outcome, partId, firstIndex, orphans } = await storeRun(transaction, submission, options);
  const reply = {
    success: true as const,
    testRunId: runId,
    projectId,
    stored: { resultCount: submission.results.rows, outcome, inParts: partId !== null, orphans },
  };
  if (command.kind === 'submitRun') return reply;
  if (outcome !== 'repeated') {
    const traces = command.traces.map(({ caseIndex, blob }) => ({ caseIndex: caseIndex + firstIndex, blob }));
    await storeFiles(transaction, { runId, partId }, { reports: command.reports, traces }, now);
  }
  const part = partId === null ? null : { partId, ranges: await rangesOf(transaction, { id: partId, run_id: runId }) };
  return { ...reply, ...(await describeFiles(transaction, runId, part)) };
};

const refused = (id: number, { code, message, issues }: AppError): FromWriter => ({
  id,
  refused: { code, message, issues },
});

const sendFailure = (id: number, error: unknown): void => {
  if (error instanceof AppError) {
    send(refused(id, error));
  } else if ((error as { errcode?: number }).errcode === SQLITE_FULL) {
    send({ id, refused: { code: 'storage_full', message: 'The disk of the service is full', issues: undefined } });
  } else send({ id, fault: error instanceof Error ? error : new Error(String(error)) });
};

port.on('message', (message: ToWriter) => {
  receive(message);
  void run();
});
send({ ready: true });
