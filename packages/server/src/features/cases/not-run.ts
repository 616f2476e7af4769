import {
  type NotRun,
  type NotRunReason,
  type SubmittedCase,
  type SubmittedNotRun,
  parseLocation,
  resultId,
} from '@assay/contract';
import type { Queries } from '../../db/database.ts';
import type { Results } from '../../segments/results.ts';
import { indexAt } from '../../segments/row-indices.ts';
import { hashIdentity, identityOf } from '../ingest/test-identity.ts';

/** As the column keeps it. Senders that cannot tell why mark a test that did not run by an annotation. */
export const writeNotRun = ({ notRun, annotations }: Pick<SubmittedCase, 'notRun' | 'annotations'>): string[] => {
  if (!notRun) return annotations?.some(({ type }) => type === DID_NOT_RUN) ? ['unknown'] : [];
  const { reason, title, location, browser } = notRun;
  if (!title) return [reason];
  const identity = identityOf(title, location ?? '', browser?.trim() || null);
  return [reason, identity.title, identity.file, ...(identity.browser === null ? [] : [identity.browser])];
};

const DID_NOT_RUN = 'did not run';

export const readNotRun = (list: readonly string[]): NotRun | null => {
  const [reason, title = null, filePath = null, browser = null] = list;
  return reason === undefined ? null : { reason: reason as NotRunReason, title, filePath, browser };
};

/** As it was submitted. */
export const submittedNotRun = ({ reason, title, filePath, browser }: NotRun): SubmittedNotRun =>
  title === null ? { reason } : { reason, title, location: filePath, browser };

/** With the result of the test that failed, where the run has one. */
export const linkNotRun = async (
  queries: Queries,
  { projectId, runId, results }: { readonly projectId: number; readonly runId: number; readonly results: Results },
  notRun: NotRun,
): Promise<NotRun> => {
  if (notRun.title === null) return notRun;
  const { file } = parseLocation(notRun.filePath ?? '');
  const identity = { title: notRun.title, file, browser: notRun.browser, line: null, column: null };
  const test = await queries
    .selectFrom('tests')
    .select('id')
    .where('project_id', '=', projectId)
    .where('identity', '=', hashIdentity(identity))
    .executeTakeFirst();
  const row = test ? results.testId.values.indexOf(test.id) : -1;
  return row < 0 ? notRun : { ...notRun, testCaseId: resultId(runId, indexAt(results, row)) };
};
