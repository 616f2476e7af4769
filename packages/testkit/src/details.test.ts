import { Submission } from '@assay/contract';
import type { SubmittedCase, SubmittedStep } from '@assay/contract';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { createStory } from './story.ts';

const DETAILS = new Set([
  'startTime',
  'lane',
  'steps',
  'slowestStep',
  'slowestStepDuration',
  'networkRequests',
  'webVitals',
  'console',
  'annotations',
  'attempts',
]);

const tell = (details: 'none' | 'full') =>
  createStory({
    seed: 5,
    projectName: 'webshop',
    tests: 120,
    details,
    domain: 'shop',
    browsers: [],
    temperament: 'flaky',
    firstRunAt: Date.UTC(2025, 0, 6),
    intervalMs: 3_600_000,
  });

const runs = Array.from({ length: 20 }, (_, n) => tell('full').run(n));
const cases = runs.flatMap(({ testCases }) => testCases!);

const flatten = (steps: readonly SubmittedStep[]): SubmittedStep[] =>
  steps.flatMap((step) => [step, ...flatten(step.steps ?? [])]);

const without = (testCase: SubmittedCase) =>
  Object.fromEntries(Object.entries(testCase).filter(([field]) => !DETAILS.has(field)));

describe('details', () => {
  it('are valid, and only added to what is told without them', () => {
    const schema = Compile(Submission);
    for (const [n, run] of runs.entries()) {
      expect(schema.Check(run)).toBe(true);
      const plain = tell('none').run(n);
      expect({ ...run, testCases: run.testCases!.map(without) }).toEqual(plain);
    }
  });

  it('have workers that run one test after the other, within the run', () => {
    for (const { startTime, duration, testCases } of runs) {
      const endOfLane = new Map<number, number>();
      for (const testCase of testCases!) {
        const attempts = (testCase.attempts ?? [testCase]) as { duration: number }[];
        const began = Date.parse(testCase.startTime as string);
        expect(began).toBeGreaterThanOrEqual(endOfLane.get(testCase.lane!) ?? Date.parse(startTime));
        endOfLane.set(
          testCase.lane!,
          attempts.reduce((end, attempt) => end + attempt.duration, began),
        );
      }
      expect([...endOfLane.keys()].sort()).toEqual([0, 1, 2]);
      expect(Math.max(...endOfLane.values())).toBeLessThanOrEqual(Date.parse(startTime) + duration!);
    }
  });

  it('have steps whose durations add up to at most that of the case', () => {
    const addUp = (steps: readonly SubmittedStep[], total: number): void => {
      expect(steps.reduce((sum, { duration }) => sum + duration!, 0)).toBeLessThanOrEqual(total);
      for (const step of steps) if (step.steps) addUp(step.steps, step.duration!);
    };
    for (const { steps, duration } of cases) if (steps) addUp(steps, duration!);
    const categories = new Set(cases.flatMap(({ steps }) => flatten(steps ?? [])).map(({ category }) => category));
    expect(categories).toEqual(new Set(['expect', 'fixture', 'hook', 'pw:api', 'test.step']));
  });

  it('name the slowest step, which waited when the case failed', () => {
    for (const { steps, slowestStep, slowestStepDuration, status } of cases) {
      if (!steps) continue;
      const leaves = flatten(steps).filter((step) => !step.steps);
      expect(slowestStepDuration).toBe(Math.max(...leaves.map(({ duration }) => duration!)));
      expect(leaves.map(({ title }) => title)).toContain(slowestStep);
      expect(leaves.some(({ error }) => error !== undefined)).toBe(status !== 'passed');
    }
  });

  it('have requests of every sort', () => {
    const requests = cases.flatMap(({ networkRequests }) => networkRequests ?? []);
    const types = new Set(requests.map(({ resourceType }) => resourceType));
    expect(types).toEqual(new Set(['document', 'fetch', 'font', 'image', 'script', 'stylesheet']));
    const statuses = new Set(requests.map(({ status }) => Math.floor(status! / 100)));
    expect(statuses).toEqual(new Set([0, 2, 3, 4, 5]));
    expect(requests.some(({ url }) => url.includes('?'))).toBe(true);
    expect(
      requests.some(({ url }) => /\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/.test(url)),
    ).toBe(true);
  });

  it('have vitals of pages in a plausible order', () => {
    const measured = cases.flatMap(({ webVitals }) => webVitals ?? []);
    expect(measured.length).toBeGreaterThan(100);
    for (const { navigation, paint, lcp } of measured) {
      expect(navigation).toMatchObject({ url: expect.stringMatching(/^https:/), ttfb: expect.any(Number) });
      expect(paint!.firstContentfulPaint).toBeGreaterThanOrEqual(paint!.firstPaint!);
      expect(lcp).toBeGreaterThan(paint!.firstPaint!);
    }
  });

  it('have all attempts of what was retried or failed', () => {
    const tried = cases.filter(({ retries, status }) => retries! > 0 || !['passed', 'skipped'].includes(status));
    expect(cases.filter(({ attempts }) => attempts)).toEqual(tried);
    for (const { attempts, retries, status } of tried) {
      expect(attempts).toHaveLength(retries! + 1);
      expect(attempts!.at(-1)).toEqual(expect.objectContaining({ retry: retries, status }));
    }
  });
});
