import { isDeepStrictEqual } from 'node:util';
import {
  ApiError,
  type Client,
  type FlakyTest,
  type Project,
  type ProjectDetails,
  type RequestGroup,
  type RunDetails,
  MAX_RESULTS_PER_RUN,
  resultId,
} from '@assay/contract';
import { expect } from 'vitest';
import {
  expectedCauses,
  expectedComparison,
  expectedFlakyTests,
  expectedRecentRuns,
  expectedTest,
  expectedTestsWithHistory,
} from './expected-insights.ts';
import {
  type Timeless,
  expectedCounts,
  expectedPerformance,
  expectedProject,
  expectedProjects,
  expectedRequestGroups,
  expectedRun,
  expectedSlowTests,
  expectedTestCase,
  expectedTests,
} from './expected.ts';
import {
  type Model,
  type ModelProject,
  type ModelRun,
  caseIdOf,
  learnRun,
  learnedOf,
  liveRuns,
  resultsByTest,
} from './model.ts';

const expectSame = (what: string, actual: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, what).toStrictEqual(expected);
};

/** In the details of a case, the documents leave open whether a field that was not sent is null or absent. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
};

const SPARSE = new Set(['steps', 'networkRequests', 'webVitals', 'console', 'annotations']);

const sparse = (testCase: object): unknown =>
  Object.fromEntries(
    Object.entries(testCase).map(([name, value]) => [name, SPARSE.has(name) ? withoutNulls(value) : value]),
  );

const sparseRun = ({ testCases, ...run }: RunDetails): unknown => ({ ...run, testCases: testCases.map(sparse) });

const expectMissing = async (what: string, answer: Promise<unknown>): Promise<void> => {
  const status = await answer.then(
    () => 200,
    (error: unknown) => (error instanceof ApiError ? error.status : error),
  );
  expect(status, what).toBe(404);
};

const withoutTimes = <T extends Project>({ createdAt, updatedAt, ...others }: T): Timeless<T> => {
  for (const time of [createdAt, updatedAt]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return others;
};

/** Reads every run that was never read, since only answers say which ids the tests have. */
const learnRuns = async (client: Client, model: Model, project?: ModelProject): Promise<void> => {
  for (const run of liveRuns(model, project)) {
    if (run.learned !== null) continue;
    learnRun(model, run, await client.getRun({ params: { id: run.id }, query: { details: false } }));
  }
};

export const compareProject = async (client: Client, model: Model, project: ModelProject): Promise<void> => {
  await learnRuns(client, model, project);
  const params = { id: project.id };
  const details: ProjectDetails = await client.getProject({ params });
  expectSame('getProject', withoutTimes(details), expectedProject(model, project));
  expectSame('listTests', await client.listTests({ params }), expectedTests(model, project));
  const performance = await client.getPerformance({ params });
  expectSame('getPerformance', performance, expectedPerformance(model, project, 50));
  for (const limit of [1, 3, 200]) {
    const points = await client.getPerformance({ params, query: { limit } });
    expectSame(`getPerformance of ${limit}`, points, expectedPerformance(model, project, limit));
  }
  expectSame('listSlowTests', await client.listSlowTests({ params }), expectedSlowTests(model, project, 10));
  for (const runs of [1, 5, 100]) {
    const slow = await client.listSlowTests({ params, query: { runs } });
    expectSame(`listSlowTests of ${runs}`, slow, expectedSlowTests(model, project, runs));
  }
  for (const history of [1, 4, 100]) {
    const tests = await client.listTests({ params, query: { history } });
    expectSame(`listTests with ${history}`, tests, expectedTestsWithHistory(model, project, history));
  }
  for (const runs of [2, 200]) {
    const flaky = await client.listFlakyTests({ params, query: { runs } });
    expectSame(`listFlakyTests of ${runs}`, withoutModel(flaky), expectedFlakyTests(model, project, runs));
    const causes = await client.listCauses({ params, query: { runs } });
    expectSame(`listCauses of ${runs}`, causes, expectedCauses(model, project, runs));
  }
};

