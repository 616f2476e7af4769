import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { clustersRevision } from '../clusters/cluster-index.ts';
import { allProjectsRevision, projectRevision } from '../projects/queries.ts';
import { answerQuestion } from './answer.ts';
import { type Question, readQuestion } from './question.ts';

export const queryRoutes = (context: Context): Route[] => {
  const { queries, database } = context;
  const revisionOf = ({ over, projectId }: Question): Promise<string> => {
    if (projectId === undefined) return allProjectsRevision(queries);
    return over === 'clusters' ? clustersRevision(context, projectId) : projectRevision(queries, projectId);
  };
  return [
    read(endpoints.query, {
      async revision({ query }) {
        const question = readQuestion(query, 'invalid_query', database.dialect);
        const revision = await revisionOf(question);
        // Nothing is the same later where a filter asks for the time.
        return question.asksForTime ? `${revision}.${Date.now()}` : revision;
      },
      async answer({ query, ...call }) {
        const body = await answerQuestion(context, call, readQuestion(query, 'invalid_query', database.dialect));
        return { body, nextCursor: body.nextCursor };
      },
    }),
    action(endpoints.postQuery, async ({ body, ...call }) => {
      const question = readQuestion(body, 'invalid_body', database.dialect);
      await revisionOf(question);
      return answerQuestion(context, call, question);
    }),
  ];
};
