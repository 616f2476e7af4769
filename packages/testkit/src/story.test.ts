import { Submission, isFlaky, parseLocation, runFigures } from '@assay/contract';
import type { SubmittedCase } from '@assay/contract';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { createStory } from './story.ts';
import type { StoryOptions } from './story.ts';

const schema = Compile(Submission);
const FIRST_RUN_AT = Date.UTC(2025, 0, 6, 9);
const HOUR_MS = 3_600_000;
const RUNS = 120;

const tell = (options: Partial<StoryOptions> = {}) =>
  createStory({
    seed: 5,
    projectName: 'webshop',
    tests: 150,
    firstRunAt: FIRST_RUN_AT,
    intervalMs: HOUR_MS,
    ...options,
  });

const identity = ({ title, location, browser }: SubmittedCase): string =>
  JSON.stringify([parseLocation(location).file, title, browser ?? null]);

const runsOf = (story = tell(), count = RUNS) => Array.from({ length: count }, (_, n) => story.run(n));
const usual = runsOf(tell({ domain: 'shop', browsers: [] }));
const cases = usual.flatMap(({ testCases }) => testCases!);

/** The text without what varies between failures of one cause. */
const causeOf = (error: string): string =>
  error
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001b\[\d+m/g, '')
    .split('\n    at ')[0]!
    .replace(/[0-9a-f]{8,}|\d+/g, '#');

const isBroken = ({ status }: SubmittedCase): boolean => status === 'failed' || status === 'timedOut';

