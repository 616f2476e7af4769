import {
  type Causes,
  type FlakyTest,
  type ResultRef,
  type RunComparison,
  type RunPoint,
  type RunRef,
  type SubmittedCase,
  type Test,
  type TestDetails,
  errorCause,
  errorPlace,
  formatTime,
} from '@assay/contract';
import {
  expectedHistory,
  expectedRunFields,
  expectedTestFields,
  expectedTests,
  expectedDefaultBranch,
  ofDefaultBranch,
} from './expected.ts';
import { browserOf, durationsOf, isFailed, isFlaky, isPassed, isSkipped, p90Of, placeOf } from './figures.ts';
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

/** What the interface shows beyond single results, computed in the plainest way. */

const letterOf = (sent: SubmittedCase): string => {
  if (isFlaky(sent)) return 'K';
  if (isPassed(sent.status)) return 'P';
  if (isFailed(sent.status)) return 'F';
  return isSkipped(sent.status) ? 'S' : 'O';
};

const resultsIn = (run: ModelRun, testId: number): ModelResult[] =>
  learnedOf(run).testIds.flatMap((id, index) => (id === testId ? { run, index, testId, sent: run.cases[index]! } : []));

/** Of several results in one run the worst counts. */
const letterIn = (run: ModelRun, testId: number): string => {
  const letters = new Set(resultsIn(run, testId).map(({ sent }) => letterOf(sent)));
  return ['F', 'K', 'P', 'O', 'S'].find((letter) => letters.has(letter)) ?? '-';
};

const lastWith = (run: ModelRun, testId: number, letter: string): ModelResult =>
  resultsIn(run, testId).findLast(({ sent }) => letterOf(sent) === letter)!;

const refOf = ({ run, index }: ModelResult): ResultRef => ({
  testRunId: run.id,
  testCaseId: caseIdOf(run, index),
  startTime: formatTime(run.startMs),
});

const runRefOf = (run: ModelRun): RunRef => {
  const { id, status, startTime, duration, branch, commit } = expectedRunFields(run);
  return { id, status, startTime, duration, branch, commit };
};

const runOfResult = ({ run, index }: ModelResult) => ({ ...runRefOf(run), testCaseId: caseIdOf(run, index) });

export const expectedRecentRuns = (model: Model, project: ModelProject, count: number): RunPoint[] =>
  ofDefaultBranch(liveRuns(model, project))
    .slice(0, count)
    .toReversed()
    .map((run) => {
      const { id, status, startTime, duration, ...fields } = expectedRunFields(run);
      const { totalTests, passedTests, failedTests, skippedTests, flakyTests } = fields;
      return { id, status, startTime, duration, totalTests, passedTests, failedTests, skippedTests, flakyTests };
    });

export const expectedTestsWithHistory = (
  model: Model,
  project: ModelProject,
  count: number,
  durationsOfAll = false,
): Test[] => {
  const runs = liveRuns(model, project).slice(0, count).toReversed();
  const results = resultsByTest(durationsOfAll ? liveRuns(model, project) : runs);
  const ever = resultsByTest(liveRuns(model, project).toReversed());
  return expectedTests(model, project).map((test) => {
    const own = results.get(test.id) ?? [];
    const failure = ever.get(test.id)?.findLast(({ sent }) => isFailed(sent.status));
    return {
      ...test,
      tags: ever.get(test.id)!.at(-1)!.sent.tags ?? [],
      history: runs.map((run) => letterIn(run, test.id)).join(''),
      p90Duration: p90Of(durationsOf(own.map(({ sent }) => sent))),
      lastFailure: failure ? refOf(failure) : null,
      totalDuration: durationsOf((ever.get(test.id) ?? []).map(({ sent }) => sent)).reduce(
        (sum, each) => sum + each,
        0,
      ),
    };
  });
};

/** The textbook formula, with all its fractions. */
const wilson = (successes: number, trials: number) => {
  const z = 1.959963984540054;
  const p = successes / trials;
  const centre = p + (z * z) / (2 * trials);
  const margin = z * Math.sqrt((p * (1 - p)) / trials + (z * z) / (4 * trials * trials));
  const scale = 1 + (z * z) / trials;
  return { low: (centre - margin) / scale, high: (centre + margin) / scale };
};

const perCent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;

/** What outages play a part in. */
type Judged = 'model' | 'aloneRuns' | 'evidence';

