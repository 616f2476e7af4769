import { EXPORTS, type ExportFormat, endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, read } from '../../http/endpoint.ts';
import { weightOf, weights } from '../../segments/letters.ts';
import type { Results } from '../../segments/results.ts';
import { getResults } from '../runs/damage.ts';
import { runNotFound } from '../runs/delete-run.ts';
import { presentRun } from '../runs/present-run.ts';
import { findRun, findRunRevision, readMetadata } from '../runs/queries.ts';
import { readCases } from '../runs/run-json.ts';
import { openEmbeddedPictures } from './embedded-pictures.ts';
import type { ExportedRun } from './exported-run.ts';
import { writeCsv } from './write-csv.ts';
import { writeCtrf } from './write-ctrf.ts';
import { writeHtml } from './write-html.ts';
import { writeJson } from './write-json.ts';
import { writeJunit } from './write-junit.ts';

const WRITERS: Readonly<Record<ExportFormat, (run: ExportedRun) => AsyncGenerator<string>>> = {
  html: writeHtml,
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
          // Should a browser show it all the same, it is not as a page of the service.
          'content-security-policy': "sandbox; default-src 'none'",
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
          cases: ({ withDetails, only }) => {
            const isWanted = only && ((row: number) => groupOf(results, row) === only);
            return readCases(context, id, results, { from: 0, to: results.rows, withDetails, isWanted });
          },
          pictures: () => openEmbeddedPictures(context, id),
        };
        return { body: { pieces: WRITERS[format](exported) } };
      },
    }),
  ];
};

const groupOf = ({ status, retries }: Results, row: number): 'failed' | 'flaky' | 'others' => {
  const weight = weightOf(status.values[row]!, retries.values[row]!);
  if (weight === weights.failed) return 'failed';
  return weight === weights.flaky ? 'flaky' : 'others';
};
