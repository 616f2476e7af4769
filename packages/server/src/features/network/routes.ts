import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { readCursor, writeCursor } from '../../http/page.ts';
import { decodeRequests } from '../../segments/requests.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { findRunRevision } from '../runs/queries.ts';
import { groupRequests, presentGroup, slowestFirst } from './group-requests.ts';

export const networkRoutes = ({ queries, segments, tests }: Context): Route[] => [
  read(endpoints.listRunRequests, {
    async revision({ params: { id } }) {
      const revision = await findRunRevision(queries, id);
      if (revision === null) throw runNotFound(id);
      return revision;
    },
    async answer({ params: { id }, query: { limit, cursor } }) {
      const row = await queries.selectFrom('segments').select('requests').where('run_id', '=', id).executeTakeFirst();
      const results = (await segments.results([id])).get(id);
      if (!row || !results) throw runNotFound(id);
      if (row.requests === null) return { body: [] };
      const groups = groupRequests(decodeRequests(row.requests));
      const testOf = (caseIndex: number): number => results.testId.values[caseIndex]!;
      const names = await tests.find(groups.flatMap((group) => [...group.cases].map(testOf)));
      const titleOf = (caseIndex: number): string => names.get(testOf(caseIndex))?.title ?? '';
      const ordered = groups.map((group) => presentGroup(id, group, titleOf)).sort(slowestFirst);
      const from = readCursor(cursor)?.id ?? 0;
      const to = limit === undefined ? ordered.length : from + limit;
      return {
        body: ordered.slice(from, to),
        nextCursor: to < ordered.length ? writeCursor({ value: 0, id: to }) : null,
      };
    },
  }),
];
