import type { QueryReply } from '@assay/contract';
import type { Context } from '../../context.ts';
import { queryClusters } from './query-clusters.ts';
import { queryResults } from './query-results.ts';
import { queryRuns } from './query-runs.ts';
import { queryTests } from './query-tests.ts';
import type { Question } from './question.ts';
import type { ScanCall } from './scan-runs.ts';

export const answerQuestion = (context: Context, call: ScanCall, question: Question): Promise<QueryReply> => {
  const { over, projectId } = question;
  if (over === 'runs' || projectId === undefined) return queryRuns(context, question);
  const ofProject = { ...question, projectId };
  if (over === 'clusters') return queryClusters(context, call, ofProject);
  return over === 'results' ? queryResults(context, call, ofProject) : queryTests(context, call, ofProject);
};
