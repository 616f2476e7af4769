import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { cutPage, readCursor } from '../../http/page.ts';
import { rowAt } from '../../segments/row-indices.ts';
import { getResults, orDamaged } from '../runs/damage.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { findRunRevision, findShownRun } from '../runs/queries.ts';
import { countUpTo, groupRequests, positionOf, presentGroup, slowestFirst } from './group-requests.ts';
import { readRequests } from './read-requests.ts';

export const networkRoutes = ({ queries, segments, tests, damage }: Context): Route[] => [
  read(endpoints.listRunRequests, {
    async revision({ params: { id } }) {
      const revision = await findRunRevision(queries, id);
      if (revision === null) throw runNotFound(id);
      return revision;
    },
    async answer({ params: { id }, query: { limit, cursor }, startLargeRead }) {
      await startLargeRead((await findShownRun(queries, id))?.result_count ?? 0);
      // Before the results: a run may grow meanwhile. It may also lose a part, and with it cases that have requests here.
      const requests = await orDamaged(damage, id, () => readRequests(queries, id));
      const run = await findShownRun(queries, id);
      if (!run) throw runNotFound(id);
      const results = await getResults({ queries, segments }, run);
      const groups = await groupRequests(requests, (caseIndex) => rowAt(results, caseIndex) >= 0);
      const testOf = (caseIndex: number): number => results.testId.values[rowAt(results, caseIndex)]!;
      const names = await tests.find(groups.flatMap((group) => [...group.cases].map(testOf)));
      const titleOf = (caseIndex: number): string => names.get(testOf(caseIndex))?.title ?? '';
      const ordered = groups.map((group) => presentGroup(id, group, titleOf)).sort(slowestFirst);
      const after = readCursor(cursor);
      const { page, nextCursor } = cutPage(
        after ? ordered.slice(countUpTo(ordered, after)) : ordered,
        limit,
        positionOf,
      );
      return { body: [...page], nextCursor };
    },
  }),
];
