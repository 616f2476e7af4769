import { readFileSync, rmSync } from 'node:fs';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Queries } from '../db/database.ts';
import { openSqlite } from '../db/sqlite.ts';
import { AppError } from '../errors.ts';
import type { Command, SteppedWork, SubmissionCommand, SubmittedBody } from './command.ts';
import { createMeans } from './means.ts';
import type { FromWriter, ThreadData, ToWriter } from './messages.ts';

const SUBMISSIONS_PER_COMMIT = 16;
const BYTES_PER_COMMIT = 4 * 1024 * 1024;
const SQLITE_FULL = 13;

interface Waiting {
  readonly id: number;
  readonly command: SubmissionCommand<unknown, unknown>;
  readonly input: unknown;
}

interface Parsed extends Waiting {
  readonly parsed: unknown;
}

// The list holds commands of all inputs; `kind` ties an input to the command that it was given with.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyCommand = Command<any, any>;

/**
 * The one thread that writes. It takes the submissions that wait, parses them and stores them in one durable commit;
 * other commands are executed in steps between such commits.
 */
export const runWriterThread = (commands: readonly AnyCommand[]): void => {
  const port = parentPort!;
  const { databaseFile, ...settings } = workerData as ThreadData;
  const means = createMeans(openSqlite({ file: databaseFile, access: 'write' }), settings);
  const { database } = means;
  const byKind = new Map<string, AnyCommand>(commands.map((command) => [command.kind, command]));
  const submissions: Waiting[] = [];
  const others: { id: number; work: SteppedWork<unknown> }[] = [];
  let closing = false;
  let running = false;

  const send = (message: FromWriter): void =>
    port.postMessage(message, 'returned' in message ? [message.returned] : []);

  const receive = (message: ToWriter): void => {
    if ('close' in message) {
      closing = true;
      return;
    }
    const { id, kind, input } = message;
    const command = byKind.get(kind);
    if (!command) send({ id, fault: new Error(`The writing thread has no command ${kind}`) });
    else if ('store' in command) submissions.push({ id, command, input });
    else others.push({ id, work: command.execute(means, input) });
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
      send(failed(next.id, error));
    }
  };

  const storeSome = async (): Promise<void> => {
    const parsed: Parsed[] = [];
    const used: ArrayBuffer[] = [];
    let bytes = 0;
    while (submissions.length > 0 && parsed.length < SUBMISSIONS_PER_COMMIT && bytes < BYTES_PER_COMMIT) {
      const { id, command, input } = submissions.shift()!;
      const bodies = command.bodies(input);
      try {
        const texts = bodies.map(takeBody);
        bytes += texts.reduce((sum, text) => sum + text.byteLength, 0);
        parsed.push({ id, command, input, parsed: command.parse(means, input, texts) });
      } catch (error) {
        send(failed(id, error));
      }
      for (const body of bodies) if ('bytes' in body) used.push(body.bytes.buffer);
    }
    if (!(await storeTogether(parsed))) {
      // One of them cannot be stored: each for itself, so that only that one fails.
      for (const one of parsed) await storeTogether([one], true);
    }
    for (const returned of used) send({ returned });
  };

  const storeTogether = async (parsed: readonly Parsed[], last = parsed.length === 1): Promise<boolean> => {
    if (parsed.length === 0) return true;
    try {
      const replies = await database.transaction(async (transaction) => {
        const stored: FromWriter[] = [];
        for (const one of parsed) stored.push(await storeOrRefuse(transaction, one));
        return stored;
      });
      replies.forEach(send);
      return true;
    } catch (error) {
      if (last) send(failed(parsed[0]!.id, error));
      return last;
    }
  };

  /** What is refused is refused before anything of it is written, so that it keeps nobody else from being stored. */
  const storeOrRefuse = async (transaction: Queries, one: Parsed): Promise<FromWriter> => {
    const { id, command, input, parsed } = one;
    try {
      return { id, value: await command.store(transaction, parsed, input, { ...means, now: Date.now() }) };
    } catch (error) {
      if (error instanceof AppError) return failed(id, error);
      throw error;
    }
  };

  port.on('message', (message: ToWriter) => {
    receive(message);
    void run();
  });
  send({ ready: true });
};

const takeBody = (body: SubmittedBody): Uint8Array => {
  if ('bytes' in body) return body.bytes;
  try {
    return readFileSync(body.file);
  } finally {
    rmSync(body.file, { force: true });
  }
};

const failed = (id: number, error: unknown): FromWriter => {
  if (error instanceof AppError) {
    const { code, message, issues } = error;
    return { id, refused: { code, message, issues } };
  }
  if ((error as { errcode?: number }).errcode === SQLITE_FULL) {
    return { id, refused: { code: 'storage_full', message: 'The disk of the service is full', issues: undefined } };
  }
  return { id, fault: error instanceof Error ? error : new Error(String(error)) };
};
