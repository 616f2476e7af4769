import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, form, raw } from '../../http/endpoint.ts';
import { ingestCommands } from './commands.ts';
import { followStored } from './follow-stored.ts';
import { uploadRun } from './upload-run.ts';

export const ingestRoutes = (context: Context): Route[] => {
  const { writer, jobs } = context;
  return [
    raw(endpoints.submitRun, async ({ headers }, body) => {
      const { stored, ...reply } = await writer.execute(ingestCommands.submitRun, {
        body,
        idempotencyKey: headers['idempotency-key'] ?? null,
      });
      await followStored(context, stored);
      return reply;
    }),
    form(endpoints.uploadRun, async ({ headers, readmit }, request) => {
      const idempotencyKey = headers['idempotency-key'] ?? null;
      const { stored, ...reply } = await uploadRun(context, request, { idempotencyKey, readmit });
      await followStored(context, stored);
      jobs.wake();
      return reply;
    }),
  ];
};