/** In no order, without what is judged. */
export const expectedFlakyTests = (
  model: Model,
  project: ModelProject,
  count: number,
): readonly Omit<FlakyTest, Judged>[] => {
  const runs = liveRuns(model, project).slice(0, count).toReversed();
  const found: Omit<FlakyTest, Judged>[] = [];
  for (const [id, results] of resultsByTest(runs)) {
    const mixed = results.filter(
      ({ run, sent }) =>
        isFailed(sent.status) &&
        typeof run.body.commit === 'string' &&
        runs.some(
          (other) =>
            other.body.commit === run.body.commit &&
            resultsIn(other, id).some((result) => isPassed(result.sent.status)) &&
            !resultsIn(other, id).some((result) => isFailed(result.sent.status)),
        ),
    );
    const retried = results.filter(({ sent }) => isFlaky(sent));
    const flaky = results.filter((result) => retried.includes(result) || mixed.includes(result));
    const [first] = flaky;
    if (first === undefined) continue;
    const ran = results.filter(({ sent }) => !isSkipped(sent.status));
    const { low, high } = wilson(flaky.length, ran.length);
    found.push({
      id,
      title: first.sent.title,
      filePath: placeOf(first.sent).filePath,
      browser: browserOf(first.sent),
      flakyRuns: flaky.length,
      retriedRuns: retried.length,
      mixedCommits: new Set(mixed.map(({ run }) => run.body.commit)).size,
      totalRuns: ran.length,
      flakyRate: perCent(flaky.length / ran.length),
      rateLow: perCent(low),
      rateHigh: perCent(high),
      firstFlaky: runOfResult(first),
      lastFlaky: runOfResult(flaky.at(-1)!),
      history: runs.map((run) => letterIn(run, id)).join(''),
    });
  }
  return found.toSorted((a, b) => a.id - b.id);
};

export const expectedTest = (model: Model, project: ModelProject, testId: number, limit: number): TestDetails => {
  const results = resultsByTest(liveRuns(model, project).toReversed()).get(testId)!;
  const { lastRun: _lastRun, lastStatus: _lastStatus, ...test } = expectedTestFields(testId, results);
  const arrived = model.runs.filter((run) => run.project === project && !run.deleted);
  const passed = results.findLast(({ sent }) => isPassed(sent.status));
  const failed = results.findLast(({ sent }) => isFailed(sent.status));
  const latest = results.toReversed().slice(0, limit);
  const errors = Map.groupBy(
    latest.filter(({ sent }) => typeof sent.error === 'string'),
    ({ sent }) => errorCause(sent.error!),
  );
  return {
    ...test,
    project: { id: project.id, name: project.name, label: project.label, repositoryUrl: null },
    firstSeen: refOf(resultsByTest(arrived).get(testId)![0]!),
    lastPassed: passed ? refOf(passed) : null,
    lastFailed: failed ? refOf(failed) : null,
    results: expectedHistory(model, project, testId, limit),
    errors: [...errors]
      .map(([message, group]) => ({
        message,
        count: group.length,
        firstSeen: refOf(group.at(-1)!),
        lastSeen: refOf(group[0]!),
        sample: group[0]!.sent.error!,
      }))
      .toSorted((a, b) => b.count - a.count),
  };
};

/** Of the latest so many runs; few enough that no cause is left out. */
export const expectedCauses = (model: Model, project: ModelProject, count: number): Causes => {
  const runs = liveRuns(model, project).slice(0, count);
  const failures = runs.flatMap((run) =>
    run.cases.flatMap((sent, index) =>
      isFailed(sent.status) && typeof sent.error === 'string'
        ? { run, index, sent, testId: learnedOf(run).testIds[index]!, error: sent.error }
        : [],
    ),
  );
  const groups = [...Map.groupBy(failures, ({ error }) => errorCause(error))].map(([message, group]) => {
    const having = runs.filter((run) => group.some((failure) => failure.run === run));
    const [last] = group as [(typeof group)[number]];
    return {
      message,
      place: errorPlace(last.error),
      count: group.length,
      tests: new Set(group.map(({ testId }) => testId)).size,
      runs: having.length,
      firstSeen: runOfResult(group.find(({ run }) => run === having.at(-1))!),
      lastSeen: runOfResult(last),
      isNew: runs.length > 1 && having.length === 1 && having[0] === runs[0],
      runsWithout: runs.indexOf(having[0]!),
      history: runs
        .toReversed()
        .map((run) => (having.includes(run) ? 'F' : 'P'))
        .join(''),
      sample: last.error.slice(0, 4_000),
    };
  });
  return { causes: groups.toSorted((a, b) => b.count - a.count), totalCauses: groups.length, uncountedFailures: 0 };
};

const LOOKED_AT = 100;

