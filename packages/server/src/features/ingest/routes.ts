import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, form, raw } from '../../http/endpoint.ts';
import { uploadRun } from './upload-run.ts';

export const ingestRoutes = (context: Context): Route[] => {
  const { writer, metrics, jobs } = context;
  const count = (results: number): void => {
    metrics.storedRuns.inc();
    metrics.storedResults.inc(results);
  };
  return [
    raw(endpoints.submitRun, async ({ headers }, body) => {
      const { stored, ...reply } = await writer.execute({
        kind: 'submitRun',
        body,
        idempotencyKey: headers['idempotency-key'] ?? null,
      });
      count(stored.resultCount);
      return reply;
    }),
    form(endpoints.uploadRun, async ({ headers, readmit }, request) => {
      const idempotencyKey = headers['idempotency-key'] ?? null;
      const { stored, ...reply } = await uploadRun(context, request, { idempotencyKey, readmit });
      count(stored.resultCount);
      jobs.wake();
      return reply;
    }),
  ];
};
