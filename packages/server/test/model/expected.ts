import {
  type PastResult,
  type PerformancePoint,
  type Project,
  type ProjectDetails,
  type RequestGroup,
  type Run,
  type RunDetails,
  type SlowTest,
  type StorageStats,
  type SubmittedCase,
  type SubmittedVitals,
  type Test,
  type TestCase,
  type TestCaseDetails,
  errorCause,
  formatTime,
} from '@assay/contract';
import {
  browserOf,
  durationsOf,
  isFailed,
  isFlaky,
  isPassed,
  isSkipped,
  isStatic,
  keptUrl,
  largestOf,
  meanOf,
  p90Of,
  placeOf,
  routeOf,
  smallestOf,
  sumOf,
  trendOf,
} from './figures.ts';
import {
  type Model,
  type ModelProject,
  type ModelResult,
  type ModelRun,
  caseIdOf,
  learnedOf,
  liveRuns,
  resultsByTest,
} from './model.ts';

/** The time at which a project was made or changed is the service's to say. */
export type Timeless<T> = Omit<T, 'createdAt' | 'updatedAt'>;

const countWhere = <T>(values: readonly T[], holds: (value: T) => boolean): number => values.filter(holds).length;

export const expectedRunFields = (run: ModelRun): Run => {
  const { body, cases } = run;
  return {
    id: run.id,
    projectId: run.project.id,
    status: body.status,
    startTime: formatTime(run.startMs),
    duration: body.duration ?? null,
    totalTests: body.totalTests ?? cases.length,
    passedTests: body.passedTests ?? countWhere(cases, ({ status }) => isPassed(status)),
    failedTests: body.failedTests ?? countWhere(cases, ({ status }) => isFailed(status)),
    skippedTests: body.skippedTests ?? countWhere(cases, ({ status }) => isSkipped(status)),
    flakyTests: countWhere(cases, isFlaky),
    avgTestDuration: meanOf(durationsOf(cases)),
    p90TestDuration: p90Of(durationsOf(cases)),
    branch: body.branch ?? null,
    commit: body.commit ?? null,
    // The metadata of the model is any JSON, and names nobody.
    author: null,
    commitMessage: null,
    environment: null,
    pullRequest: null,
    baseCommit: null,
    filtered: null,
    expectedTests: run.expectedTests,
    ...(run.missingTests > 0 ? { missingTests: run.missingTests } : {}),
    shards: run.shards,
    createdAt: learnedOf(run).createdAt,
  };
};

const expectedProjectFields = (model: Model, project: ModelProject): Timeless<Project> => {
  const runs = liveRuns(model, project);
  return {
    ...project,
    repositoryUrl: null,
    tags: [],
    archivedAt: null,
    totalRuns: runs.length,
    totalTestCases: resultsByTest(runs).size,
    latestRun: runs[0] === undefined ? null : expectedRunFields(runs[0]),
    defaultBranch: expectedDefaultBranch(runs),
    defaultBranchRun: ofDefaultBranch(runs)[0] ? expectedRunFields(ofDefaultBranch(runs)[0]!) : null,
  };
};

/** Newest activity first: the project that was submitted to last, even when that run is gone. */
export const expectedProjects = (model: Model): Timeless<Project>[] => {
  const lastArrival = (project: ModelProject): number => model.runs.findLastIndex((run) => run.project === project);
  return model.projects
    .toSorted((a, b) => lastArrival(b) - lastArrival(a))
    .map((project) => expectedProjectFields(model, project));
};

export const expectedProject = (model: Model, project: ModelProject): Timeless<ProjectDetails> => ({
  ...expectedProjectFields(model, project),
  testRuns: liveRuns(model, project).map((run) => ({ ...expectedRunFields(run), reports: [] })),
});

export const expectedPerformance = (model: Model, project: ModelProject, limit: number): PerformancePoint[] =>
  liveRuns(model, project)
    .slice(0, limit)
    .toReversed()
    .map((run) => {
      const fields = expectedRunFields(run);
      return {
        id: fields.id,
        startTime: fields.startTime,
        duration: fields.duration,
        avgTestDuration: fields.avgTestDuration,
        p90TestDuration: fields.p90TestDuration,
        status: fields.status,
        totalTests: fields.totalTests,
        flakyTests: fields.flakyTests,
        commit: fields.commit,
        branch: fields.branch,
      };
    });

export const expectedDefaultBranch = (runs: readonly ModelRun[]): string | null => {
  const branches = runs.flatMap(({ body }) => body.branch ?? []);
  const usual = ['main', 'master'].find((name) => branches.includes(name));
  const byName = [...new Set(branches)].sort();
  const countOf = (name: string): number => branches.filter((branch) => branch === name).length;
  return usual ?? byName.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? null;
};

/** The runs that stand for a project, in the order of all its runs. */
export const ofDefaultBranch = (runs: readonly ModelRun[]): ModelRun[] => {
  const branch = expectedDefaultBranch(runs);
  return runs.filter(({ body }) => branch === null || body.branch === branch);
};