/** Every read of a project, for a branch and some runs: as if no other runs had ever been sent. */
const compareWindow = async (
  client: Client,
  model: Model,
  project: ModelProject,
  window: ModelWindow,
): Promise<void> => {
  const params = { id: project.id };
  const { query, runs: own } = window;
  const alone: Model = { ...model, runs: model.runs.filter((run) => own.includes(run)) };
  const what = JSON.stringify(query);
  const { runs: count, ...days } = query;
  const found = await client.getWindow({ params, query });
  expectSame(
    `window ${what}`,
    [found.runs, found.firstRun?.id, found.lastRun?.id, found.allRuns - (count === undefined ? 0 : found.allRuns)],
    [own.length, own.at(-1)?.id, own[0]?.id, count === undefined ? own.length : 0],
  );
  const ids = (await client.getProject({ params, query: days })).testRuns.map(({ id }) => id);
  if (count === undefined)
    expectSame(
      `runs ${what}`,
      ids,
      own.map(({ id }) => id),
    );
  expectSame(`tests ${what}`, await client.listTests({ params, query }), expectedTests(alone, project));
  const tests = await client.listTests({ params, query: { ...query, history: 7 } });
  expectSame(
    `tests with history ${what}`,
    tests,
    expectedTestsWithHistory(alone, project, 7, count !== undefined || days.since !== undefined),
  );
  const wide = { ...days, ...(count === undefined ? {} : { runs: Math.min(count, 100) }) };
  const most = count === undefined && days.since === undefined ? 10 : 1_000;
  const slow = await client.listSlowTests({ params, query: wide });
  expectSame(`slow ${what}`, slow, expectedSlowTests(alone, project, most));
  const flaky = await client.listFlakyTests({ params, query: wide });
  expectSame(`flaky ${what}`, withoutModel(flaky), expectedFlakyTests(alone, project, most === 10 ? 100 : most));
  const causes = await client.listCauses({ params, query });
  expectSame(`causes ${what}`, causes, expectedCauses(alone, project, most === 10 ? 100 : most));
  const [cause] = causes.causes;
  if (cause) {
    const { totalTests, totalFailures } = await client.listCauseTests({
      params,
      query: { ...query, cause: cause.message },
    });
    expectSame(`tests of ${cause.message} ${what}`, [totalTests, totalFailures], [cause.tests, cause.count]);
  }
  const points = await client.getPerformance({ params, query: { ...days, limit: count ?? 200 } });
  expectSame(`performance ${what}`, points, expectedPerformance(alone, project, 200));
  for (const [testId] of [...resultsByTest(own)].slice(0, 2)) {
    const test = await client.getTest({ params: { id: testId }, query });
    expectSame(`test ${testId} ${what}`, test, expectedTest(alone, project, testId, 200));
  }
};

interface ModelWindow {
  readonly query: { branch?: string; since?: string; until?: string; runs?: number };
  /** Newest first. */
  readonly runs: readonly ModelRun[];
}

