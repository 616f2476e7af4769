import type { Database, Queries } from '../db/database.ts';
import { carryOut } from '../features/accounts/commands.ts';
import { cleanUp } from '../features/admin/clean-up.ts';
import { trimAudit } from '../features/audit/trim-audit.ts';
import { addReport } from '../features/files/add-report.ts';
import { addFiles } from '../features/live/add-files.ts';
import { closeQuiet } from '../features/live/close-quiet.ts';
import { finishRun } from '../features/live/finish-run.ts';
import { hearOfPart } from '../features/live/open-part.ts';
import { startRun } from '../features/live/start-run.ts';
import type { PartDurations } from '../features/parts/part-durations.ts';
import { settleRun } from '../features/parts/settle-run.ts';
import { updateProject } from '../features/projects/update-project.ts';
import { deleteRun } from '../features/runs/delete-run.ts';
import { fillFromTraces } from '../features/traces/fill-from-traces.ts';
import { beginJob, explainJob, finishJob, giveBackJob } from '../jobs/queue.ts';
import type { CommandReplies, LongWork, OtherCommand } from './work.ts';

interface Means {
  readonly database: Database;
  readonly durations: PartDurations;
  readonly quietMs: number;
}

/** All of some work in one transaction, which begins when its turn has come. */
type Step<T> = (transaction: Queries, now: number) => Promise<T>;

/** The work that a command asks for; nothing of it is done yet. */
export const startWork = (command: OtherCommand, means: Means): LongWork<CommandReplies[OtherCommand['kind']]> => {
  const { database, durations, quietMs } = means;
  const inOneStep = <T>(step: Step<T>): LongWork<T> => takeStep(means, step);
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
    case 'hearOfPart':
      return inOneStep((transaction, now) => hearOfPart(transaction, command, { durations, now }));
    case 'addFiles':
      return inOneStep((transaction, now) => addFiles(transaction, command, { durations, now }));
    case 'finishRun': {
      const { runId, finish } = command;
      return inOneStep((transaction, now) => finishRun(transaction, runId, finish, { durations, quietMs, now }));
    }
    case 'closeQuiet':
      return closeQuiet(database, command.heardBefore, { durations, quietMs, now: Date.now() });
    case 'settleRun':
      return settleRun(database, command.runId);
    case 'addReport':
      return inOneStep((transaction, now) => addReport(transaction, command.runId, command.report, now));
    case 'fillFromTraces':
      return inOneStep((transaction, now) => fillFromTraces(transaction, command.read, now));
    case 'beginJob':
      return inOneStep((transaction, now) => beginJob(transaction, command.jobId, now));
    case 'finishJob':
      return inOneStep((transaction) => finishJob(transaction, command.jobId));
    case 'explainJob':
      return inOneStep((transaction, now) => explainJob(transaction, command.jobId, command.problem, now));
    case 'giveBackJob':
      return inOneStep((transaction, now) => giveBackJob(transaction, command.jobId, now));
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
      return inOneStep((transaction, now) => carryOut(transaction, command, now));
  }
};

// oxlint-disable-next-line require-yield
async function* takeStep<T>({ database, durations }: Means, step: Step<T>): LongWork<T> {
  try {
    return await database.transaction((transaction) => step(transaction, Date.now()));
  } catch (error) {
    durations.forget();
    throw error;
  }
}
