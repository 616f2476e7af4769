import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import type { ServiceEvent } from '../../events.ts';
import { type SubmittedBody, type WriterMeans, stepCommand, submissionCommand } from '../command.ts';

/** Commands that tell what the writer thread does with commands; they store in the table `probes`. */

export type Failure = 'refuse' | 'refuse after a write' | 'disk full' | 'no error' | 'refuse to parse';

export interface Probe {
  readonly name: string;
  readonly body: SubmittedBody;
  readonly failure?: Failure;
}

const LONGEST_HOLD_MS = 10_000;

const log: string[] = [];

/** Counts commits, and forgets what a transaction that failed had counted. */
const createCounter = () => {
  let commits = 0;
  let inThisOne: string[] = [];
  return {
    add: (name: string): number => (inThisOne.push(name), commits),
    commit(): void {
      if (inThisOne.length > 0) commits++;
      inThisOne = [];
    },
    rollBack(): void {
      log.push(`rolled back ${inThisOne.join(', ')}`);
      inThisOne = [];
    },
  };
};

const insert = (transaction: Queries, name: string): Promise<unknown> =>
  sql`INSERT INTO probes VALUES (${name})`.execute(transaction);

const fail = (failure: Failure): never => {
  const refusal = new AppError('invalid_body', `asked to ${failure}`, [{ path: '/probe', message: failure }]);
  if (failure === 'refuse after a write') throw new Error('rolls back', { cause: refusal });
  if (failure === 'disk full') throw Object.assign(new Error('full'), { errcode: 13 });
  // oxlint-disable-next-line no-throw-literal
  if (failure === 'no error') throw 'a text';
  throw refusal;
};

/** Replies how many commits were before its own. */
export const submitProbe = submissionCommand({
  kind: 'submitProbe',
  bodies: ({ body }: Probe) => [body],
  *parse({ name, body, failure }: Probe, take): Generator<void, string> {
    const { byteLength } = take(body);
    log.push(`parses ${name}`);
    yield;
    if (failure === 'refuse to parse') fail(failure);
    log.push(`parsed ${name} of ${byteLength}`);
    return name;
  },
  async *stage(_means, name) {
    log.push(`stages ${name}`);
    yield;
  },
  async unstage(means: WriterMeans) {
    log.push('unstages');
    await means.database.transaction((transaction) => insert(transaction, 'unstaged'));
  },
  async store(transaction, name: string, { failure }: Probe, means): Promise<number> {
    if (failure === 'refuse') fail(failure);
    await insert(transaction, name);
    const commit = means.memory(createCounter).add(name);
    if (failure) fail(failure);
    log.push(`stores ${name}`);
    return commit;
  },
  events: (commit): ServiceEvent[] => [{ type: 'project', projectId: commit }],
});

/** Keeps the thread from doing anything until it is told to go on, so that what follows waits together; says when it does. */
// oxlint-disable-next-line require-yield
export const hold = stepCommand('hold', async function* (_means, { gate }: { readonly gate: Int32Array }) {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
  Atomics.wait(gate, 0, 0, LONGEST_HOLD_MS);
});

export const takeSteps = stepCommand(
  'takeSteps',
  async function* (_means, { name, steps }: { readonly name: string; readonly steps: number }) {
    for (let step = 1; step <= steps; step++) {
      log.push(`${name} ${step}`);
      if (step < steps) yield;
    }
  },
);

/** What happened since it was last asked. */
// oxlint-disable-next-line require-yield
export const readLog = stepCommand('readLog', async function* () {
  return log.splice(0);
});

// oxlint-disable-next-line require-yield
export const crash = stepCommand('crash', async function* () {
  setImmediate(() => {
    throw new Error('crashed');
  });
  await new Promise(() => undefined);
});

export const failStep = stepCommand('failStep', async function* (_means, { failure }: { readonly failure: Failure }) {
  yield;
  fail(failure);
});
