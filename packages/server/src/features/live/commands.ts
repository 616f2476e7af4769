import type { RunFinish } from '@assay/contract';
import { runEvents } from '../../events.ts';
import { type SubmittedBody, stepCommand, submissionCommand, transactionCommand } from '../../writer/command.ts';
import { discardStagedTests, stageTestsOfRun } from '../ingest/stage-tests.ts';
import { createTestPlaces } from '../ingest/test-places.ts';
import { createPartDurations } from '../parts/part-durations.ts';
import { type FilesOfPart, addFiles } from './add-files.ts';
import { type AddedResults, addResults } from './add-results.ts';
import { finishRun } from './finish-run.ts';
import { touchPart } from './open-part.ts';
import { type ParsedBatch, parseBatch } from './parse-batch.ts';
import { type RunToStart, startRun } from './start-run.ts';
import { timeOutParts } from './time-out-parts.ts';

interface AddResults {
  readonly runId: number;
  readonly body: SubmittedBody;
}

interface StartRun {
  readonly start: RunToStart;
  readonly idempotencyKey: string | null;
}

interface TouchPart {
  readonly runId: number;
  readonly partId: number;
}

interface FinishRun {
  readonly runId: number;
  readonly finish: RunFinish;
}

export const liveCommands = {
  startRun: transactionCommand(
    'startRun',
    (transaction, { start, idempotencyKey }: StartRun, { memory, now }) =>
      startRun(transaction, start, { durations: memory(createPartDurations), idempotencyKey, now }),
    ({ change, projectId, testRunId }) => runEvents(change, projectId, testRunId),
  ),
  addResults: submissionCommand<AddResults, AddedResults, ParsedBatch>({
    kind: 'addResults',
    bodies: ({ body }) => [body],
    parse: ({ body }, take) => parseBatch(take(body)),
    stage: (means, { cases }, { runId }) => stageTestsOfRun(means, runId, cases),
    unstage: ({ database }) => discardStagedTests(database),
    store: (transaction, batch, { runId }, { memory, now }) =>
      addResults(transaction, runId, batch, {
        testPlaces: memory(createTestPlaces),
        durations: memory(createPartDurations),
        now,
      }),
    events: ({ changed, projectId }, { runId }) => (changed ? runEvents('changed', projectId, runId) : []),
  }),
  touchPart: transactionCommand(
    'touchPart',
    (transaction, part: TouchPart, { memory, now }) =>
      touchPart(transaction, part, { durations: memory(createPartDurations), now }),
    ({ changed, projectId }, { runId }) => (changed ? runEvents('changed', projectId, runId) : []),
  ),
  addFiles: transactionCommand(
    'addFiles',
    (transaction, files: FilesOfPart, { memory, now }) =>
      addFiles(transaction, files, { durations: memory(createPartDurations), now }),
    ({ projectId }, { runId }) => runEvents('changed', projectId, runId),
  ),
  finishRun: transactionCommand(
    'finishRun',
    (transaction, { runId, finish }: FinishRun, { memory, runQuietMs, now }) =>
      finishRun(transaction, runId, finish, { durations: memory(createPartDurations), quietMs: runQuietMs, now }),
    ({ reply, changed }) => (changed ? runEvents('changed', reply.projectId, reply.testRunId) : []),
  ),
  timeOutParts: stepCommand(
    'timeOutParts',
    ({ database, memory, runQuietMs, now }, { lastSeenBefore }: { readonly lastSeenBefore: number }) =>
      timeOutParts(database, lastSeenBefore, { durations: memory(createPartDurations), quietMs: runQuietMs, now }),
    (closed) => closed.flatMap(({ projectId, testRunId }) => runEvents('changed', projectId, testRunId)),
  ),
};
