import type { FlakyTest, RunWindow } from '@assay/contract';
import { beforeAll, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

/** P, K or F of each test in each run, or a point where it is not there: `{ pays: '.PKF' }`. */
type Story = Readonly<Record<string, string>>;

const OUTCOMES: Readonly<Record<string, { status: string; retries: number }>> = {
  P: { status: 'passed', retries: 0 },
  K: { status: 'passed', retries: 1 },
  F: { status: 'failed', retries: 0 },
};

const tell = async (
  story: Story,
  { everyMinutes = 1, commit = null }: { readonly everyMinutes?: number; readonly commit?: string | null } = {},
): Promise<{ readonly id: number; readonly tests: readonly FlakyTest[]; readonly window: RunWindow }> => {
  const projectName = newName();
  let id = 0;
  const runs = Object.values(story)[0]!.length;
  for (let run = 0; run < runs; run++) {
    const testCases = Object.entries(story)
      .filter(([, letters]) => letters[run] !== '.')
      .map(([title, letters]) => testCase({ title, ...OUTCOMES[letters[run]!]! }));
    const body = submission({ projectName, commit, startTime: minute(run * everyMinutes), testCases });
    ({ projectId: id } = await server.client.submitRun({ body }));
  }
  const params = { id };
  return {
    id,
    tests: await server.client.listFlakyTests({ params }),
    window: await server.client.getWindow({ params }),
  };
};

const quiet = (runs: number, count: number): Story =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`quiet ${at}`, 'P'.repeat(runs)]));

const titlesOf = (tests: readonly FlakyTest[]): string[] => tests.map(({ title }) => title);

it('a rate is estimated from all tests of the project, with the span in which it lies', async () => {
  const { tests } = await tell({ ...quiet(30, 20), often: 'PPK'.repeat(10), once: `${'P'.repeat(29)}K` });
  expect(titlesOf(tests)).toEqual(['often', 'once']);
  const [often, once] = tests.map(({ model }) => model);
  expect(often!.rate).toBeGreaterThan(0.2);
  expect(often!.rate).toBeLessThan(0.4);
  expect(often!.low).toBeGreaterThan(0.1);
  expect(often!.probability).toBeGreaterThan(0.99);
  expect(once!.low).toBeLessThan(1 / 30);
  expect(once!.high).toBeGreaterThan(1 / 30);
  expect(once!.probability).toBeLessThan(often!.probability);
});

it('those come first that make most runs red, and pages go on where they ended', async () => {
  const { id, tests } = await tell(
    {
      ...quiet(30, 20),
      retried: 'PPK'.repeat(10),
      red: 'PPF'.repeat(10),
      seldom: `${'P'.repeat(15)}F${'P'.repeat(14)}`,
    },
    { commit: 'c0ffee' },
  );
  expect(titlesOf(tests)).toEqual(['red', 'retried', 'seldom'].toSorted(byReds(tests)));
  expect(tests[0]!.title).toBe('red');
  const pages: string[] = [];
  let address = `/api/projects/${id}/flaky-tests?limit=1`;
  while (address !== '') {
    const response = await fetch(new URL(address, server.url));
    pages.push(...titlesOf((await response.json()) as FlakyTest[]));
    address = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  }
  expect(pages).toEqual(titlesOf(tests));
});

const byReds =
  (tests: readonly FlakyTest[]) =>
  (a: string, b: string): number =>
    redsOf(tests, b) - redsOf(tests, a);

const redsOf = (tests: readonly FlakyTest[], title: string): number =>
  tests.find((test) => test.title === title)!.model.falseRedsPerWeek;

it('more flaky tests make more runs red, also where nothing was red yet', async () => {
  const { tests } = await tell({
    ...quiet(40, 20),
    a: 'PPPPPPPPPK'.repeat(4),
    b: 'PK'.repeat(20),
    c: 'PPPPK'.repeat(8),
  });
  expect(titlesOf(tests)).toEqual(['b', 'c', 'a']);
  expect(tests[0]!.model.falseRedsPerWeek).toBeGreaterThan(1);
});

it('false reds go by the runs of a week, and runs of less than one are not taken for all of them', async () => {
  const story = { ...quiet(20, 5), test: 'PPPK'.repeat(5) };
  const [seldom, often] = [await tell(story, { everyMinutes: 60 * 24 }), await tell(story)];
  expect(often.tests[0]!.model.rate).toBe(seldom.tests[0]!.model.rate);
  const ratio = often.tests[0]!.model.falseRedsPerWeek / seldom.tests[0]!.model.falseRedsPerWeek;
  expect(ratio).toBeCloseTo(19 / 7, 1);
});

it('a run in which everything is flaky says nothing of single tests, and is told', async () => {
  const usual = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`test ${at}`, `${'P'.repeat(20)}K`]));
  const { tests, window } = await tell({ ...usual, real: 'PPK'.repeat(7) });
  expect(window.outages).toHaveLength(1);
  expect(window.outages[0]!.id).toBe(window.lastRun!.id);
  expect(tests).toHaveLength(21);
  const [first, ...others] = tests;
  expect(first!.title).toBe('real');
  for (const { model, flakyRuns } of others) {
    expect(flakyRuns).toBe(1);
    expect(model.rate).toBeLessThan(0.02);
    expect(model.probability).toBeLessThan(0.3);
  }
});

it('a few runs are not told apart as outages', async () => {
  const { window } = await tell({ a: 'PPK', b: 'PPK', c: 'PPK', d: 'PPK', e: 'PPK', f: 'PPK' });
  expect(window.outages).toEqual([]);
});

it('a test that was mended makes fewer runs red than one that was not', async () => {
  const [early, late] = [`${'PK'.repeat(20)}${'P'.repeat(60)}`, `${'P'.repeat(60)}${'PK'.repeat(20)}`];
  const { tests } = await tell({ ...quiet(100, 10), early, late, other: early, another: late });
  expect(tests.map(({ flakyRuns }) => flakyRuns)).toEqual([20, 20, 20, 20]);
  expect(new Set(titlesOf(tests).slice(0, 2))).toEqual(new Set(['late', 'another']));
  expect(tests[3]!.model.rate).toBeLessThan(tests[0]!.model.rate / 4);
});

it('of a test that ran in an outage only, hardly anything is known', async () => {
  const usual = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`test ${at}`, `${'P'.repeat(20)}K`]));
  const { tests } = await tell({ ...usual, young: `${'.'.repeat(20)}K` });
  const { model, totalRuns } = tests.find(({ title }) => title === 'young')!;
  expect(totalRuns).toBe(1);
  expect(model).toMatchObject({ low: 0 });
  expect(model.high).toBeGreaterThan(model.rate);
});