const SLOWEST = 20;

export const expectedSlowTests = (model: Model, project: ModelProject, runs: number): SlowTest[] => {
  const oldestFirst = liveRuns(model, project).slice(0, runs).toReversed();
  const found: { mean: number; test: SlowTest }[] = [];
  for (const [id, results] of resultsByTest(oldestFirst)) {
    const timed = results.filter(({ sent }) => durationsOf([sent]).length > 0);
    const durations = durationsOf(timed.map(({ sent }) => sent));
    const [first] = timed;
    if (first === undefined) continue;
    const test = {
      id,
      title: first.sent.title,
      filePath: placeOf(first.sent).filePath,
      browser: browserOf(first.sent),
      avgDuration: meanOf(durations)!,
      maxDuration: largestOf(durations)!,
      minDuration: smallestOf(durations)!,
      p90Duration: p90Of(durations)!,
      runCount: durations.length,
      trend: trendOf(durations),
      latestDuration: durations.at(-1)!,
      durations,
    };
    found.push({ mean: sumOf(durations) / durations.length, test });
  }
  return found
    .toSorted((a, b) => b.mean - a.mean || a.test.id - b.test.id)
    .slice(0, SLOWEST)
    .map(({ test }) => test);
};

/** Results are oldest first. */
export const expectedTestFields = (id: number, results: readonly ModelResult[]): Test => {
  const cases = results.map(({ sent }) => sent);
  const last = results.at(-1)!;
  return {
    id,
    filePath: placeOf(last.sent).filePath,
    title: last.sent.title,
    browser: browserOf(last.sent),
    totalRuns: cases.length,
    passedRuns: countWhere(cases, ({ status }) => isPassed(status)),
    failedRuns: countWhere(cases, ({ status }) => isFailed(status)),
    skippedRuns: countWhere(cases, ({ status }) => isSkipped(status)),
    flakyRuns: countWhere(cases, isFlaky),
    avgDuration: meanOf(durationsOf(cases)),
    lastRun: formatTime(last.run.startMs),
    lastStatus: last.sent.status,
  };
};

export const expectedTests = (model: Model, project: ModelProject): Test[] => {
  const runs = liveRuns(model, project).toReversed();
  const found: { last: ModelResult; test: Test }[] = [];
  for (const [id, results] of resultsByTest(runs)) {
    found.push({ last: results.at(-1)!, test: expectedTestFields(id, results) });
  }
  return found
    .toSorted((a, b) => b.last.run.startMs - a.last.run.startMs || a.test.id - b.test.id)
    .map(({ test }) => test);
};

const expectedProjectName = ({ id, name, label }: ModelProject) => ({ id, name, label, repositoryUrl: null });

const expectedCaseFields = (run: ModelRun, index: number) => {
  const sent = run.cases[index]!;
  const place = placeOf(sent);
  return {
    id: caseIdOf(run, index),
    testId: learnedOf(run).testIds[index]!,
    title: sent.title,
    status: sent.status,
    duration: sent.duration ?? null,
    location: [place.filePath, place.line, place.column].filter((part) => part !== null).join(':'),
    ...place,
    error: sent.error ?? null,
    retries: sent.retries ?? 0,
    flaky: isFlaky(sent),
    browser: browserOf(sent),
    tags: sent.tags ?? [],
    ...((run.shardsOfCases[index] ?? 0) > 0 ? { shard: run.shardsOfCases[index]! } : {}),
    ...expectedOfAttempts(sent),
    ...expectedNotRun(sent),
  };
};

/** None of the tests that are named there is in a run. */
const expectedNotRun = ({ notRun }: SubmittedCase): Pick<TestCase, 'notRun'> => {
  if (!notRun) return {};
  const { reason, title, location, browser } = notRun;
  if (!title) return { notRun: { reason, title: null, filePath: null, browser: null } };
  return {
    notRun: { reason, title, filePath: location!.split(':')[0]!.replace('\\', '/'), browser: browser?.trim() ?? null },
  };
};

/** The lane of the last attempt, and the time and the cause of those that failed where that was not meant to be. */
const expectedOfAttempts = (sent: SubmittedCase): Pick<TestCase, 'lane' | 'failedMs' | 'cause'> => {
  const attempts = (sent.attempts ?? []).flatMap((attempt): Record<string, unknown>[] =>
    typeof attempt === 'object' && attempt !== null && !Array.isArray(attempt) ? [{ ...attempt }] : [],
  );
  const parallel = attempts.at(-1)?.['parallel'];
  const lane = sent.lane ?? (isLane(parallel) ? parallel : undefined);
  const isWanted = isFailed(sent.status) || (sent.retries ?? 0) > 0;
  const failed = attempts.filter(({ status }) => isWanted && typeof status === 'string' && isFailed(status));
  const durations = failed.flatMap(({ duration }) => (typeof duration === 'number' && duration >= 0 ? [duration] : []));
  const ofAttempt = failed.at(-1)?.['error'];
  const error = isFailed(sent.status) && typeof sent.error === 'string' ? sent.error : ofAttempt;
  const cause = typeof error === 'string' ? errorCause(error) : '';
  return {
    ...(lane === undefined ? {} : { lane }),
    ...(durations.length === 0 ? {} : { failedMs: durations.reduce((sum, duration) => sum + duration, 0) }),
    ...(cause === '' ? {} : { cause }),
  };
};

