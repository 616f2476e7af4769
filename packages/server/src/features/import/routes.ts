import { endpoints } from '@assay/contract';
import type { Context } from '../../context.ts';
import { type Route, form } from '../../http/endpoint.ts';
import { followStored } from '../ingest/follow-stored.ts';
import { importReports } from './import-reports.ts';

export const importRoutes = (context: Context): Route[] => [
  form(endpoints.importReports, async ({ query, headers, untilGone, readmit }, request) => {
    const idempotencyKey = headers['idempotency-key'] ?? null;
    const call = { settings: query, idempotencyKey, signal: untilGone(), readmit };
    const { stored, figures, formats, warnings, ...reply } = await importReports(context, request, call);
    for (const one of stored) await followStored(context, one);
    context.jobs.wake();
    return { ...reply, ...figures, formats: [...formats], warnings: [...warnings] };
  }),
];
