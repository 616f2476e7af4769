import { endpoints } from '@assay/contract';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import { type Route, action, form, raw } from '../../http/endpoint.ts';
import { refusal } from '../../validation.ts';
import { readRunIdentity, runIdentityIssues } from '../ingest/run-identity.ts';
import { uploadPartFiles } from '../ingest/upload-run.ts';
import { liveCommands } from './commands.ts';

export const liveRoutes = (context: Context): Route[] => {
  const { writer, jobs, blobs, queries, metrics } = context;
  const forget = async (orphans: readonly string[]): Promise<void> => {
    if (orphans.length > 0) await deleteUnreferenced(blobs, queries, orphans);
  };
  return [
    action(endpoints.startRun, async ({ headers, body }) => {
      const idempotencyKey = headers['idempotency-key'] ?? null;
      const issues = runIdentityIssues(body);
      if (idempotencyKey === null && (body.runKey ?? null) === null && !body.shard) issues.push(KEY_MISSING);
      if (issues.length > 0) throw refusal('invalid_body', issues);
      const { orphans, change, ...reply } = await writer.execute(liveCommands.startRun, {
        start: { ...readRunIdentity(body), expectedTests: body.expectedTests ?? null },
        idempotencyKey,
      });
      if (change === 'made') metrics.storedRuns.inc();
      await forget(orphans);
      return reply;
    }),
    raw(endpoints.addResults, async ({ params }, body) => {
      const { success, nextBatch, storedResults } = await writer.execute(liveCommands.addResults, {
        runId: params.id,
        body,
      });
      metrics.storedResults.inc(storedResults);
      return { success, nextBatch };
    }),
    form(endpoints.addFiles, async ({ params, readmit }, request) => {
      const {
        orphans,
        projectId: _,
        ...reply
      } = await uploadPartFiles(context, request, {
        runId: params.id,
        readmit,
      });
      await forget(orphans);
      jobs.wake();
      return reply;
    }),
    action(endpoints.finishRun, async ({ params, body }) => {
      const issue = finalStatusIssue(body.status);
      if (issue) throw refusal('invalid_body', [{ path: '/status', message: issue }]);
      const { reply } = await writer.execute(liveCommands.finishRun, { runId: params.id, finish: body });
      jobs.wake();
      return reply;
    }),
  ];
};

/** A sender that knows no keys falls back to a submission, instead of leaving a run behind that stays empty. */
const KEY_MISSING = { path: '/runKey', message: 'is required, unless the request has the header Idempotency-Key' };

const finalStatusIssue = (given: string): string | null => {
  const status = given.trim().toLowerCase();
  if (status === '') return 'must not be empty';
  return status === 'running' ? 'must say how the run ended, and "running" does not' : null;
};
