import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { getProjectRow, projectRevision } from '../projects/queries.ts';
import { findHistory, readWindow, resultsIn } from '../runs/window.ts';
import { tallyOf } from '../tests/get-test.ts';
import { figuresOfOwners } from './figures.ts';

export const ownerRoutes = (context: Context): Route[] => [
  read(endpoints.listOwners, {
    revision: ({ params }) => projectRevision(context.queries, params.id),
    async answer({ params, query: { runs, ...query }, startLargeRead }) {
      const project = await getProjectRow(context.queries, params.id);
      const ownersOf = await context.owners.of(project.id);
      if (!ownersOf) return { body: { known: false, owners: [] } };
      const of = await findHistory(context.queries, project, readWindow(query), runs);
      await startLargeRead(Math.max(project.total_tests, resultsIn(of.runs ?? [])));
      const tally = await tallyOf(context, of);
      return { body: { known: true, owners: await figuresOfOwners(context, tally, ownersOf) } };
    },
  }),
];
