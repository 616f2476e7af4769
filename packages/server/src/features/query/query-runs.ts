import type { QueryReply } from '@assay/contract';
import { runRow } from '@assay/contract/filter';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tables } from '../../db/tables.ts';
import { RUN_COLUMNS, orHasNul, whereFilter } from '../filters/filter-tables.ts';
import { SHOWN_RUN_COLUMNS, type ShownRun, presentRun } from '../runs/present-run.ts';
import { shardsOf } from '../runs/shards.ts';
import { inWindow } from '../runs/window.ts';
import { archivedProjects } from '../search/find-runs.ts';
import { type Budget, createBudget } from './budget.ts';
import { explainSql } from './explain.ts';
import { addDuration, dayOf, presentGroups, startGroups } from './groups.ts';
import { holds } from './holds.ts';
import { type Position, writePosition } from './position.ts';
import type { Question } from './question.ts';

const FIRST_RUNS = 200;
const MOST_RUNS = 1_000;

type OrderField = 'started' | 'duration' | 'tests' | 'passed' | 'failed' | 'skipped' | 'flaky' | 'avg' | 'p90';

type RunQuery = SelectQueryBuilder<Tables, 'runs', ShownRun>;

/** Runs that a filter finds: the database narrows them down, and what it returns is asked again here. */
export const queryRuns = async (context: Context, question: Question): Promise<QueryReply> => {
  const { queries, database } = context;
  const { filter, figures, limit, order, after, projectId, window } = question;
  const { dialect } = database;
  const condition = orHasNul(whereFilter(filter.sql!, dialect), filter.fields, 'runs', dialect);
  let query = inWindow(queries.selectFrom('runs').select(SHOWN_RUN_COLUMNS), window);
  query =
    projectId === undefined
      ? query.where('project_id', 'not in', archivedProjects(queries))
      : query.where('project_id', '=', projectId);
  if (!filter.isEmpty) query = query.where(condition);
  const matching = inOrder(query, question);
  const budget = createBudget();
  const looked = { rows: 0 };
  const explained = () =>
    question.explain && { explain: explainSql(filter, matching(after, limit).compile(), looked.rows) };
  const pages = matchingRuns(matching, question, budget, looked);
  if (figures) {
    const groups = await groupRuns(pages, { ...question, figures });
    return { ...groups, nextCursor: null, complete: true, ...explained() };
  }
  const found: ShownRun[] = [];
  for await (const runs of pages) {
    found.push(...runs);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const shards = await shardsOf(queries, page);
  const last = page.at(-1);
  return {
    runs: page.map((run) => presentRun(run, shards.get(run.id))),
    nextCursor: found.length > limit && last ? writePosition(order.text, positionOf(last, order.field)) : null,
    complete: true,
    ...explained(),
  };
};

const columnOf = (field: string) => RUN_COLUMNS[field as OrderField];

const positionOf = (run: ShownRun, field: string): Position => ({ value: run[columnOf(field)], place: [run.id] });

/** The runs after a position, so many of them; those without a value last. */
const inOrder =
  (query: RunQuery, { order: { field, isDescending } }: Question) =>
  (after: Position | null, count: number): RunQuery => {
    const column = columnOf(field);
    const direction = isDescending ? 'desc' : 'asc';
    const beyond = isDescending ? '<' : '>';
    const isNullable = column === 'duration' || column === 'avg_test_duration' || column === 'p90_test_duration';
    let narrowed = query;
    if (after) {
      const { value, place } = after;
      const id = place[0]!;
      narrowed = narrowed.where(({ eb, and, or }) =>
        value === null
          ? and([eb(column, 'is', null), eb('id', beyond, id)])
          : or([
              eb(column, beyond, value),
              and([eb(column, '=', value), eb('id', beyond, id)]),
              ...(isNullable ? [eb(column, 'is', null)] : []),
            ]),
      );
    }
    if (isNullable) narrowed = narrowed.orderBy(sql`case when ${sql.ref(column)} is null then 1 else 0 end`);
    return narrowed.orderBy(column, direction).orderBy('id', direction).limit(count);
  };

async function* matchingRuns(
  matching: (after: Position | null, count: number) => RunQuery,
  { after, filter, order, limit, figures }: Question,
  budget: Budget,
  looked: { rows: number },
): AsyncGenerator<ShownRun[]> {
  let next = after;
  const first = figures ? MOST_RUNS : filter.isEmpty || filter.sql?.residual === null ? limit + 1 : FIRST_RUNS;
  for (let count = first; ; count = MOST_RUNS) {
    const runs = await matching(next, count).execute();
    looked.rows += runs.length;
    if (filter.isEmpty) yield runs;
    else {
      const found: ShownRun[] = [];
      await budget.each(runs.length, (at) => {
        const run = runs[at]!;
        if (holds(filter.predicate, runRow(presentRun(run, undefined)))) found.push(run);
      });
      yield found;
    }
    if (runs.length < count) return;
    next = positionOf(runs.at(-1)!, order.field);
  }
}

const groupRuns = async (
  pages: AsyncGenerator<ShownRun[]>,
  question: Question & { readonly figures: NonNullable<Question['figures']> },
): Promise<Partial<QueryReply>> => {
  const { by, figures } = question;
  const groups = startGroups();
  const keyOf = (run: ShownRun): string | null =>
    by === 'day'
      ? dayOf(run.start_time)
      : by === 'status'
        ? run.status
        : by === 'branch'
          ? run.branch
          : by === 'environment'
            ? run.environment
            : null;
  const withDurations = figures.has('sum') || figures.has('quantiles');
  for await (const runs of pages) {
    for (const run of runs) {
      groups.found++;
      const group = groups.find(keyOf(run));
      if (!group) {
        groups.uncounted++;
        continue;
      }
      group.count++;
      if (withDurations && run.duration !== null) addDuration(group, run.duration, figures.has('quantiles'));
    }
  }
  return presentGroups(groups, question);
};