const windowsOf = (runs: readonly ModelRun[]): ModelWindow[] => {
  const branches = [...new Set(runs.flatMap(({ body }) => body.branch ?? []))].slice(0, 2);
  const since = runs[(runs.length * 2) >> 2]?.startMs ?? 0;
  const until = runs[runs.length >> 2]?.startMs ?? 0;
  const days = { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
  const within = runs.filter(({ startMs }) => startMs >= since && startMs < until);
  const ofBranch = (branch: string, some = runs): ModelRun[] => some.filter(({ body }) => body.branch === branch);
  return [
    { query: days, runs: within },
    { query: { runs: 5 }, runs: runs.slice(0, 5) },
    ...branches.flatMap((branch): ModelWindow[] => [
      { query: { branch }, runs: ofBranch(branch) },
      { query: { branch, ...days }, runs: ofBranch(branch, within) },
      { query: { branch, runs: 3 }, runs: ofBranch(branch).slice(0, 3) },
    ]),
    { query: { branch: 'there is none' }, runs: [] },
  ];
};

export const compareWindows = async (client: Client, model: Model, project: ModelProject): Promise<void> => {
  await learnRuns(client, model, project);
  for (const window of windowsOf(liveRuns(model, project))) await compareWindow(client, model, project, window);
};

export const compareComparison = async (client: Client, model: Model, run: ModelRun): Promise<void> => {
  const comparison = await client.compareRun({ params: { id: run.id } });
  expectSame(`comparison of run ${run.id}`, comparison, expectedComparison(model, run));
};

const compareRun = async (client: Client, model: Model, run: ModelRun): Promise<void> => {
  const params = { id: run.id };
  if (run.deleted) {
    await expectMissing('getRun', client.getRun({ params }));
    await expectMissing('listRunRequests', client.listRunRequests({ params }));
    await expectMissing('compareRun', client.compareRun({ params }));
    await expectMissing('getTestCase', client.getTestCase({ params: { id: resultId(run.id, 0) } }));
    return;
  }
  await learnRuns(client, model, run.project);
  expectSame(`run ${run.id}`, sparseRun(await client.getRun({ params })), sparseRun(expectedRun(run, true)));
  const short = await client.getRun({ params, query: { details: false } });
  expectSame(`run ${run.id} without details`, short, expectedRun(run, false));
  compareRequestGroups(await client.listRunRequests({ params }), expectedRequestGroups(run));
  await compareComparison(client, model, run);
};

const compareRequestGroups = (actual: readonly RequestGroup[], expected: readonly RequestGroup[]): void => {
  const keyOf = ({ method, route }: RequestGroup): string => `${method} ${route}`;
  const byKey = (a: RequestGroup, b: RequestGroup): number => (keyOf(a) < keyOf(b) ? -1 : 1);
  // Requests that a trace added stand behind those that were sent.
  const inOrder = (group: RequestGroup): RequestGroup => ({
    ...group,
    testCases: group.testCases.toSorted(),
    testCaseIds: group.testCaseIds.toSorted((a, b) => a - b),
  });
  expectSame('listRunRequests', actual.toSorted(byKey).map(inOrder), expected.toSorted(byKey).map(inOrder));
  const averages = actual.map(({ avgDuration }) => avgDuration ?? -1);
  const slowestFirst = averages.toSorted((a, b) => b - a);
  expectSame('the averages of listRunRequests', averages, slowestFirst);
};

export const compareTestCase = async (client: Client, model: Model, run: ModelRun, index: number): Promise<void> => {
  const id = run.cases[index] === undefined ? resultId(run.id, MAX_RESULTS_PER_RUN - 1) : caseIdOf(run, index);
  if (run.cases[index] === undefined) {
    await expectMissing(`getTestCase ${id}`, client.getTestCase({ params: { id } }));
    return;
  }
  const found = await client.getTestCase({ params: { id } });
  const traces = found.traces.map(({ state }) => state);
  const attachments = found.attachments.map(({ name }) => name);
  expectSame(`case ${id}`, sparse({ ...found, traces, attachments }), sparse(expectedTestCase(model, run, index)));
};

export const compareTest = async (
  client: Client,
  model: Model,
  project: ModelProject,
  testId: number,
  limit: number,
): Promise<void> => {
  const test = await client.getTest({ params: { id: testId }, query: { limit } });
  expectSame(`test ${testId}`, test, expectedTest(model, project, testId, limit));
};

/** What a service answers as a whole; the model must know all that was ever sent to it. */
export const compareService = async (client: Client, model: Model): Promise<void> => {
  await learnRuns(client, model);
  expectSame('listProjects', (await client.listProjects()).map(withoutTimes), expectedProjects(model));
  for (const { id, recentRuns } of await client.listProjects({ query: { recent: 3 } })) {
    const project = model.projects.find((one) => one.id === id)!;
    expectSame(`recent runs of project ${id}`, recentRuns, expectedRecentRuns(model, project, 3));
  }
  expect(await client.getStats(), 'getStats').toMatchObject(expectedCounts(model));
};

export const compareEverything = async (client: Client, model: Model, projects: readonly ModelProject[]) => {
  for (const project of projects) {
    await compareProject(client, model, project);
    await compareWindows(client, model, project);
    for (const run of model.runs.filter((run) => run.project === project)) await compareRun(client, model, run);
    for (const [nth, run] of liveRuns(model, project).entries()) {
      const index = nth % (run.cases.length + 1);
      await compareTestCase(client, model, run, index);
      const testId = learnedOf(run).testIds[index];
      if (testId !== undefined) await compareTest(client, model, project, testId, nth % 2 === 0 ? 3 : 200);
    }
  }
};

const withoutModel = (tests: readonly FlakyTest[]): Omit<FlakyTest, 'model' | 'aloneRuns' | 'evidence'>[] =>
  tests
    .map(({ model: _model, aloneRuns: _alone, evidence: _evidence, ...test }) => test)
    .toSorted((a, b) => a.id - b.id);