export const expectedComparison = (model: Model, run: ModelRun): RunComparison => {
  const newestFirst = liveRuns(model, run.project);
  const place = newestFirst.indexOf(run);
  const before = newestFirst.slice(place + 1);
  const lines = [run.body.branch ?? null, expectedDefaultBranch(newestFirst), null].map((branch) =>
    before.filter((other) => (other.body.branch ?? null) === branch),
  );
  const ofLine = lines.find((runs) => runs.length > 0) ?? [];
  const compared = ofLine.slice(0, LOOKED_AT);
  const tests = [...resultsByTest([run])];
  const next = newestFirst[place - 1];
  const durations = durationsOf(compared.map(({ body: { duration } }) => ({ duration })))
    .slice(0, 20)
    .toSorted((a, b) => a - b);
  const others = new Set(compared[0] ? learnedOf(compared[0]).testIds : []);
  const own = new Set(learnedOf(run).testIds);

  /** The runs before in which it failed, up to one in which it did something else. */
  const failedBefore = (testId: number): { failed: ModelRun[]; ended: boolean } => {
    const failed: ModelRun[] = [];
    for (const other of compared) {
      const letter = letterIn(other, testId);
      if (letter === 'F') failed.push(other);
      else if (letter !== '-' && letter !== 'S') return { failed, ended: true };
    }
    return { failed, ended: false };
  };
  const branch = expectedDefaultBranch(newestFirst);
  const ofDefault =
    branch === null || typeof run.body.branch !== 'string' || run.body.branch === branch
      ? []
      : newestFirst
          .filter(({ body, startMs }) => body.branch === branch && startMs <= run.startMs && body.status !== 'running')
          .slice(0, LOOKED_AT);
  const failedOnDefault = (testId: number): ModelRun[] => {
    const failed: ModelRun[] = [];
    for (const other of ofDefault) {
      const letter = letterIn(other, testId);
      if (letter === 'F') failed.push(other);
      else if (letter !== '-' && letter !== 'S') break;
    }
    return failed;
  };
  const fixedSince = (failedRuns: (testId: number) => readonly ModelRun[]) =>
    tests.flatMap(([testId]) => {
      const letter = letterIn(run, testId);
      const failed = failedRuns(testId);
      const [last] = failed;
      if ((letter !== 'P' && letter !== 'K') || last === undefined) return [];
      return {
        ...testFields(testId, letter),
        lastFailed: runOfResult(lastWith(last, testId, 'F')),
        failedRuns: failed.length,
      };
    });
  const outcomes = { F: 'failed', P: 'passed', K: 'passed', '-': 'notRun' } as const;
  const testFields = (testId: number, letter: string) => {
    const result = lastWith(run, testId, letter);
    return {
      testCaseId: caseIdOf(run, result.index),
      testId,
      title: result.sent.title,
      filePath: placeOf(result.sent).filePath,
      browser: browserOf(result.sent),
    };
  };
  return {
    previousRun: before[0] ? runRefOf(before[0]) : null,
    nextRun: next ? runRefOf(next) : null,
    comparedWith: compared[0] ? runRefOf(compared[0]) : null,
    defaultRun: ofDefault[0] ? runRefOf(ofDefault[0]) : null,
    defaultRunBy: ofDefault[0] ? 'time' : null,
    usualDuration:
      durations.length === 0
        ? null
        : (durations[Math.ceil(durations.length / 2) - 1]! + durations[Math.floor(durations.length / 2)]!) / 2,
    sharedTests: [...own].filter((id) => others.has(id)).length,
    addedTests: compared[0] ? [...own].filter((id) => !others.has(id)).length : 0,
    removedTests: [...others].filter((id) => !own.has(id)).length,
    failures: tests.flatMap(([testId]) => {
      if (letterIn(run, testId) !== 'F') return [];
      const { failed, ended } = failedBefore(testId);
      const { status, error } = lastWith(run, testId, 'F').sent;
      return {
        ...testFields(testId, 'F'),
        status,
        error: error ?? null,
        isNew: failed.length === 0,
        ranBefore: compared.some((other) => letterIn(other, testId) !== '-'),
        failingSince: runRefOf(failed.at(-1) ?? run),
        failedRuns: failed.length + 1,
        sinceBeyond: ofLine.length > LOOKED_AT && !ended && letterIn(compared.at(-1)!, testId) !== '-',
        onDefault: ofDefault[0]
          ? {
              outcome: outcomes[letterIn(ofDefault[0], testId) as keyof typeof outcomes] ?? 'other',
              failingSince: letterIn(ofDefault[0], testId) === 'F' ? runRefOf(failedOnDefault(testId).at(-1)!) : null,
            }
          : null,
      };
    }),
    fixedHere: fixedSince(failedOnDefault),
    fixed: fixedSince((testId) => failedBefore(testId).failed),
  };
};
