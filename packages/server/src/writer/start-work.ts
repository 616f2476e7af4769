import type { Database, Queries } from '../db/database.ts';
import { executeAccountCommand } from '../features/accounts/commands.ts';
import { cleanUp } from '../features/admin/clean-up.ts';
import { trimAudit } from '../features/audit/trim-audit.ts';
import { addReport } from '../features/files/add-report.ts';
import { addFiles } from '../features/live/add-files.ts';
import { finishRun } from '../features/live/finish-run.ts';
import { touchPart } from '../features/live/open-part.ts';
import { startRun } from '../features/live/start-run.ts';
import { timeOutParts } from '../features/live/time-out-parts.ts';
import { finalizeRun } from '../features/parts/finalize-run.ts';
import type { PartDurations } from '../features/parts/part-durations.ts';
import { updateProject } from '../features/projects/update-project.ts';
import { deleteRun } from '../features/runs/delete-run.ts';
import { fillFromTraces } from '../features/traces/fill-from-traces.ts';
import { beginJob, failJob, finishJob, releaseJob } from '../jobs/queue.ts';
import type { CommandReplies, SteppedWork, OtherCommand } from './work.ts';

interface Means {
  readonly database: Database;
  readonly durations: PartDurations;
  readonly quietMs: number;
}

/** All of some work in one transaction, which begins when its turn has come. */
type Step<T> = (transaction: Queries, now: number) => Promise<T>;

/** The work that a command asks for; nothing of it is done yet. */
export const startWork = (command: OtherCommand, means: Means): SteppedWork<CommandReplies[OtherCommand['kind']]> => {
  const { database, durations, quietMs } = means;
  const inOneStep = <T>(step: Step<T>): SteppedWork<T> => takeStep(means, step);
  switch (command.kind) {
    case 'deleteRun':
      return deleteRun(database, command.runId, command.actor, Date.now());
    case 'cleanUp':
      return cleanUp(database, command.startedBefore, command.actor, Date.now());
    case 'trimAudit':
      return trimAudit(database, command.before);
    case 'updateProject':
      return inOneStep((transaction, now) => updateProject(transaction, command.projectId, command.change, now));
    case 'startRun': {
      const { start, idempotencyKey } = command;
      return inOneStep((transaction, now) => startRun(transaction, start, { durations, idempotencyKey, now }));
    }
    case 'touchPart':
      return inOneStep((transaction, now) => touchPart(transaction, command, { durations, now }));
    case 'addFiles':
      return inOneStep((transaction, now) => addFiles(transaction, command, { durations, now }));
    case 'finishRun': {
      const { runId, finish } = command;
      return inOneStep((transaction, now) => finishRun(transaction, runId, finish, { durations, quietMs, now }));
    }
    case 'timeOutParts':
      return timeOutParts(database, command.lastSeenBefore, { durations, quietMs, now: Date.now() });
    case 'finalizeRun':
      return finalizeRun(database, command.runId);
    case 'addReport':
      return inOneStep((transaction, now) => addReport(transaction, command.runId, command.report, now));
    case 'fillFromTraces':
      return inOneStep((transaction, now) => fillFromTraces(transaction, command.read, now));
    case 'beginJob':
      return inOneStep((transaction, now) => beginJob(transaction, command.jobId, now));
    case 'finishJob':
      return inOneStep((transaction) => finishJob(transaction, command.jobId));
    case 'failJob':
      return inOneStep((transaction, now) => failJob(transaction, command.jobId, command.problem, now));
    case 'releaseJob':
      return inOneStep((transaction, now) => releaseJob(transaction, command.jobId, now));
    case 'setUp':
    case 'chargeAttempt':
    case 'refundAttempt':
    case 'openSession':
    case 'endSession':
    case 'createUser':
    case 'updateUser':
    case 'deleteUser':
    case 'createApiKey':
    case 'revokeApiKey':
    case 'touchApiKey':
      return inOneStep((transaction, now) => executeAccountCommand(transaction, command, now));
  }
};

// oxlint-disable-next-line require-yield
async function* takeStep<T>({ database, durations }: Means, step: Step<T>): SteppedWork<T> {
  try {
    return await database.transaction((transaction) => step(transaction, Date.now()));
  } catch (error) {
    durations.forget();
    throw error;
  }
}