const isLane = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 10_000;

const expectedCaseDetails = (sent: SubmittedCase) => ({
  steps: sent.steps ?? [],
  slowestStep: sent.slowestStep ?? null,
  slowestStepDuration: sent.slowestStepDuration ?? null,
  networkRequests: (sent.networkRequests ?? []).map((request) => ({ ...request, url: keptUrl(request.url) })),
  webVitals: expectedVitals(sent.webVitals ?? null),
  console: sent.console ?? [],
  annotations: sent.annotations ?? [],
  attempts: sent.attempts ?? [],
  metadata: sent.metadata ?? null,
});

const expectedVitals = (vitals: SubmittedVitals | null): SubmittedVitals | null => {
  const url = vitals?.navigation?.url;
  if (typeof url !== 'string') return vitals;
  return { ...vitals, navigation: { ...vitals?.navigation, url: keptUrl(url) } };
};

export const expectedRun = (run: ModelRun, details: boolean): RunDetails => ({
  ...expectedRunFields(run),
  metadata: run.body.metadata ?? null,
  reports: [],
  project: expectedProjectName(run.project),
  testCases: run.cases.map((sent, index): TestCase => ({
    ...expectedCaseFields(run, index),
    ...(details ? expectedCaseDetails(sent) : {}),
  })),
});

/** In no order: the documents leave open how groups with the same average stand. */
export const expectedRequestGroups = (run: ModelRun): RequestGroup[] => {
  const made = run.cases.flatMap((sent, index) =>
    (sent.networkRequests ?? [])
      .filter(({ resourceType, url }) => !isStatic(resourceType, url))
      .map((request) => ({ ...request, route: routeOf(request.url), title: sent.title, id: caseIdOf(run, index) })),
  );
  const groups = Map.groupBy(made, ({ method, route }) => JSON.stringify([method, route]));
  return [...groups.values()].map((requests) => {
    const durations = durationsOf(requests);
    const errors = countWhere(requests, ({ status }) => typeof status === 'number' && (status >= 400 || status === 0));
    return {
      method: requests[0]!.method,
      route: requests[0]!.route,
      count: requests.length,
      avgDuration: meanOf(durations),
      maxDuration: largestOf(durations),
      minDuration: smallestOf(durations),
      p90Duration: p90Of(durations),
      errorRate: Math.round((100 * errors) / requests.length),
      testCases: [...new Set(requests.map(({ title }) => title))],
      testCaseIds: [...new Set(requests.map(({ id }) => id))],
    };
  });
};

const HISTORY = 30;

export const expectedHistory = (model: Model, project: ModelProject, testId: number, limit: number): PastResult[] => {
  const oldestFirst = liveRuns(model, project).toReversed();
  const results = resultsByTest(oldestFirst).get(testId) ?? [];
  return results
    .toReversed()
    .slice(0, limit)
    .map(({ run, index, sent }) => ({
      id: caseIdOf(run, index),
      testRunId: run.id,
      startTime: formatTime(run.startMs),
      status: sent.status,
      duration: sent.duration ?? null,
      retries: sent.retries ?? 0,
      flaky: isFlaky(sent),
      error: sent.error ?? null,
      ...expectedNotRun(sent),
      branch: run.body.branch ?? null,
      commit: run.body.commit ?? null,
    }));
};

export const expectedTestCase = (
  model: Model,
  run: ModelRun,
  index: number,
): Omit<TestCaseDetails, 'traces' | 'attachments'> & { traces: string[]; attachments: string[] } => {
  const fields = expectedCaseFields(run, index);
  return {
    ...fields,
    ...expectedCaseDetails(run.cases[index]!),
    traces: Array<string>(run.cases[index]!.traces ?? 0).fill('read'),
    attachments: [...(run.cases[index]!.attachments ?? [])],
    testRun: {
      ...expectedRunFields(run),
      metadata: run.body.metadata ?? null,
      project: expectedProjectName(run.project),
    },
    history: expectedHistory(model, run.project, fields.testId, HISTORY),
  };
};

export const expectedCounts = (model: Model): Partial<StorageStats> => {
  const runs = liveRuns(model);
  return {
    totalProjects: model.projects.length,
    totalRuns: runs.length,
    totalTestCases: resultsByTest(runs).size,
    totalRunsCases: sumOf(runs.map(({ cases }) => cases.length)),
    totalTraces: sumOf(runs.flatMap(({ cases }) => cases.map(({ traces }) => traces ?? 0))),
    totalReports: 0,
    reportSizeFromDb: 0,
  };
};
