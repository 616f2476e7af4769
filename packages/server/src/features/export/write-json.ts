import type { SubmittedCase, Submission } from '@assay/contract';
import { writeWithLists } from '../../http/json-pieces.ts';
import { submittedNotRun } from '../cases/not-run.ts';
import type { ExportedCase, ExportedRun } from './exported-run.ts';

/** The submission that makes the same run again. */
export const writeJson = ({ run, projectName, metadata, cases }: ExportedRun): AsyncGenerator<string> => {
  const head: Submission = {
    projectName,
    // Nobody would ever finish it.
    status: run.status === 'running' ? 'interrupted' : run.status,
    startTime: run.startTime,
    duration: run.duration,
    totalTests: run.totalTests,
    passedTests: run.passedTests,
    failedTests: run.failedTests,
    skippedTests: run.skippedTests,
    branch: run.branch,
    commit: run.commit,
    metadata,
  };
  return writeWithLists(head, { testCases: writeCases(cases({ withDetails: true })) });
};

async function* writeCases(cases: AsyncGenerator<readonly ExportedCase[]>): AsyncGenerator<string> {
  for await (const some of cases) yield `[${some.map(writeCase).join()}]`;
}

const writeCase = ({ result, details }: ExportedCase): string => {
  const { title, status, duration, location, error, retries, browser, tags, startTime, lane, notRun } = result;
  const submitted: SubmittedCase = {
    title,
    status,
    duration,
    location,
    error,
    retries,
    browser,
    tags,
    startTime,
    lane,
    ...(notRun ? { notRun: submittedNotRun(notRun) } : {}),
  };
  const json = JSON.stringify(submitted);
  // Details are stored as they were submitted.
  return details === undefined ? json : `${json.slice(0, -1)},${Buffer.from(details).toString().slice(1)}`;
};
