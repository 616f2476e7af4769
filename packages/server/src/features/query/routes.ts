import { type QueryReply, endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { allProjectsRevision, projectRevision } from '../projects/queries.ts';
import { queryResults } from './query-results.ts';
import { queryRuns } from './query-runs.ts';
import { queryTests } from './query-tests.ts';
import { type Question, readQuestion } from './question.ts';
import type { ScanCall } from './scan-runs.ts';

export const queryRoutes = (context: Context): Route[] => {
  const { queries, database } = context;
  const revisionOf = ({ projectId }: Question): Promise<string> =>
    projectId === undefined ? allProjectsRevision(queries) : projectRevision(queries, projectId);
  return [
    read(endpoints.query, {
      async revision({ query }) {
        const question = readQuestion(query, 'invalid_query', database.dialect);
        const revision = await revisionOf(question);
        // Nothing is the same later where a filter asks for the time.
        return question.asksForTime ? `${revision}.${Date.now()}` : revision;
      },
      async answer({ query, ...call }) {
        const body = await answer(context, call, readQuestion(query, 'invalid_query', database.dialect));
        return { body, nextCursor: body.nextCursor };
      },
    }),
    action(endpoints.postQuery, async ({ body, ...call }) => {
      const question = readQuestion(body, 'invalid_body', database.dialect);
      await revisionOf(question);
      return answer(context, call, question);
    }),
  ];
};

const answer = (context: Context, call: ScanCall, question: Question): Promise<QueryReply> => {
  const { over, projectId } = question;
  if (over === 'runs' || projectId === undefined) return queryRuns(context, question);
  const ofProject = { ...question, projectId };
  return over === 'results' ? queryResults(context, call, ofProject) : queryTests(context, call, ofProject);
};
