import { errorCause, outcomeOf, type QueryReply, type Run, type Test, type TestCase } from '@assay/contract';
import {
  type Filterable,
  type FilterRow,
  RESULT_FIELDS,
  resultRow,
  RUN_FIELDS,
  runRow,
  readFilterText,
  TEST_FIELDS,
  testRow,
  withStatuses,
} from '@assay/contract/filter';
import { serialize } from '@assay/expression';
import { draws } from '@assay/testkit';
import { functionOver, searchOver } from '@assay/testkit/filter-texts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RUNS_PER_PACK } from '../../src/segments/outline-pack.ts';
import { submittedRun } from '../model/submissions.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { submission, testCase } from './build.ts';

interface Row<T> {
  readonly id: number;
  readonly row: FilterRow;
  readonly value: T;
}

const OVERS = ['results', 'runs', 'tests'] as const;
const CATALOGUES: Record<(typeof OVERS)[number], Filterable> = {
  results: RESULT_FIELDS,
  runs: RUN_FIELDS,
  tests: TEST_FIELDS,
};

let server: TestServer;
/** The same runs, without outlines to skip any by. */
let plain: TestServer;
let project: number;
let runs: Run[];
/** As other endpoints answer, in the order that queries have. */
let rows: { results: Row<TestCase & { run: Run }>[]; runs: Row<Run>[]; tests: Row<Test>[] };

beforeAll(async () => {
  [server, plain] = await Promise.all([
    startTestServer({ outlineQuietMs: 20 }),
    startTestServer({ outlineQuietMs: 3_600_000 }),
  ]);
  await fill(plain);
  await fill(server);
  const { client } = server;
  ({ testRuns: runs } = await client.getProject({ params: { id: project }, query: {} }));
  await waitForOutlines();
  const results: Row<TestCase & { run: Run }>[] = [];
  for (const run of runs) {
    const params = { id: run.id };
    const { testCases } = await client.getRun({ params, query: { details: false } });
    const { comparedWith, failures } = await client.compareRun({ params });
    const fresh = new Set(failures.filter(({ isNew }) => isNew && comparedWith).map(({ testCaseId }) => testCaseId));
    for (const one of testCases) {
      results.push({ id: one.id, row: resultRow(one, fresh.has(one.id)), value: { ...one, run } });
    }
  }
  const tests = await client.listTests({ params: { id: project }, query: { history: 30 } });
  rows = {
    results,
    runs: runs.map((run) => ({ id: run.id, row: runRow(run), value: run })),
    tests: tests.map((test) => ({ id: test.id, row: testRow(test), value: test })).sort((a, b) => b.id - a.id),
  };
});
afterAll(() => Promise.all([server.stop(), plain.stop()]));

/** So many that their outlines fill more than one pack. */
const RUNS = RUNS_PER_PACK + 4;

const fill = async ({ client }: TestServer): Promise<void> => {
  const submitted = fc.sample(submittedRun, { seed: 7, numRuns: RUNS });
  for (const [at, run] of submitted.entries()) {
    const testCases = [...(run.testCases ?? []), ...(at % 3 ? [] : fillers)];
    const { projectId } = await client.submitRun({
      body: { ...run, testCases, projectName: 'shop', branch: at % 2 ? 'main' : null },
    });
    project = projectId;
  }
  for (const index of [2, 1]) {
    const testCases = ['passed', 'failed', 'broken'].map((status) => testCase({ title: `${status} ${index}`, status }));
    const shard = { index, total: 2 };
    await client.submitRun({ body: submission({ projectName: 'shop', runKey: 'sharded', shard, testCases }) });
  }
};

/** So many results that an outline has room for the texts of the others. */
const fillers = Array.from({ length: 25 }, (_, nth) => testCase({ title: `filler ${nth}` }));

const waitForOutlines = async (): Promise<void> => {
  const body = { over: 'results', project, filter: 'error:"nobody has this"', explain: true } as const;
  await vi.waitFor(
    async () => expect((await server.client.postQuery({ body })).explain!.skippedRuns).toBeGreaterThan(5),
    60_000,
  );
};

const own = ['broken', 'quarantined', 'PASSED', 'flaky', 'timedout', 'не знаю'];

const holds = (predicate: (row: FilterRow) => boolean, row: FilterRow): boolean => {
  try {
    return predicate(row);
  } catch {
    return false;
  }
};

const naive = (over: (typeof OVERS)[number], text: string) => {
  const filter = readFilterText(text, withStatuses(CATALOGUES[over], own), { now: Date.now() });
  if (!filter.ok) throw new Error(`${text}: ${filter.issues.map(({ message }) => message).join('; ')}`);
  const ids = (rows[over] as Row<unknown>[]).filter(({ row }) => holds(filter.predicate, row)).map(({ id }) => id);
  return { ids, envelope: serialize(filter.tree) };
};

