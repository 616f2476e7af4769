import { EXPORTS, type ExportFormat, endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { getResults } from '../runs/damage.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { presentRun } from '../runs/present-run.ts';
import { findRun, findRunRevision, readMetadata } from '../runs/queries.ts';
import { readCases } from '../runs/run-json.ts';
import type { ExportedRun } from './exported-run.ts';
import { writeCsv } from './write-csv.ts';
import { writeCtrf } from './write-ctrf.ts';
import { writeJson } from './write-json.ts';
import { writeJunit } from './write-junit.ts';

const WRITERS: Readonly<Record<ExportFormat, (run: ExportedRun) => AsyncGenerator<string>>> = {
  json: writeJson,
  junit: writeJunit,
  ctrf: writeCtrf,
  csv: writeCsv,
};

export const exportRoutes = (context: Context): Route[] => {
  const { queries } = context;
  return [
    read(endpoints.exportRun, {
      async revision({ params: { id } }) {
        const found = await findRunRevision(queries, id);
        if (found === null) throw runNotFound(id);
        return found;
      },
      headers({ params: { id }, query: { format } }) {
        const { contentType, extension, loss } = EXPORTS[format];
        return {
          'content-type': contentType,
          'content-disposition': `attachment; filename="run-${id}.${extension}"`,
          'x-content-type-options': 'nosniff',
          'assay-loss': loss,
        };
      },
      async answer({ params: { id }, query: { format }, startLargeRead }) {
        const found = await findRun(queries, id);
        await startLargeRead(found?.run.result_count ?? 0);
        if (!found) throw runNotFound(id);
        const results = await getResults(context, found.run);
        const exported: ExportedRun = {
          run: presentRun(found.run, undefined),
          projectName: found.project.name,
          metadata: await readMetadata(queries, id),
          cases: ({ withDetails }) => readCases(context, id, results, { from: 0, to: results.rows, withDetails }),
        };
        return { body: { pieces: WRITERS[format](exported) } };
      },
    }),
  ];
};