describe('a story', () => {
  it('is the same for the same seed and another for another', () => {
    expect(JSON.stringify(tell().run(3))).toBe(JSON.stringify(tell().run(3)));
    expect(JSON.stringify(tell().run(3))).not.toBe(JSON.stringify(tell({ seed: 6 }).run(3)));
    expect(tell().run(3).testCases).not.toEqual(tell({ projectName: 'another' }).run(3).testCases);
  });

  it('tells a run the same, whatever was told before', () => {
    const story = tell({ details: 'full' });
    for (const n of [9, 2, 40, 5]) story.run(n);
    expect(JSON.stringify(story.run(5))).toBe(JSON.stringify(tell({ details: 'full' }).run(5)));
    expect(tell().run(100_000).testCases!.length).toBeGreaterThanOrEqual(150);
  });

  it('is valid, with counts and a status that match the cases', () => {
    for (const run of usual) {
      expect(schema.Check(run)).toBe(true);
      expect(run).toMatchObject(pickCounts(run.testCases!));
      expect(run.status).toBe(run.failedTests! > 0 ? 'failed' : 'passed');
    }
  });

  it('has every test once, and a few that come and go', () => {
    const seen = usual.map(({ testCases }) => new Set(testCases!.map(identity)));
    for (const [n, tests] of seen.entries()) {
      expect(tests.size).toBe(usual[n]!.testCases!.length);
      expect(tests.size).toBeGreaterThanOrEqual(150);
      expect(tests.size).toBeLessThanOrEqual(160);
    }
    const first = seen[0]!;
    const last = seen.at(-1)!;
    expect([...last].some((test) => !first.has(test))).toBe(true);
    expect([...first].some((test) => !last.has(test))).toBe(true);
    expect([...first].filter((test) => last.has(test)).length).toBeGreaterThanOrEqual(150);
  });

  it('follows its interval', () => {
    expect(usual[0]!.startTime).toBe('2025-01-06T09:00:00.000Z');
    expect(usual[30]!.startTime).toBe('2025-01-07T15:00:00.000Z');
  });

  it('has flaky tests of differing rates, which sometimes fail outright', () => {
    const flaky = new Map<string, number>();
    for (const testCase of cases) {
      if (isFlaky(testCase.status, testCase.retries!)) {
        flaky.set(identity(testCase), (flaky.get(identity(testCase)) ?? 0) + 1);
      }
    }
    expect(flaky.size).toBeGreaterThan(3);
    expect(new Set(flaky.values()).size).toBeGreaterThan(2);
    const outright = cases.filter((testCase) => isBroken(testCase) && flaky.has(identity(testCase)));
    expect(outright.length).toBeGreaterThan(0);
  });

  it('breaks several tests for one cause and mends them later', () => {
    const spans = new Map<string, { runs: Set<number>; tests: Set<string> }>();
    for (const [n, { branch, testCases }] of usual.entries()) {
      if (branch !== 'main') continue;
      for (const testCase of testCases!.filter(isBroken)) {
        const cause = causeOf(testCase.error!);
        const span = spans.get(cause) ?? { runs: new Set(), tests: new Set() };
        span.runs.add(n);
        span.tests.add(identity(testCase));
        spans.set(cause, span);
      }
    }
    const shared = [...spans.values()].filter(
      ({ runs, tests }) => tests.size >= 3 && runs.size >= 2 && Math.max(...runs) < RUNS - 5,
    );
    expect(shared.length).toBeGreaterThanOrEqual(2);
  });

  it('has outages in which about a third of the tests cannot connect', () => {
    const shares = usual.map(
      ({ testCases }) =>
        testCases!.filter(({ error }) => error?.includes('ERR_CONNECTION_REFUSED')).length / testCases!.length,
    );
    const outages = shares.filter((share) => share > 0);
    expect(outages.length).toBeGreaterThan(0);
    for (const share of outages) expect(Math.abs(share - 1 / 3)).toBeLessThan(0.12);
  });

  it('has every status', () => {
    const statuses = new Set(
      runsOf(tell({ domain: 'shop', temperament: 'flaky' })).flatMap(({ testCases }) =>
        testCases!.map(({ status }) => status),
      ),
    );
    expect(statuses).toEqual(new Set(['failed', 'interrupted', 'passed', 'skipped', 'timedOut']));
  });

  it('has tests that get slower, and some that get faster at once', () => {
    const series = new Map<string, number[]>();
    for (const testCase of cases) {
      if (testCase.status !== 'passed') continue;
      series.set(identity(testCase), [...(series.get(identity(testCase)) ?? []), testCase.duration!]);
    }
    const change = [...series.values()]
      .filter((durations) => durations.length > 90)
      .map((durations) => mean(durations.slice(-10)) / mean(durations.slice(0, 10)));
    expect(Math.max(...change)).toBeGreaterThan(1.3);
    expect(Math.min(...change)).toBeLessThan(0.6);
    expect(change.filter((ratio) => Math.abs(ratio - 1) < 0.2).length).toBeGreaterThan(change.length * 0.8);
  });

  it('moves lines now and then', () => {
    const locations = new Set(cases.filter(({ title }) => title === cases[0]!.title).map(({ location }) => location));
    expect(locations.size).toBeGreaterThan(1);
    expect(locations.size).toBeLessThan(10);
  });

  it('has the same titles in several browsers', () => {
    const run = tell({ domain: 'shop', browsers: ['chromium', 'firefox', 'webkit'] }).run(0);
    const browsers = run
      .testCases!.filter(({ title }) => title === run.testCases![0]!.title)
      .map(({ browser }) => browser);
    expect(browsers).toEqual(['chromium', 'firefox', 'webkit']);
    for (const name of browsers) {
      expect(run.testCases!.filter(({ browser }) => browser === name)).toHaveLength(run.testCases!.length / 3);
    }
  });

  it('names branch, commit, author and CI', () => {
    const branches = usual.map(({ branch }) => branch);
    expect(branches.filter((branch) => branch === 'main').length).toBeGreaterThan(RUNS * 0.55);
    expect(new Set(branches).size).toBeGreaterThan(5);
    const onBranch = usual.find(({ branch }) => branch !== 'main')!;
    expect(onBranch.metadata).toEqual({
      scm: {
        branch: onBranch.branch,
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
        author: expect.any(String),
        message: expect.stringMatching(/^\w+\([\w-]+\): ./),
        pullRequest: expect.any(Number),
      },
      ci: { provider: expect.any(String), job: expect.any(String), url: expect.stringMatching(/^https:/) },
    });
  });

  it('is as large as asked for, with distinct tests', () => {
    const run = tell({ tests: 50_000 }).run(0);
    expect(new Set(run.testCases!.map(identity)).size).toBe(run.testCases!.length);
    expect(run.testCases!.length).toBeGreaterThanOrEqual(50_000);
    expect(tell({ tests: 1 }).run(4).testCases).toHaveLength(1);
    expect(() => tell({ tests: 0 })).toThrow(RangeError);
    expect(() => tell({ tests: 50_001 })).toThrow(RangeError);
    expect(() => tell().run(-1)).toThrow(RangeError);
  });
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const pickCounts = (testCases: readonly SubmittedCase[]) => {
  const { totalTests, passedTests, failedTests, skippedTests } = runFigures(testCases);
  return { totalTests, passedTests, failedTests, skippedTests };
};
