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
import { findRun, readMetadataOf } from '../runs/queries.ts';
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
  const setups = await readSetups(queries, [runId, ...places.map((place) => place.runId)]);
  const mask = createMask();
  const subject = await readOne(context, { runId, index, status }, setups, mask);
  const passing: Execution[] = [];
  for (const place of places) {
    passing.push(await readOne(context, { ...place, status: place.result.status }, setups, mask));
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

const readOne = async (
  context: Context,
  { runId, index, status }: Place,
  setups: ReadonlyMap<number, Setup>,
  mask: Mask,
): Promise<Execution> => {
  const [details, hasTrace] = await Promise.all([
    readDetails(context, runId, index),
    hasReadTrace(context.queries, runId, index),
  ]);
  const { versions, environment } = setups.get(runId) ?? UNKNOWN_SETUP;
  return inTurns(readExecution({ status, details, hasTrace, versions, environment }, mask));
};

type Setup = Pick<Execution, 'versions' | 'environment'>;

const UNKNOWN_SETUP: Setup = { versions: new Map(), environment: null };

/** By run: what it ran with and in. */
const readSetups = async (queries: Queries, ids: readonly number[]): Promise<Map<number, Setup>> => {
  const [metadata, runs] = await Promise.all([
    readMetadataOf(queries, ids),
    queries.selectFrom('runs').select(['id', 'environment']).where('id', 'in', ids).execute(),
  ]);
  return new Map(runs.map(({ id, environment }) => [id, { environment, versions: toolVersions(metadata.get(id)) }]));
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
