import { readFileSync, rmSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Queries } from '../db/database.ts';
import { openSqlite } from '../db/sqlite.ts';
import { AppError } from '../errors.ts';
import { carryOut } from '../features/accounts/commands.ts';
import { cleanUp } from '../features/admin/clean-up.ts';
import { trimAudit } from '../features/audit/trim-audit.ts';
import { addReport } from '../features/files/add-report.ts';
import { describeFiles } from '../features/files/present-files.ts';
import { storeFiles } from '../features/files/store-files.ts';
import { createKnownCases } from '../features/ingest/known-cases.ts';
import { type ParsedSubmission, parseSubmission } from '../features/ingest/parse-submission.ts';
import { parseUpload } from '../features/ingest/parse-upload.ts';
import { prepareStatements, storeRun } from '../features/ingest/store-run.ts';
import { createTestPlaces } from '../features/ingest/test-places.ts';
import { updateProject } from '../features/projects/update-project.ts';
import { deleteRun } from '../features/runs/delete-run.ts';
import { fillFromTraces } from '../features/traces/fill-from-traces.ts';
import { delayJob, finishJob } from '../jobs/queue.ts';
import {
  type Command,
  type CommandReplies,
  type FromWriter,
  type LongWork,
  type SubmittedBody,
  type ToWriter,
  bodiesOf,
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
}

type Submit = Extract<Command, { kind: 'submitRun' | 'uploadRun' }>;
type Other = Exclude<Command, Submit>;

interface Waiting<C> {
  readonly id: number;
  readonly command: C;
}

const port = parentPort!;
const database = openSqlite({ file: (workerData as ThreadData).databaseFile, access: 'write' });
const statements = prepareStatements(database);
const knownCases = createKnownCases();
const testPlaces = createTestPlaces();
const submissions: Waiting<Submit>[] = [];
const others: { id: number; work: LongWork<CommandReplies[Other['kind']]> }[] = [];
let closing = false;
let running = false;

const send = (message: FromWriter): void => port.postMessage(message, 'returned' in message ? [message.returned] : []);

const receive = (message: ToWriter): void => {
  if ('close' in message) closing = true;
  else if (isSubmission(message.command)) submissions.push({ id: message.id, command: message.command });
  else others.push({ id: message.id, work: startWork(message.command) });
};

const isSubmission = (command: Command): command is Submit =>
  command.kind === 'submitRun' || command.kind === 'uploadRun';

const startWork = (command: Other): LongWork<CommandReplies[Other['kind']]> => {
  switch (command.kind) {
    case 'deleteRun':
      return deleteRun(database, command.runId, command.actor, Date.now());
    case 'cleanUp':
      return cleanUp(database, command.startedBefore, command.actor, Date.now());
    case 'trimAudit':
      return trimAudit(database, command.before);
    case 'updateProject':
      return inOneStep((transaction) => updateProject(transaction, command.projectId, command.change, Date.now()));
    case 'addReport':
      return inOneStep((transaction) => addReport(transaction, command.runId, command.report, Date.now()));
    case 'fillFromTraces':
      return inOneStep((transaction) => fillFromTraces(transaction, command.read, Date.now()));
    case 'finishJob':
      return inOneStep((transaction) => finishJob(transaction, command.jobId));
    case 'delayJob':
      return inOneStep((transaction) => delayJob(transaction, command.jobId, command.problem, Date.now()));
    case 'setUp':
    case 'chargeAttempt':
    case 'takeBack':
    case 'openSession':
    case 'endSession':
    case 'createUser':
    case 'updateUser':
    case 'deleteUser':
    case 'createApiKey':
    case 'revokeApiKey':
    case 'touchApiKey':
      return inOneStep((transaction) => carryOut(transaction, command, Date.now()));
  }
};

async function* inOneStep<T>(work: (transaction: Queries) => Promise<T>): LongWork<T> {
  const value = await database.transaction(work);
  yield;
  return value;
}

const run = async (): Promise<void> => {
  if (running) return;
  running = true;
  while (submissions.length > 0 || others.length > 0) {
    if (submissions.length > 0) await storeSome();
    if (others.length > 0) await stepOldest();
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

const stepOldest = async (): Promise<void> => {
  const { id, work } = others[0]!;
  try {
    const step = await work.next();
    if (!step.done) return;
    send({ id, value: step.value });
  } catch (error) {
    sendFailure(id, error);
  }
  others.shift();
};

interface Parsed {
  readonly id: number;
  readonly command: Submit;
  readonly submission: ParsedSubmission;
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
      parsed.push({ id, command, submission: parse(command, texts) });
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

const parse = (command: Submit, [text, cases]: readonly Uint8Array[]): ParsedSubmission =>
  command.kind === 'submitRun'
    ? parseSubmission(text!, knownCases)
    : parseUpload({
        projectName: command.projectName,
        testRun: text!,
        testCases: cases ?? null,
        tracedCases: command.traces.map(({ caseIndex }) => caseIndex),
      });

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
      for (const one of parsed) stored.push({ id: one.id, value: await storeOne(transaction, one) });
      return stored;
    });
    testPlaces.commit();
    replies.forEach(send);
    return true;
  } catch (error) {
    testPlaces.discard();
    if (last) sendFailure(parsed[0]!.id, error);
    return last;
  }
};

const storeOne = async (
  transaction: Queries,
  { command, submission }: Parsed,
): Promise<CommandReplies[Submit['kind']]> => {
  const { idempotencyKey } = command;
  const now = Date.now();
  const run = await storeRun(transaction, submission, { statements, testPlaces, idempotencyKey, now });
  const reply = {
    success: true as const,
    testRunId: run.runId,
    projectId: run.projectId,
    stored: { resultCount: submission.results.rows, repeated: run.repeated },
  };
  if (command.kind === 'submitRun') return reply;
  if (!run.repeated) await storeFiles(transaction, run.runId, command, now);
  return { ...reply, ...(await describeFiles(transaction, run.runId)) };
};

const sendFailure = (id: number, error: unknown): void => {
  if (error instanceof AppError) {
    send({ id, refused: { code: error.code, message: error.message, issues: error.issues } });
  } else if ((error as { errcode?: number }).errcode === SQLITE_FULL) {
    send({ id, refused: { code: 'storage_full', message: 'The disk of the service is full', issues: undefined } });
  } else send({ id, fault: error instanceof Error ? error : new Error(String(error)) });
};

port.on('message', (message: ToWriter) => {
  receive(message);
  void run();
});
send({ ready: true });
