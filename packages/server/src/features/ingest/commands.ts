import type { SubmissionReply, UploadReply } from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import { runEvents } from '../../events.ts';
import { type MeansNow, type SubmittedBody, submissionCommand, stepCommand } from '../../writer/command.ts';
import { describeFiles } from '../files/present-files.ts';
import { type UploadedFiles, partsOfCases, storeFiles } from '../files/store-files.ts';
import { createPartDurations } from '../parts/part-durations.ts';
import { rangesOf } from '../parts/part-rows.ts';
import type { StoredPart } from '../parts/store-part.ts';
import { type ParsedSubmission, parseSubmission } from './parse-submission.ts';
import { parseUpload } from './parse-upload.ts';
import { discardStagedTests, stageTests } from './stage-tests.ts';
import { storeRun } from './store-run.ts';
import { createTestPlaces } from './test-places.ts';

interface SubmitRun {
  readonly body: SubmittedBody;
  readonly idempotencyKey: string | null;
}

interface UploadRun extends UploadedFiles {
  readonly projectName: string;
  readonly testRun: SubmittedBody;
  readonly testCases: SubmittedBody | null;
  readonly idempotencyKey: string | null;
}

/** Internal facts about a stored run that are not part of the reply. */
export interface Stored {
  readonly resultCount: number;
  readonly change: StoredPart['change'];
  /** Whether the run is left to be finalized. */
  readonly inParts: boolean;
  /** Contents of what it took the place of. */
  readonly orphans: readonly string[];
}

export type SubmittedRun = SubmissionReply & { readonly stored: Stored };
export type UploadedRun = UploadReply & { readonly stored: Stored };

export const ingestCommands = {
  submitRun: submissionCommand<SubmitRun, SubmittedRun, ParsedSubmission>({
    kind: 'submitRun',
    bodies: ({ body }) => [body],
    parse: ({ body }, take) => parseSubmission(take(body)),
    projects: ({ projectName }) => [projectName],
    stage: (means, submission) => stageTests(means, submission.projectName, submission),
    unstage: ({ database }) => discardStagedTests(database),
    async store(transaction, submission, { idempotencyKey }, means) {
      const part = await storeSubmission(transaction, submission, idempotencyKey, means);
      return submittedRun(submission, part);
    },
    events: ({ stored, projectId, testRunId }) => runEvents(stored.change, projectId, testRunId),
  }),
  uploadRun: submissionCommand<UploadRun, UploadedRun, ParsedSubmission>({
    kind: 'uploadRun',
    bodies: ({ testRun, testCases }) => (testCases ? [testRun, testCases] : [testRun]),
    parse: ({ projectName, testRun, testCases, ...files }, take) =>
      parseUpload({
        projectName,
        testRun: take(testRun),
        testCases: testCases && take(testCases),
        partsOfCases: partsOfCases(files),
      }),
    projects: ({ projectName }) => [projectName],
    stage: (means, submission) => stageTests(means, submission.projectName, submission),
    unstage: ({ database }) => discardStagedTests(database),
    async store(transaction, submission, { idempotencyKey, ...files }, means) {
      const stored = await storeSubmission(transaction, submission, idempotencyKey, means);
      const { runId, partId } = stored;
      await storeFilesOf(transaction, submission, stored, files, means.now);
      const part =
        partId === null ? null : { partId, ranges: await rangesOf(transaction, { id: partId, run_id: runId }) };
      return { ...submittedRun(submission, stored), ...(await describeFiles(transaction, runId, part)) };
    },
    events: ({ stored, projectId, testRunId }) => runEvents(stored.change, projectId, testRunId),
  }),
  /** To be executed at a start, before any submission. */
  // oxlint-disable-next-line require-yield
  discardStagedTests: stepCommand('discardStagedTests', async function* discard({ database }) {
    return discardStagedTests(database);
  }),
};

export const storeSubmission = (
  transaction: Queries,
  submission: ParsedSubmission,
  idempotencyKey: string | null,
  { memory, runQuietMs, now }: MeansNow,
): Promise<StoredPart> =>
  storeRun(transaction, submission, {
    testPlaces: memory(createTestPlaces),
    durations: memory(createPartDurations),
    quietMs: runQuietMs,
    idempotencyKey,
    now,
  });

/** Stores the files of a submission beside its results, whose numbers within it traces and attachments name. */
export const storeFilesOf = async (
  transaction: Queries,
  { rowsOfCases, attemptsOfCases }: ParsedSubmission,
  { projectId, runId, partId, firstIndex, change }: StoredPart,
  { reports, traces, attachments }: UploadedFiles,
  now: number,
): Promise<void> => {
  if (change === 'none') return;
  const indexOf = (caseIndex: number): number => (rowsOfCases?.[caseIndex] ?? caseIndex) + firstIndex;
  const placed = {
    reports,
    traces: traces.map(({ caseIndex, blob }) => ({ caseIndex: indexOf(caseIndex), blob })),
    attachments: attachments.map(({ caseIndex, attempt, ...attachment }) => ({
      ...attachment,
      caseIndex: indexOf(caseIndex),
      attempt: attempt ?? attemptsOfCases.get(caseIndex) ?? 0,
    })),
  };
  await storeFiles(transaction, { projectId, runId, partId }, placed, now);
};

export const submittedRun = (
  { results }: ParsedSubmission,
  { runId, projectId, change, outcome, partId, orphans }: StoredPart,
): SubmittedRun => ({
  success: true,
  testRunId: runId,
  projectId,
  outcome,
  stored: { resultCount: results.rows, change, inParts: partId !== null, orphans },
});
