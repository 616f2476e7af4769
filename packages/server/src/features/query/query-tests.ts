import { QUERIED_TEST_RUNS, type QueryReply, type Test } from '@assay/contract';
import { testRow } from '@assay/contract/filter';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/database.ts';
import type { Tally } from '../../segments/summary.ts';
import { nextTurn } from '../../turns.ts';
import { orHasNul, whereFilter } from '../filters/filter-tables.ts';
import { getProjectRow } from '../projects/queries.ts';
import { findHistory, listWindowRuns, resultsIn } from '../runs/window.ts';
import { tallyOf } from '../tests/get-test.ts';
import { presentTests } from '../tests/list-json.ts';
import type { HistoryRun } from '../tests/test-histories.ts';
import { createBudget } from './budget.ts';
import { type Candidate, comparison } from './candidates.ts';
import { explainSql } from './explain.ts';
import { addDuration, presentGroups, startGroups } from './groups.ts';
import { holds } from './holds.ts';
import { type Position, writePosition } from './position.ts';
import type { Question } from './question.ts';
import type { ScanCall } from './scan-runs.ts';

const IDS_PER_QUERY = 5_000;
const TESTS_PER_PIECE = 2_000;

/** Fields that tests have only with their history. */
const OF_HISTORY = ['tag', 'p90', 'total', 'lastfailure'];

/** Tests that a filter finds: the database narrows them down by their names, and their figures are asked here. */
export const queryTests = async (
  context: Context,
  call: ScanCall,
  question: Question & { readonly projectId: number },
): Promise<QueryReply> => {
  const { queries } = context;
  const { filter, figures, limit, order, after, projectId, window } = question;
  const gone = call.untilGone();
  const project = await getProjectRow(queries, projectId);
  const of = await findHistory(queries, project, window, undefined);
  const newestFirst = of.runs ?? (await listWindowRuns(queries, projectId, window, QUERIED_TEST_RUNS));
  await call.startLargeRead(Math.max(project.total_tests, resultsIn(newestFirst)));
  const tally = await tallyOf(context, of);
  const runs = newestFirst.toReversed();
  const named = await findNamed(context, question);
  const rows = tally.tests.ids.flatMap((id, row) => (named === null || named.ids.has(id) ? row : []));
  const asksHistory =
    filter.fields === null || OF_HISTORY.some((field) => filter.fields!.has(field) || order.field === field);
  const budget = createBudget();
  const groups = startGroups();
  let best: Candidate[] = [];
  let isCut = false;
  const compare = comparison(order);
  for (let start = 0; start < rows.length; start += TESTS_PER_PIECE) {
    gone.throwIfAborted();
    await nextTurn();
    const piece = rows.slice(start, start + TESTS_PER_PIECE);
    const tests = await readTests(context, { projectId, tally, runs: asksHistory ? runs : null }, piece);
    await budget.each(tests.length, (at) => {
      const test = tests[at]!;
      const fields = testRow(test);
      if (!filter.isEmpty && !holds(filter.predicate, fields)) return;
      if (figures) addTo(groups, test, { ...question, figures });
      else {
        const candidate = { value: valueOf(fields[order.field], test), id: test.id };
        if (after && compare({ value: after.value, id: after.place[0]! }, candidate) >= 0) return;
        best.push(candidate);
      }
    });
    if (best.length <= limit) continue;
    best = best.sort(compare).slice(0, limit);
    isCut = true;
  }
  const explain = question.explain && {
    explain: { ...explainSql(filter, named?.asked ?? NOT_ASKED, rows.length), runs: asksHistory ? runs.length : 0 },
  };
  if (figures) {
    return { ...presentGroups(groups, { ...question, figures }), nextCursor: null, complete: true, ...explain };
  }
  best.sort(compare);
  const last = best.at(-1);
  const listedRows = best.map(({ id }) => tally.tests.rowOf.get(id)!);
  return {
    tests: await readTests(context, { projectId, tally, runs }, listedRows),
    nextCursor: isCut && last ? writePosition(order.text, positionOf(last)) : null,
    complete: true,
    ...explain,
  };
};

const positionOf = ({ value, id }: Candidate): Position => ({ value, place: [id] });

/** The number of a field that tests are ordered by; the id is none of the fields. */
const valueOf = (field: unknown, test: Test): number | null =>
  field === undefined ? test.id : field === null ? null : Number(field);

const NOT_ASKED = { sql: '', parameters: [] };

/** The tests whose names the database lets pass; null where it was not asked. */
const findNamed = async (
  { queries, database: { dialect } }: Context,
  { filter, projectId }: Question & { readonly projectId: number },
): Promise<{
  readonly ids: ReadonlySet<number>;
  readonly asked: ReturnType<ReturnType<typeof namedQuery>['compile']>;
} | null> => {
  if (filter.isEmpty || filter.sql === undefined || filter.sql.condition === 'TRUE') return null;
  const condition = orHasNul(whereFilter(filter.sql, dialect), filter.fields, 'tests', dialect);
  const query = namedQuery(queries, projectId).where(condition);
  const ids = new Set<number>();
  for (let after = 0; ;) {
    const found = await query.where('id', '>', after).execute();
    for (const { id } of found) ids.add(id);
    if (found.length < IDS_PER_QUERY) return { ids, asked: query.compile() };
    after = found.at(-1)!.id;
    await nextTurn();
  }
};

const namedQuery = (queries: Queries, projectId: number) =>
  queries.selectFrom('tests').select('id').where('project_id', '=', projectId).orderBy('id').limit(IDS_PER_QUERY);

interface TestSource {
  readonly projectId: number;
  readonly tally: Tally;
  readonly runs: readonly HistoryRun[] | null;
}

const readTests = async (
  context: Context,
  { projectId, tally, runs }: TestSource,
  rows: readonly number[],
): Promise<Test[]> => {
  const tests: Test[] = [];
  for await (const some of presentTests(context, projectId, tally, rows, runs, QUERIED_TEST_RUNS)) tests.push(...some);
  return tests;
};

const addTo = (
  groups: ReturnType<typeof startGroups>,
  test: Test,
  { by, figures }: Question & { readonly figures: NonNullable<Question['figures']> },
): void => {
  const owners = test.owners ?? [];
  const keys =
    by === 'status'
      ? [test.lastStatus]
      : by === 'file'
        ? [test.filePath]
        : by === 'owner' && owners.length > 0
          ? owners
          : [null];
  groups.found++;
  for (const key of keys) {
    const group = groups.find(key);
    if (!group) {
      groups.uncounted++;
      continue;
    }
    group.count++;
    if (test.avgDuration !== null && (figures.has('sum') || figures.has('quantiles'))) {
      addDuration(group, test.avgDuration, figures.has('quantiles'));
    }
  }
};
