import { type SubmissionReply, worstStatus } from '@assay/contract';
import { AppError } from '../../errors.ts';
import { runEvents } from '../../events.ts';
import { type SubmittedBody, submissionCommand } from '../../writer/command.ts';
import { type UploadedFiles, partsOfCases } from '../files/store-files.ts';
import { type Stored, type SubmittedRun, storeFilesOf, storeSubmission, submittedRun } from '../ingest/commands.ts';
import type { ParsedSubmission } from '../ingest/parse-submission.ts';
import { parseUpload } from '../ingest/parse-upload.ts';
import { discardStagedTests, stageTests } from '../ingest/stage-tests.ts';

interface ImportPart extends UploadedFiles {
  /** JSON of the run without its project and its cases. */
  readonly testRun: string;
  /** JSON of its cases. */
  readonly testCases: SubmittedBody;
}

interface ImportRun {
  readonly projectName: string;
  /** Of one run, all to be stored in one transaction. */
  readonly parts: readonly ImportPart[];
  readonly idempotencyKey: string | null;
}

export type ImportedRun = SubmissionReply & {
  readonly stored: readonly Stored[];
  /** What the parts hold together. */
  readonly figures: Pick<ParsedSubmission, 'status' | 'totalTests' | 'passedTests' | 'failedTests' | 'skippedTests'> & {
    readonly flakyTests: number;
  };
};

export const importCommands = {
  importRun: submissionCommand<ImportRun, ImportedRun, readonly ParsedSubmission[]>({
    kind: 'importRun',
    bodies: ({ parts }) => parts.map(({ testCases }) => testCases),
    *parse({ projectName, parts }, take) {
      const submissions: ParsedSubmission[] = [];
      for (const { testRun, testCases, ...files } of parts) {
        const texts = { projectName, testRun: Buffer.from(testRun), testCases: take(testCases) };
        submissions.push(yield* parseUpload({ ...texts, partsOfCases: partsOfCases(files) }));
      }
      return submissions;
    },
    projects: (_submissions, { projectName }) => [projectName],
    async *stage(means, submissions) {
      for (const submission of submissions) yield* stageTests(means, submission.projectName, submission);
    },
    unstage: ({ database }) => discardStagedTests(database),
    async store(transaction, submissions, { parts, idempotencyKey }, means) {
      const replies: SubmittedRun[] = [];
      for (const [at, submission] of submissions.entries()) {
        try {
          const part = await storeSubmission(transaction, submission, keyOfPart(idempotencyKey, at), means);
          await storeFilesOf(transaction, submission, part, parts[at]!, means.now);
          replies.push(submittedRun(submission, part));
        } catch (error) {
          if (at > 0 && error instanceof AppError) throw new Error('An earlier part is stored', { cause: error });
          throw error;
        }
      }
      return joined(
        replies.map(({ stored, ...reply }) => ({ stored, reply })),
        submissions,
      );
    },
    events: ({ stored, projectId, testRunId }) =>
      stored.flatMap(({ change }) => runEvents(change, projectId, testRunId)),
  }),
};

/** Each part is a submission of its own, which must have a key of its own. */
const keyOfPart = (key: string | null, at: number): string | null =>
  key === null || at === 0 ? key : `${key} ${at + 1}`;

const joined = (
  replies: readonly { readonly stored: Stored; readonly reply: SubmissionReply }[],
  submissions: readonly ParsedSubmission[],
): ImportedRun => {
  const sum = (of: (submission: ParsedSubmission) => number): number =>
    submissions.reduce((total, submission) => total + of(submission), 0);
  const worst = replies.find(({ reply }) => reply.outcome === 'superseded') ?? replies[0]!;
  return {
    ...worst.reply,
    stored: replies.map(({ stored }) => stored),
    figures: {
      status: worstStatus(submissions.map(({ status }) => status) as [string, ...string[]]),
      totalTests: sum(({ totalTests }) => totalTests),
      passedTests: sum(({ passedTests }) => passedTests),
      failedTests: sum(({ failedTests }) => failedTests),
      skippedTests: sum(({ skippedTests }) => skippedTests),
      flakyTests: sum(({ figures }) => figures.flakyTests),
    },
  };
};
