import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Submission, SubmittedCase } from '@assay/contract';
import { draws } from '@assay/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../server.ts';
import { compareComparison, compareProject, compareTest, compareTestCase, compareWindows } from './compare.ts';
import {
  type ModelRun,
  createModel,
  liveRuns,
  recordCleanup,
  recordDeletion,
  recordSubmission,
  resultsByTest,
} from './model.ts';

/** Enough for summaries of 16 and of 256 runs, and more after them; `npm run explore` has two of 256. */
const RUNS = draws(360, 600);
const EVERY_NTH_TEST = draws(3, 1);
const HOUR_MS = 3_600_000;
const FIRST_START_MS = Date.now() - 6 * RUNS * HOUR_MS - 3 * HOUR_MS;

/** The same numbers in every execution (mulberry32). */
const createRandom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const random = createRandom(20_260_301);
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;

const result = (title: string): SubmittedCase => {
  const status = pick(['passed', 'passed', 'passed', 'failed', 'skipped', 'timedOut', 'quarantined']);
  return {
    title,
    status,
    location: `tests/${title.slice(0, 3)}.spec.ts:${random(40)}:1`,
    duration: pick([null, random(4_000) / 4, random(400_000) / 4]),
    retries: random(3),
    error: status === 'passed' ? null : pick(['Boom', 'Timeout 5000ms exceeded', `Error ${random(1_000)}`]),
  };
};

/** Run n of the history: it starts six hours after the one before it, and every eighth at the same instant. */
const nthRun = (n: number): Submission => {
  const titles = ['always', `every ${n % 2 === 0 ? 'even' : 'odd'} run`, `one of twelve: ${random(12)}`];
  if (random(4) === 0) titles.push('always');
  if (n >= 3 && n <= 10) titles.push('only in runs 3 to 10');
  if (n % 100 === 0) titles.push('every 100 runs');
  if (n >= 250 && n < 290) titles.push(`for a while: ${n % 5}`);
  const startMs = FIRST_START_MS + 6 * HOUR_MS * (n % 8 === 7 ? n - 1 : n);
  return {
    projectName: 'long',
    status: pick(['passed', 'failed']),
    startTime: new Date(startMs).toISOString(),
    duration: pick([null, random(100_000) / 4]),
    branch: pick(['main', 'feature', null]),
    testCases: titles.map(result),
  };
};

/** Most runs arrive in the order of their start, some much later. */
const arrivals = (): number[] => {
  const places = Array.from({ length: RUNS }, (_, n) => ({ n, at: n + (random(10) === 0 ? random(120) : 0) }));
  return places.toSorted((a, b) => a.at - b.at || a.n - b.n).map(({ n }) => n);
};

describe(`a history of ${RUNS} runs`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-history-'));
  const model = createModel();
  const runs = new Map<number, ModelRun>();
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ dataDir });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const submit = async (n: number): Promise<void> => {
    const body = nthRun(n);
    runs.set(n, recordSubmission(model, body, await server.client.submitRun({ body })));
  };

  const remove = async (numbers: readonly number[]): Promise<void> => {
    for (const n of numbers) {
      const run = runs.get(n)!;
      if (run.deleted) continue;
      await server.client.deleteRun({ params: { id: run.id } });
      recordDeletion(model, run);
    }
  };

  let compared = 0;

  /** The reads of the project, and of some tests, others each time, their oldest, their newest and one more result. */
  const compare = async (withWindows = true): Promise<void> => {
    const project = model.projects[0]!;
    await compareProject(server.client, model, project);
    if (withWindows) await compareWindows(server.client, model, project);
    const tests = [...resultsByTest(liveRuns(model, project))];
    compared += 1;
    for (const [testId, results] of tests.filter((_, nth) => (nth + compared) % EVERY_NTH_TEST === 0)) {
      await compareTest(server.client, model, project, testId, pick([3, 100]));
      for (const { run, index } of new Set([results[0]!, results.at(-1)!, pick(results)])) {
        await compareTestCase(server.client, model, run, index);
      }
    }
    const live = liveRuns(model, project);
    for (const run of new Set([live[0], live[live.length >> 1], live.at(-1)])) {
      if (run) await compareComparison(server.client, model, run);
    }
  };

  const titles = async (): Promise<string[]> =>
    (await server.client.listTests({ params: { id: model.projects[0]!.id } })).map(({ title }) => title);

  it('reads as the model does while it grows', async () => {
    for (const [count, n] of arrivals().entries()) {
      if ([17, 257, 512].includes(count)) await compare(false);
      await submit(n);
    }
    await compare();
    expect(await titles()).toEqual(expect.arrayContaining(['only in runs 3 to 10', 'every 100 runs']));
  });

  it('after scattered runs, 20 neighbours and all but one of a stretch were deleted', async () => {
    await remove([3, 5, 6, 8, 9, 200, RUNS - 1]);
    await remove(Array.from({ length: 30 }, () => 11 + random(RUNS - 11)));
    await remove(Array.from({ length: 20 }, (_, nth) => 255 + nth));
    await remove(Array.from({ length: 40 }, (_, nth) => 300 + nth).filter((n) => n !== 317));
    await compare();
  });

  it('after more runs arrived, some of them older than all others', async () => {
    for (const n of [RUNS, RUNS + 1, -3, 7, 150, 264, RUNS - 1, -1]) await submit(n);
    await compare();
  });

  it('after a restart', async () => {
    await server.stop();
    server = await startTestServer({ dataDir });
    await compare();
  });

  it('after a cleanup, which takes the tests along that ran only in old runs', async () => {
    expect(await titles()).toContain('only in runs 3 to 10');
    const olderThanDays = 60;
    const { deletedRuns } = await server.client.cleanUp({ body: { olderThanDays } });
    expect(deletedRuns).toBe(recordCleanup(model, olderThanDays, Date.now()));
    expect(deletedRuns).toBeGreaterThan(100);
    await compare();
    expect(await titles()).not.toContain('only in runs 3 to 10');
  });

  it('after everything was deleted', async () => {
    await server.client.cleanUp({ body: { olderThanDays: 1 } });
    recordCleanup(model, 1, Date.now());
    await remove([...runs.keys()]);
    await compare();
    expect(await titles()).toEqual([]);
  });
});
