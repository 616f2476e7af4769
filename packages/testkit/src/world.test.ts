import { Submission } from '@assay/contract';
import { Compile } from 'typebox/compile';
import { beforeAll, describe, expect, it } from 'vitest';
import { createWorld } from './world.ts';

const UNTIL = Date.UTC(2025, 5, 18, 15);
const DAY_MS = 86_400_000;

interface Glimpse {
  readonly project: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly results: number;
  readonly failed: number;
  readonly flaky: number;
  readonly branch: string;
}

const glimpse = (run: Submission): Glimpse => {
  const startTime = Date.parse(run.startTime);
  return {
    project: run.projectName,
    startTime,
    endTime: startTime + run.duration!,
    results: run.testCases!.length,
    failed: run.failedTests!,
    flaky: run.testCases!.filter(({ status, retries }) => status === 'passed' && retries! > 0).length,
    branch: run.branch!,
  };
};

describe('the default world', { timeout: 60_000 }, () => {
  let runs: Glimpse[] = [];
  const of = (project: string) => runs.filter((run) => run.project === project);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

  beforeAll(() => {
    runs = createWorld({ seed: 1, until: UNTIL, details: 'none' }).submissions().map(glimpse).toArray();
  });

  it('is of a size that loads quickly', () => {
    expect(runs.length).toBeGreaterThanOrEqual(700);
    expect(runs.length).toBeLessThanOrEqual(1_100);
    expect(sum(runs.map(({ results }) => results))).toBeLessThanOrEqual(150_000);
  });

  it('is in chronological order and over just before its end', () => {
    const times = runs.map(({ startTime }) => startTime);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(UNTIL - 60 * DAY_MS);
    expect(times.at(-1)).toBeGreaterThan(UNTIL - 3_600_000);
    expect(Math.max(...runs.map(({ endTime }) => endTime))).toBeLessThan(UNTIL);
  });

  it('works by day more than by night and on weekends', () => {
    const working = runs.filter(({ startTime }) => {
      const date = new Date(startTime);
      return date.getUTCDay() % 6 !== 0 && date.getUTCHours() >= 8 && date.getUTCHours() < 18;
    });
    expect(working.length).toBeGreaterThan(runs.length * 0.6);
  });

  it('has one project that has been red for a few runs on main', () => {
    const latest = of('back-office').slice(-9);
    expect(latest.map(({ branch }) => branch)).toEqual(Array.from({ length: 9 }, () => 'main'));
    expect(latest.map(({ failed }) => failed > 0)).toEqual([
      ...[0, 0, 0, 0].map(() => false),
      ...[1, 1, 1, 1, 1].map(() => true),
    ]);
    const red = new Set(runs.map(({ project }) => project))
      .values()
      .filter((project) => of(project).at(-1)!.failed > 0);
    expect([...red]).toEqual(['back-office', 'storefront']);
  });

  it('ends with one project newly broken and one just mended', () => {
    expect(
      of('storefront')
        .slice(-2)
        .map(({ failed }) => failed > 0),
    ).toEqual([false, true]);
    expect(
      of('mobile-api')
        .slice(-2)
        .map(({ failed }) => failed > 0),
    ).toEqual([true, false]);
  });

  it('has a spotless project, a flaky one and a quiet one', () => {
    expect(sum(of('design-system').map(({ failed, flaky }) => failed + flaky))).toBe(0);
    expect(sum(of('mobile-api').map(({ flaky }) => flaky))).toBeGreaterThan(of('mobile-api').length * 5);
    expect(of('legacy-portal').at(-1)!.startTime).toBeLessThan(UNTIL - 20 * DAY_MS);
  });
});

describe('a world', () => {
  const small = (details?: 'none') => createWorld({ seed: 2, until: UNTIL, days: 6, scale: 0.2, details });

  it('is valid, and the same for the same seed', () => {
    const schema = Compile(Submission);
    const runs = small().submissions().toArray();
    expect(runs.every((run) => schema.Check(run))).toBe(true);
    expect(JSON.stringify(small().submissions().toArray())).toBe(JSON.stringify(runs));
  });

  it('is the same with and without details', () => {
    const [bare, full] = [small('none'), small()].map((world) => world.submissions().toArray());
    expect(bare!.map(glimpse)).toEqual(full!.map(glimpse));
    expect(full!.flatMap(({ testCases }) => testCases!)).toMatchObject(bare!.flatMap(({ testCases }) => testCases!));
    expect(full!.some(({ testCases }) => testCases!.some(({ steps }) => steps))).toBe(true);
  });

  it('tells the same runs through its projects', () => {
    const world = small();
    const [first] = world.submissions();
    expect(world.projects.find(({ projectName }) => projectName === first!.projectName)!.run(0)).toEqual(first);
  });

  it('has a project with browsers', () => {
    const browsers = new Set(
      small()
        .projects[0]!.run(0)
        .testCases!.map(({ browser }) => browser),
    );
    expect(browsers).toEqual(new Set(['chromium', 'firefox', 'webkit']));
  });

  it('goes on for as long as it is asked', () => {
    const world = small();
    const next = Array.from({ length: 40 }, (_, n) => world.next(n, UNTIL + n * 60_000));
    expect(new Set(next.map(({ commit }) => commit)).size).toBe(40);
    expect(new Set(next.map(({ projectName }) => projectName)).size).toBe(5);
    expect(next[7]!.startTime).toBe('2025-06-18T15:07:00.000Z');
    expect(small().next(31, UNTIL)).toEqual(world.next(31, UNTIL));
    const told = new Set(world.submissions().map(({ commit }) => commit));
    expect(next.some(({ commit }) => told.has(commit))).toBe(false);
  });
});
