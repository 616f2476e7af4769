import type { Database, Queries } from '../db/database.ts';
import type { ServiceEvent } from '../events.ts';

/** Work in steps: the writer thread may do other work at each `yield`. */
export type SteppedWork<T> = AsyncGenerator<void, T>;

/** What the writing thread remembers between commands. What it learns in a transaction is rolled back with it. */
export interface WriterMemory {
  /** Another process may change what is stored before the next transaction, unless this one is alone. */
  commit(isAlone: boolean): void;
  rollBack(): void;
}

/** What a command may use in the writing thread. */
export interface WriterMeans {
  /** Its transactions commit and roll back all memories too. */
  readonly database: Database;
  readonly runQuietMs: number;
  /** The one memory of a kind, created when it is first used. */
  memory<M extends WriterMemory>(create: () => M): M;
}

/** The body of a submission: handed over in memory, or left in a file when it is large. */
export type SubmittedBody =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly file: string; readonly sizeBytes: number };

/** Reads a body; its file is deleted. */
export type TakeBody = (body: SubmittedBody) => Uint8Array;

interface Executable<Input, Reply> {
  /** By which the writing thread finds it. */
  readonly kind: string;
  /** What has changed that others may be looking at. */
  events(reply: Reply, input: Input): ServiceEvent[];
}

/** Something that changes what is stored. */
export interface StepCommand<Input, Reply> extends Executable<Input, Reply> {
  execute(means: WriterMeans, input: Input): SteppedWork<Reply>;
}

/** A command that stores results: all that wait share one commit. */
export interface SubmissionCommand<Input, Reply, Parsed = unknown> extends Executable<Input, Reply> {
  bodies(input: Input): SubmittedBody[];
  /**
   * In steps, so that small submissions do not wait for a large one, taking each body when its turn has come. Throws an
   * `AppError` for invalid input.
   */
  parse(input: Input, take: TakeBody): Generator<void, Parsed>;
  /** The names of the projects that storing it changes; left out when that is not known before. */
  projects?(parsed: Parsed, input: Input): readonly string[];
  /** For a large submission, before it is stored: what can be done in short transactions of its own. */
  stage?(means: MeansNow, parsed: Parsed, input: Input): SteppedWork<void>;
  /** Afterwards: takes back what was staged for a submission that was not stored. */
  unstage?(means: WriterMeans): Promise<unknown>;
  /**
   * Throws an `AppError` only before it has written anything; later an error that has it as `cause`, which rolls the
   * transaction back.
   */
  store(transaction: Queries, parsed: Parsed, input: Input, means: MeansNow): Promise<Reply>;
}

export type Command<Input, Reply> = StepCommand<Input, Reply> | SubmissionCommand<Input, Reply>;

export interface MeansNow extends WriterMeans {
  readonly now: number;
}

type EventsOf<Input, Reply> = (reply: Reply, input: Input) => ServiceEvent[];

const noEvents = (): ServiceEvent[] => [];

/** A command that takes as many transactions as it wants. */
export const stepCommand = <Input, Reply>(
  kind: string,
  execute: (means: MeansNow, input: Input) => SteppedWork<Reply>,
  events: EventsOf<Input, Reply> = noEvents,
): StepCommand<Input, Reply> => ({
  kind,
  execute: (means, input) => execute({ ...means, now: Date.now() }, input),
  events,
});

/** A command that is one transaction, which begins when its turn has come. */
export const transactionCommand = <Input, Reply>(
  kind: string,
  work: (transaction: Queries, input: Input, means: MeansNow) => Promise<Reply>,
  events: EventsOf<Input, Reply> = noEvents,
): StepCommand<Input, Reply> => ({
  kind,
  // oxlint-disable-next-line require-yield
  async *execute(means, input) {
    return means.database.transaction((transaction) => work(transaction, input, { ...means, now: Date.now() }));
  },
  events,
});

export const submissionCommand = <Input, Reply, Parsed>(
  command: SubmissionCommand<Input, Reply, Parsed>,
): SubmissionCommand<Input, Reply, Parsed> => command;

/** Takes all steps at once. */
export const finishParsing = <Parsed>(steps: Generator<void, Parsed>): Parsed => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};
