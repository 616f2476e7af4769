import type { ServiceEvent } from '../events.ts';
import type { StoredPart } from '../features/parts/store-part.ts';
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
      return ofOutcome(stored.outcome, projectId, testRunId);
    }
    case 'startRun':
      return ofOutcome(done.reply.outcome, done.reply.projectId, done.reply.testRunId);
    case 'touchPart':
    case 'addResults': {
      const { changed, projectId } = done.reply;
      return changed ? [{ type: 'run', kind: 'changed', projectId, testRunId: done.command.runId }] : [];
    }
    case 'addFiles':
      return [{ type: 'run', kind: 'changed', projectId: done.reply.projectId, testRunId: done.command.runId }];
    case 'finishRun': {
      const { repeated, projectId, testRunId } = done.reply;
      return ofOutcome(repeated ? 'repeated' : 'changed', projectId, testRunId);
    }
    case 'timeOutParts':
      return done.reply.map(({ projectId, testRunId }) => ({ type: 'run', kind: 'changed', projectId, testRunId }));
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
    case 'finalizeRun':
    case 'beginJob':
    case 'finishJob':
    case 'failJob':
    case 'releaseJob':
    case 'setUp':
    case 'chargeAttempt':
    case 'refundAttempt':
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

const ofOutcome = (outcome: StoredPart['outcome'], projectId: number, testRunId: number): ServiceEvent[] =>
  outcome === 'repeated'
    ? []
    : [{ type: 'run', kind: outcome === 'made' ? 'stored' : 'changed', projectId, testRunId }];
