import { endpoints } from '@assay/contract';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import { type Route, form, raw } from '../../http/endpoint.ts';
import { type Stored, ingestCommands } from './commands.ts';
import { uploadRun } from './upload-run.ts';

export const ingestRoutes = (context: Context): Route[] => {
  const { writer, metrics, jobs, blobs, queries } = context;
  const follow = async ({ resultCount, change, inParts, orphans }: Stored): Promise<void> => {
    if (change === 'made') metrics.storedRuns.inc();
    if (change !== 'none') metrics.storedResults.inc(resultCount);
    if (inParts) jobs.wake();
    if (orphans.length > 0) await deleteUnreferenced(blobs, queries, orphans);
  };
  return [
    raw(endpoints.submitRun, async ({ headers }, body) => {
      const { stored, ...reply } = await writer.execute(ingestCommands.submitRun, {
        body,
        idempotencyKey: headers['idempotency-key'] ?? null,
      });
      await follow(stored);
      return reply;
    }),
    form(endpoints.uploadRun, async ({ headers, readmit }, request) => {
      const idempotencyKey = headers['idempotency-key'] ?? null;
      const { stored, ...reply } = await uploadRun(context, request, { idempotencyKey, readmit });
      await follow(stored);
      jobs.wake();
      return reply;
    }),
  ];
};
