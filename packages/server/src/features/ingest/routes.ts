import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, raw } from '../../http/endpoint.ts';

export const ingestRoutes = ({ writer, metrics }: Context): Route[] => [
  raw(endpoints.submitRun, async ({ headers }, body) => {
    const { resultCount, ...reply } = await writer.execute({
      kind: 'submitRun',
      body,
      idempotencyKey: headers['idempotency-key'] ?? null,
    });
    metrics.storedRuns.inc();
    metrics.storedResults.inc(resultCount);
    return reply;
  }),
];
