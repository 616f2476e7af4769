import { readFileSync, rmSync } from 'node:fs';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Queries, TransactionScope } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { AppError } from '../errors.ts';
import { collectWhenQuiet } from '../garbage.ts';
import {
  type Command,
  type SteppedWork,
  type SubmissionCommand,
  type SubmittedBody,
  type WriterMeans,
  finishParsing,
} from './command.ts';
import { createMeans } from './means.ts';
import type { FromWriter, ThreadData, ToWriter } from './messages.ts';

const SUBMISSIONS_PER_COMMIT = 16;
const BYTES_PER_COMMIT = 2 * 1024 * 1024;
/** A submission from this size on is parsed alone, in steps. */
const LARGE_BYTES = 1024 * 1024;
const SQLITE_FULL = 13;

interface Waiting {
  readonly id: number;
  readonly command: SubmissionCommand<unknown, unknown>;
  readonly input: unknown;
}

interface Parsed extends Waiting {
  readonly parsed: unknown;
}

interface Parsing extends Waiting {
  readonly steps: SteppedWork<unknown>;
}

// The list holds commands of all inputs; `kind` ties an input to the command that it was given with.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyCommand = Command<any, any>;

/**
 * The one thread that writes. It takes the small submissions that wait, parses them and stores them in one durable
 * commit. Between such commits it takes a step of a large submission, of which it parses one at a time, and a step of
 * some other command.
 */
export const runWriterThread = async (
  commands: readonly AnyCommand[],
  port: MessagePort,
  { database: address, ...settings }: ThreadData,
): Promise<void> => {
  const means = createMeans(await openDatabase(address, { access: 'write' }), settings);
  const { database } = means;
  const byKind = new Map<string, AnyCommand>(commands.map((command) => [command.kind, command]));
  const submissions: Waiting[] = [];
  const large: Parsing[] = [];
  const others: { id: number; work: SteppedWork<unknown> }[] = [];
  let closing = false;
  let running = false;
  let parsedBytes = 0;

  const send = (message: FromWriter): void => port.postMessage(message);

  const receive = (message: ToWriter): void => {
    if ('close' in message) {
      closing = true;
      return;
    }
    const { id, kind, input } = message;
    const command = byKind.get(kind);
    if (!command) send({ id, fault: new Error(`The writing thread has no command ${kind}`) });
    else if ('store' in command) receiveSubmission({ id, command, input });
    else others.push({ id, work: command.execute(means, input) });
  };

  const receiveSubmission = (waiting: Waiting): void => {
    if (sizeOf(waiting.command.bodies(waiting.input)) < LARGE_BYTES) submissions.push(waiting);
    else large.push({ ...waiting, steps: parseAndStage(waiting, means) });
  };

  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    while (submissions.length > 0 || large.length > 0 || others.length > 0) {
      if (submissions.length > 0) await storeSome();
      if (large.length > 0) await stepLarge();
      if (others.length > 0) await stepNext();
      // Messages that arrived meanwhile join the next commit without a turn of the event loop.
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
        receive(next.message as ToWriter);
    }
    running = false;
    // An idle thread collects nothing, and would keep the memory of what it parsed.
    if (parsedBytes >= LARGE_BYTES) {
      collectWhenQuiet();
      parsedBytes = 0;
    }
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
    let bytes = 0;
    while (submissions.length > 0 && parsed.length < SUBMISSIONS_PER_COMMIT && bytes < BYTES_PER_COMMIT) {
      const { id, command, input } = submissions.shift()!;
      bytes += sizeOf(command.bodies(input));
      try {
        const steps = command.parse(input, takeBody);
        parsed.push({ id, command, input, parsed: finishParsing(steps) });
      } catch (error) {
        send(failed(id, error));
      }
    }
    if (!(await storeTogether(parsed))) {
      // One of them cannot be stored: each for itself, so that only that one fails.
      for (const one of parsed) await storeTogether([one], true);
    }
    parsedBytes += bytes;
  };

  /** Parses some more of a large submission; stores it once all of it is parsed. */
  const stepLarge = async (): Promise<void> => {
    const { steps, ...first } = large[0]!;
    try {
      const step = await steps.next();
      if (!step.done) return;
      await storeTogether([{ ...first, parsed: step.value }]);
    } catch (error) {
      send(failed(first.id, error));
    }
    // What cannot be taken back now is taken back after the next large submission, or at the next start.
    await first.command.unstage?.(means).catch(() => undefined);
    large.shift();
    parsedBytes += sizeOf(first.command.bodies(first.input));
  };

  const storeTogether = async (parsed: readonly Parsed[], last = parsed.length === 1): Promise<boolean> => {
    if (parsed.length === 0) return true;
    try {
      const replies = await database.transaction(async (transaction) => {
        const stored: FromWriter[] = [];
        for (const one of parsed) stored.push(await storeOrRefuse(transaction, one));
        return stored;
      }, scopeOf(parsed));
      replies.forEach(send);
      return true;
    } catch (error) {
      if (last) send(failed(parsed[0]!.id, error));
      return last;
    }
  };

  /** A submission is refused before any of it is written, so that it does not affect others in the same commit. */
  const storeOrRefuse = async (transaction: Queries, one: Parsed): Promise<FromWriter> => {
    const { id, command, input, parsed } = one;
    try {
      return { id, value: await command.store(transaction, parsed, input, { ...means, now: Date.now() }) };
    } catch (error) {
      if (error instanceof AppError && !ENDS_TRANSACTION.has(error.code)) return failed(id, error);
      throw error;
    }
  };

  port.on('message', (message: ToWriter) => {
    receive(message);
    void run();
  });
  send({ ready: true });
};

/** The database itself refused something: nothing else can be stored in the same transaction. */
const ENDS_TRANSACTION: ReadonlySet<string> = new Set(['unavailable', 'storage_full']);

/** What several submissions change; undefined when one of them cannot tell. */
const scopeOf = (parsed: readonly Parsed[]): TransactionScope | undefined => {
  const projects = parsed.map(({ command, input, parsed: one }) => command.projects?.(one, input));
  return projects.includes(undefined) ? undefined : { projects: projects.flatMap((names) => names!) };
};

/** Nothing of the body is read before the first step. */
async function* parseAndStage({ command, input }: Waiting, means: WriterMeans): SteppedWork<unknown> {
  const parsed = yield* command.parse(input, takeBody);
  if (command.stage) yield* command.stage({ ...means, now: Date.now() }, parsed, input);
  return parsed;
}

const sizeOf = (bodies: readonly SubmittedBody[]): number =>
  bodies.reduce((sum, body) => sum + ('bytes' in body ? body.bytes.byteLength : body.sizeBytes), 0);

const takeBody = (body: SubmittedBody): Uint8Array => {
  if ('bytes' in body) return body.bytes;
  try {
    return readFileSync(body.file);
  } finally {
    rmSync(body.file, { force: true });
  }
};

const failed = (id: number, error: unknown): FromWriter => {
  const refused = (error as Partial<Error>).cause instanceof AppError ? (error as Error).cause : error;
  if (refused instanceof AppError) {
    const { code, message, issues } = refused;
    return { id, refused: { code, message, issues } };
  }
  if ((error as { errcode?: number }).errcode === SQLITE_FULL) {
    return { id, refused: { code: 'storage_full', message: 'The disk of the service is full', issues: undefined } };
  }
  return { id, fault: error instanceof Error ? error : new Error(String(error)) };
};
