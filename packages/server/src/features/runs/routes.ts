import { endpoints } from '@assay/contract';
import { deleteUnreferenced } from '../../blobs/sweep.ts';
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type Route, action, read } from '../../http/endpoint.ts';
import { readCursor, writeCursor } from '../../http/page.ts';
import { type ResultPlace, firstRowFrom, placeAt } from '../../segments/row-indices.ts';
import { actorOf } from '../audit/audit.ts';
import { mergeReports } from '../files/merge-reports.ts';
import { reportsOf } from '../files/present-files.ts';
import { runCommands } from './commands.ts';
import { writeComparison } from './compare-run.ts';
import { getResults } from './damage.ts';
import { runNotFound } from './delete-run.ts';
import { type ComparedRuns, findDifferences } from './differences.ts';
import { explainRun } from './explain-run.ts';
import { writeVerdicts } from './judge-failures.ts';
import { findInEnvironment, findOtherRun } from './other-run.ts';
import { type ShownRun, presentProjectOfCode, presentRun } from './present-run.ts';
import { findRun, findRunRevision, readMetadata } from './queries.ts';
import { getRunByKey } from './run-by-key.ts';
import { writeRun } from './run-json.ts';
import { shardsOf } from './shards.ts';

const IN_ENVIRONMENT = 'environment:';

export const runRoutes = (context: Context): Route[] => {
  const { queries, writer, blobs } = context;
  const revision = async ({ params: { id } }: { params: { id: number } }): Promise<string> => {
    const found = await findRunRevision(queries, id);
    if (found === null) throw runNotFound(id);
    return found;
  };
  const getOtherRun = async ({ project_id }: ShownRun, id: number): Promise<ShownRun> => {
    const found = await findRun(queries, id);
    if (found?.run.project_id === project_id) return found.run;
    throw new AppError('run_not_found', `There is no test run ${id} in this project`);
  };
  const findOther = async (run: ShownRun, choice: string): Promise<Pick<ComparedRuns, 'otherBy' | 'other'>> => {
    if (choice === 'previous' || choice === 'green' || choice === 'default' || choice === 'base') {
      return { otherBy: choice, other: await findOtherRun(queries, run, choice) };
    }
    if (choice.startsWith(IN_ENVIRONMENT)) {
      const other = await findInEnvironment(queries, run, choice.slice(IN_ENVIRONMENT.length));
      return { otherBy: 'environment', other };
    }
    return { otherBy: 'id', other: await getOtherRun(run, Number(choice)) };
  };
  const readRun = async ({ params: { id }, startLargeRead }: RunCall) => {
    const found = await findRun(queries, id);
    await startLargeRead(found?.run.result_count ?? 0);
    if (!found) throw runNotFound(id);
    return { run: found.run, results: await getResults(context, found.run) };
  };
  return [
    read(endpoints.getRun, {
      revision,
      async answer({ params: { id }, query: { limit, cursor, details = true }, startLargeRead }) {
        const found = await findRun(queries, id);
        await startLargeRead(limit ?? found?.run.result_count ?? 0);
        if (!found) throw runNotFound(id);
        const results = await getResults(context, found.run);
        const place = readCursor(cursor);
        const from = place === null ? 0 : firstRowFrom(results, { shard: place.value, index: place.id });
        const to = limit === undefined ? results.rows : Math.min(from + limit, results.rows);
        const reports = (await reportsOf(queries, [id])).get(id)!;
        const shards = (await shardsOf(queries, [found.run])).get(id);
        const metadata = await readMetadata(queries, id);
        const head = {
          ...presentRun(found.run, shards),
          metadata,
          reports,
          project: presentProjectOfCode(found.project),
        };
        return {
          body: { pieces: writeRun(context, head, results, { from, to, withDetails: details }) },
          nextCursor: to < results.rows ? cursorAfter(placeAt(results, to - 1)) : null,
        };
      },
    }),
    read(endpoints.findRun, {
      async revision({ query }) {
        const { run_id: id } = await getRunByKey(queries, query.projectName, query.runKey);
        return revision({ params: { id } });
      },
      async answer({ query }) {
        const found = await getRunByKey(queries, query.projectName, query.runKey);
        return { body: { testRunId: found.run_id, projectId: found.project_id } };
      },
    }),
    read(endpoints.compareRun, {
      revision,
      async answer(call) {
        const { run, results } = await readRun(call);
        return { body: { pieces: writeComparison(context, run, results) } };
      },
    }),
    read(endpoints.explainRun, {
      revision,
      async answer(call) {
        const { run, results } = await readRun(call);
        return { body: await explainRun(context, run, results) };
      },
    }),
    read(endpoints.judgeFailures, {
      revision,
      async answer(call) {
        const { run, results } = await readRun(call);
        return { body: { pieces: writeVerdicts(context, run, results, call.query.result) } };
      },
    }),
    read(endpoints.listDifferences, {
      revision,
      async answer({ params: { id }, query: { with: choice = 'previous' }, startLargeRead }) {
        const found = await findRun(queries, id);
        await startLargeRead(2 * (found?.run.result_count ?? 0));
        if (!found) throw runNotFound(id);
        const { run } = found;
        const { otherBy, other } = await findOther(run, choice);
        const results = await getResults(context, run);
        const otherResults = other && (await getResults(context, other));
        return { body: await findDifferences(context, { run, results, other, otherResults, otherBy }) };
      },
    }),
    action(endpoints.mergeReports, async ({ params, untilGone }) => ({
      success: true as const,
      report: await mergeReports(context, params.id, untilGone()),
    })),
    action(endpoints.updateRun, async ({ params, body: { pinned }, caller }) => {
      await writer.execute(runCommands.pinRun, { runId: params.id, pinned, actor: actorOf(await caller()) });
      return { success: true as const };
    }),
    action(endpoints.deleteRun, async ({ params, caller }) => {
      const actor = actorOf(await caller());
      const { orphans } = await writer.execute(runCommands.deleteRun, { runId: params.id, actor });
      await deleteUnreferenced(blobs, queries, orphans);
      return { success: true as const };
    }),
  ];
};

/** What reads all results of a run. */
interface RunCall {
  readonly params: { readonly id: number };
  startLargeRead(rows: number): Promise<void>;
}

/** The shard and the first index that may come next in it; a part that arrives later does not shift it. */
const cursorAfter = ({ shard, index }: ResultPlace): string => writeCursor({ value: shard, id: index + 1 });
