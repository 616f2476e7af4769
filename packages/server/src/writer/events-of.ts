import type { ServiceEvent } from '../events.ts';
import type { Command, CommandReplies } from './work.ts';

/** A command that was carried out, with its answer. */
export type Done = {
  [K in Command['kind']]: {
    readonly kind: K;
    readonly command: Extract<Command, { kind: K }>;
    readonly reply: CommandReplies[K];
  };
}[Command['kind']];

/** What a command has changed that others may be looking at. */
export const eventsOf = (done: Done): ServiceEvent[] => {
  switch (done.kind) {
    case 'submitRun':
    case 'uploadRun': {
      const { projectId, testRunId, stored } = done.reply;
      return stored.repeated ? [] : [{ type: 'run', kind: 'stored', projectId, testRunId }];
    }
    case 'addReport':
      return [{ type: 'run', kind: 'changed', projectId: done.reply.projectId, testRunId: done.command.runId }];
    case 'fillFromTraces': {
      const { projectId } = done.reply;
      const testRunId = done.command.read.runId;
      return projectId === null ? [] : [{ type: 'run', kind: 'changed', projectId, testRunId }];
    }
    case 'deleteRun': {
      const testRunId = done.command.runId;
      return done.reply.projectIds.map((projectId) => ({ type: 'run', kind: 'deleted', projectId, testRunId }));
    }
    case 'cleanUp':
      return done.reply.projectIds.map((projectId) => ({ type: 'project', projectId }));
    case 'updateProject':
      return [{ type: 'project', projectId: done.command.projectId }];
    case 'finishJob':
    case 'delayJob':
    case 'setUp':
    case 'chargeAttempt':
    case 'takeBack':
    case 'trimAudit':
    case 'openSession':
    case 'endSession':
    case 'createUser':
    case 'updateUser':
    case 'deleteUser':
    case 'createApiKey':
    case 'revokeApiKey':
    case 'touchApiKey':
      return [];
  }
};
