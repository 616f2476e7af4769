import { type FirstDifference, MOST_EXECUTION_DIFFERENCES, type PastResult, splitResultId } from '@assay/contract';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import { resultAt } from '../../segments/results.ts';
import { rowAt } from '../../segments/row-indices.ts';
import { inTurns } from '../../turns.ts';
import { caseNotFound } from '../cases/case-not-found.ts';
import { presentPastResults } from '../cases/past-results.ts';
import { readDetails } from '../cases/read-details.ts';
import { getResults } from '../runs/damage.ts';
import { findRun, readMetadata } from '../runs/queries.ts';
import { toolVersions } from '../runs/tool-versions.ts';
import { ableToTell, compareExecutions } from './compare-executions.ts';
import { type Execution, type Mask, createMask, readExecution } from './execution.ts';
import { findPassing } from './find-passing.ts';

/** What a result did otherwise than the latest passing ones of its test. */
export const findFirstDifference = async (context: Context, id: number): Promise<FirstDifference> => {
  const { queries } = context;
  const { runId, index } = splitResultId(id);
  const found = await findRun(queries, runId);
  if (!found) throw caseNotFound(id);
  const { run, project } = found;
  const results = await getResults(context, run);
  const row = rowAt(results, index);
  if (row < 0) throw caseNotFound(id);
  const { testId, status } = resultAt(results, row);
  const places = await findPassing(context, project, run, testId);
  const mask = createMask();
  const subject = await readOne(context, { runId, index, status }, mask);
  const passing: Execution[] = [];
  for (const place of places) {
    passing.push(await readOne(context, { ...place, status: place.result.status }, mask));
  }
  const differences = await inTurns(compareExecutions(subject, passing));
  const told = (what: keyof Execution['tells']) => ({
    here: subject.tells[what],
    results: ableToTell(what, passing).length,
  });
  return {
    attempt: subject.attempt,
    results: (await presentPastResults(queries, places)).map((result): PastResult => ({ ...result, error: null })),
    told: {
      steps: told('steps'),
      requests: told('requests'),
      console: told('console'),
      versions: {
        here: subject.versions.size > 0,
        results: passing.filter(({ versions }) => versions.size > 0).length,
      },
    },
    differences: differences.slice(0, MOST_EXECUTION_DIFFERENCES),
    more: Math.max(0, differences.length - MOST_EXECUTION_DIFFERENCES),
  };
};

interface Place {
  readonly runId: number;
  readonly index: number;
  readonly status: string;
}

const readOne = async (context: Context, { runId, index, status }: Place, mask: Mask): Promise<Execution> => {
  const { queries } = context;
  const [details, hasTrace, metadata, environment] = await Promise.all([
    readDetails(context, runId, index),
    hasReadTrace(queries, runId, index),
    readMetadata(queries, runId),
    environmentOf(queries, runId),
  ]);
  return inTurns(readExecution({ status, details, hasTrace, versions: toolVersions(metadata), environment }, mask));
};

const hasReadTrace = async (queries: Queries, runId: number, index: number): Promise<boolean> => {
  const trace = await queries
    .selectFrom('traces')
    .select('id')
    .where('run_id', '=', runId)
    .where('case_index', '=', index)
    .where('state', '=', 'read')
    .limit(1)
    .executeTakeFirst();
  return trace !== undefined;
};

const environmentOf = async (queries: Queries, runId: number): Promise<string | null> => {
  const run = await queries.selectFrom('runs').select('environment').where('id', '=', runId).executeTakeFirst();
  return run?.environment ?? null;
};