const idsOf = (reply: QueryReply): number[] => (reply.results ?? reply.runs ?? reply.tests)!.map(({ id }) => id);
/** In `npm run explore`. */
const TREES = 10_200;
const seed = fc.readConfigureGlobal().seed ?? 20_260_101;

describe.each(OVERS)('a query over %s', (over) => {
  const filter = fc.oneof(searchOver(CATALOGUES[over]), functionOver(CATALOGUES[over]));

  it('finds what a loop over all rows finds, as text and as tree', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (text) => {
        const { ids, envelope } = naive(over, text);
        const query = { over, project, filter: text, limit: 1_000 };
        expect(idsOf(await server.client.query({ query })), text).toEqual(ids);
        const other = over === 'results' ? plain : server;
        expect(idsOf(await other.client.postQuery({ body: { ...query, filter: envelope } })), text).toEqual(ids);
      }),
      { numRuns: draws(12, TREES / OVERS.length), seed },
    );
  }, 600_000);

  it('has every row once on pages of any size, in one order', async () => {
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: draws(3, 1), max: 40 }), async (text, limit) => {
        const { ids } = naive(over, text);
        const found: number[] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const query = { over, project, filter: text, limit, ...(cursor === undefined ? {} : { cursor }) };
          const page: QueryReply = await server.client.query({ query });
          expect(idsOf(page).length).toBeLessThanOrEqual(limit);
          found.push(...idsOf(page));
          cursor = page.nextCursor;
        }
        expect(found, text).toEqual(ids);
      }),
      { numRuns: draws(3, 80), seed },
    );
  });
});

describe('groups', () => {
  const keysOf: Record<string, (one: TestCase & { run: Run }) => (string | null)[]> = {
    day: ({ run }) => [run.startTime.slice(0, 10)],
    status: ({ status }) => [status],
    branch: ({ run }) => [run.branch],
    file: ({ filePath }) => [filePath],
    environment: ({ run }) => [run.environment],
    owner: ({ owners }) => (owners && owners.length > 0 ? owners : [null]),
    cause: ({ cause, status, error }) => [
      cause ?? ((outcomeOf(status) === 'failed' && error !== null && errorCause(error)) || null),
    ],
  };

  it.each(Object.keys(keysOf))('of results by %s are those of a loop', async (by) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(''), searchOver(RESULT_FIELDS)), async (text) => {
        const wanted = new Set(naive('results', text).ids);
        const expected = new Map<string | null, { count: number; durations: number[] }>();
        for (const { id, value } of rows.results) {
          if (!wanted.has(id)) continue;
          for (const key of keysOf[by]!(value)) {
            const group = expected.get(key) ?? { count: 0, durations: [] };
            expected.set(key, group);
            group.count++;
            if (value.duration !== null && value.status !== 'skipped') group.durations.push(value.duration);
          }
        }
        for (const figures of ['count', 'count,share,sum,quantiles']) {
          const query = { over: 'results', project, filter: text, by: by as 'day', figures } as const;
          const { groups, found, totalGroups } = await server.client.query({ query });
          expect([found, totalGroups], text).toEqual([wanted.size, expected.size]);
          expect(new Map(groups!.map(({ key, count }) => [key, count])), text).toEqual(
            new Map([...expected].map(([key, { count }]) => [key, count])),
          );
          if (figures === 'count') continue;
          for (const { key, count, share, duration } of groups!) {
            const sorted = expected.get(key)!.durations.sort((a, b) => a - b);
            expect(share).toBeCloseTo(count / wanted.size);
            expect(duration!.count).toBe(sorted.length);
            expect(duration!.sum).toBe(sorted.reduce((sum, ms) => sum + ms, 0));
            const p90 = sorted[Math.max(0, Math.ceil(0.9 * sorted.length) - 1)] ?? null;
            if (p90 === null) expect(duration!.p90).toBeNull();
            else expect(Math.abs(duration!.p90! - p90)).toBeLessThanOrEqual(p90 * 0.01);
          }
        }
      }),
      { numRuns: draws(3, 60), seed },
    );
  });

  it.each(['day', 'status', 'branch', 'environment'] as const)('of runs by %s are those of a loop', async (by) => {
    const { groups } = await server.client.query({ query: { over: 'runs', project, by } });
    const expected = Map.groupBy(runs, (run) => (by === 'day' ? run.startTime.slice(0, 10) : run[by]));
    expect(new Map(groups!.map(({ key, count }) => [key, count]))).toEqual(
      new Map([...expected].map(([key, ofKey]) => [key, ofKey.length])),
    );
  });

  it.each(['status', 'file'] as const)('of tests by %s are those of a loop', async (by) => {
    const { groups } = await server.client.query({ query: { over: 'tests', project, by } });
    const expected = Map.groupBy(rows.tests, ({ value }) => (by === 'status' ? value.lastStatus : value.filePath));
    expect(new Map(groups!.map(({ key, count }) => [key, count]))).toEqual(
      new Map([...expected].map(([key, ofKey]) => [key, ofKey.length])),
    );
  });
});
