import { readFileSync } from 'node:fs';
import { type SubmissionReply, worstStatus } from '@assay/contract';
import { runEvents } from '../../events.ts';
import { stepCommand } from '../../writer/command.ts';
import { type UploadedReport, type UploadedTrace, storeFiles } from '../files/store-files.ts';
import { type Stored, storeSubmission, submittedRun } from '../ingest/commands.ts';
import type { ParsedSubmission } from '../ingest/parse-submission.ts';
import { parseUpload } from '../ingest/parse-upload.ts';

interface ImportPart {
  /** JSON of the run without its project and its cases. */
  readonly testRun: string;
  /** JSON of its cases. */
  readonly casesFile: string;
  readonly reports: readonly UploadedReport[];
  readonly traces: readonly UploadedTrace[];
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
  importRun: stepCommand<ImportRun, ImportedRun>(
    'importRun',
    async function* (means, { projectName, parts, idempotencyKey }) {
      const submissions: ParsedSubmission[] = [];
      for (const { testRun, casesFile } of parts) {
        const steps = parseUpload({
          projectName,
          testRun: Buffer.from(testRun),
          testCases: readFileSync(casesFile),
          tracedCases: [],
        });
        for (let step = steps.next(); ; step = steps.next()) {
          if (step.done) {
            submissions.push(step.value);
            break;
          }
          yield;
        }
      }
      const replies = await means.database.transaction(async (transaction) => {
        const stored = [];
        for (const [at, submission] of submissions.entries()) {
          const { reports, traces } = parts[at]!;
          const part = await storeSubmission(transaction, submission, keyOfPart(idempotencyKey, at), means);
          const { runId, partId, firstIndex, change } = part;
          if (change !== 'none') {
            const placed = traces.map(({ caseIndex, blob }) => ({ caseIndex: caseIndex + firstIndex, blob }));
            await storeFiles(transaction, { runId, partId }, { reports, traces: placed }, means.now);
          }
          stored.push(submittedRun(submission, part));
        }
        return stored;
      });
      return joined(
        replies.map(({ stored, ...reply }) => ({ stored, reply })),
        submissions,
      );
    },
    ({ stored, projectId, testRunId }) => stored.flatMap(({ change }) => runEvents(change, projectId, testRunId)),
  ),
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
