import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Submission, runFigures } from '@assay/contract';
import { createRandom, draws } from '@assay/testkit';
import { expect, it } from 'vitest';
import { minute, richCase, testCase } from '../conformance/build.ts';
import {
  type StartedService,
  newFolder,
  spawnService,
  stagedFiles,
  startServiceProcess,
  until,
} from './service-process.ts';

const SEED = process.env['ROBUSTNESS_SEED'] ?? process.env['ASSAY_SEED'] ?? 'crash';
const CLIENTS = 5;
const PROJECTS = ['shop', 'office', 'mobile'];
/** After how many answers of the round the process is killed; a random pause of at most so many ms comes on top. */
const ROUNDS = [
  { answers: 0, pauseMs: 30 },
  { answers: 30, pauseMs: 10 },
  { answers: 12, pauseMs: 10 },
  { answers: 0, pauseMs: 0 },
  { answers: 2, pauseMs: 5 },
  { answers: 25, pauseMs: 40 },
].slice(0, draws(2, 6));

interface Sent {
  readonly body: Submission;
  /** The run that the service answered, when it did. */
  runId: number | null;
}

const random = createRandom(SEED);

const buildRun = (n: number): Submission => {
  const draw = random.fork(n);
  const first = draw.integer(0, 150);
  // Some are so large that they go through a file.
  const error = draw.chance(0.1) ? 'x'.repeat(300_000) : 'Error: no';
  const testCases = Array.from({ length: draw.integer(0, 40) }, (_, index) => {
    const place = { title: `test ${first + index}`, location: `tests/${(first + index) % 9}.spec.ts:${index + 1}:3` };
    if (draw.chance(0.2)) return richCase({ ...place, browser: null, error });
    return testCase({ ...place, status: draw.pick(['passed', 'failed', 'skipped']), retries: draw.integer(0, 1) });
  });
  const runKey = `run ${n}`;
  const projectName = draw.pick(PROJECTS);
  return { projectName, runKey, status: 'failed', startTime: minute(n), testCases, metadata: { runKey } };
};

const casesOf = ({ body }: Sent) => body.testCases ?? [];
const keyOf = (run: { metadata?: unknown }): string => (run.metadata as { runKey: string }).runKey;

/** Submits without a pause until the process is gone. */
const submitUntilKilled = async (service: StartedService, next: () => Sent, answered: () => void): Promise<void> => {
  for (;;) {
    const sent = next();
    try {
      const { testRunId } = await service.client.submitRun({ body: sent.body });
      sent.runId = testRunId;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      return;
    }
    answered();
  }
};

const killDuringStart = async (dataDir: string, when: () => Promise<void>): Promise<void> => {
  await using service = spawnService({ PORT: '0', SERVICE_DATA_DIR: dataDir });
  await when();
  service.signal('SIGKILL');
};

/** Every stored run, by its key, and that each is whole: nothing is missing from it anywhere. */
const expectWhole = async (
  { client }: StartedService,
  all: ReadonlyMap<string, Sent>,
  seenWhole: Set<string>,
): Promise<Map<string, number>> => {
  const stored = new Map<string, number>();
  let tests = 0;
  let results = 0;
  const projects = await client.listProjects();
  for (const project of projects) {
    const params = { id: project.id };
    const { testRuns } = await client.getProject({ params });
    const identities = new Set<string>();
    let projectResults = 0;
    for (const run of testRuns) {
      const key = keyOf(await client.getRun({ params: { id: run.id }, query: { details: false, limit: 1 } }));
      expect(stored.has(key), key).toBe(false);
      stored.set(key, run.id);
      const sent = all.get(key)!;
      expect(project.name).toBe(sent.body.projectName);
      if (!seenWhole.has(key)) await expectRunWhole(client, run.id, sent);
      seenWhole.add(key);
      projectResults += casesOf(sent).length;
      for (const { title, location } of casesOf(sent)) identities.add(`${title} ${location!.split(':')[0]}`);
    }
    expect(project).toMatchObject({ totalRuns: testRuns.length, totalTestCases: identities.size });
    const listed = await client.listTests({ params });
    expect(listed).toHaveLength(identities.size);
    expect(listed.reduce((sum, test) => sum + test.totalRuns, 0)).toBe(projectResults);
    tests += identities.size;
    results += projectResults;
  }
  expect(await client.getStats()).toMatchObject({
    totalProjects: projects.length,
    totalRuns: stored.size,
    totalTestCases: tests,
    totalRunsCases: results,
  });
  for (const [key, { runId }] of all) if (runId !== null) expect(stored.get(key), key).toBe(runId);
  return stored;
};

const expectRunWhole = async (client: StartedService['client'], id: number, sent: Sent): Promise<void> => {
  const run = await client.getRun({ params: { id } });
  const cases = casesOf(sent);
  expect(run).toMatchObject(runFigures(cases));
  expect(run.testCases.map(({ title, error, steps }) => ({ title, error, steps: steps?.length }))).toEqual(
    cases.map(({ title, error, steps }) => ({ title, error: error ?? null, steps: steps?.length ?? 0 })),
  );
  const detailed = cases.findLastIndex((one) => one.steps);
  const requests = await client.listRunRequests({ params: { id } });
  const requestCount = cases.reduce((sum, one) => sum + (one.networkRequests?.length ?? 0), 0);
  expect(requests.reduce((sum, group) => sum + group.count, 0)).toBe(requestCount);
  if (detailed < 0) return;
  const { steps, networkRequests, annotations, metadata } = cases[detailed]!;
  const found = await client.getTestCase({ params: { id: run.testCases[detailed]!.id } });
  expect(found).toMatchObject({ steps, networkRequests, annotations, metadata });
};

it(`what was answered survives a kill at any moment, and every run that is there is whole (seed ${SEED})`, async () => {
  using folder = newFolder();
  const databaseFile = join(folder.path, 'assay.db');
  await killDuringStart(folder.path, () => until('it makes its database', () => existsSync(databaseFile)));
  await killDuringStart(folder.path, () => delay(random.fork('start').integer(0, 400)));

  const all = new Map<string, Sent>();
  const seenWhole = new Set<string>();
  const next = (): Sent => {
    const sent: Sent = { body: buildRun(all.size), runId: null };
    all.set(`run ${all.size}`, sent);
    return sent;
  };
  for (const [round, { answers, pauseMs }] of ROUNDS.entries()) {
    await using service = await startServiceProcess(folder.path);
    expect(stagedFiles(folder.path)).toEqual([]);
    await expectWhole(service, all, seenWhole);
    let left = answers;
    const enough = Promise.withResolvers<void>();
    const answered = (): void => (--left <= 0 ? enough.resolve() : undefined);
    const clients = Array.from({ length: CLIENTS }, () => submitUntilKilled(service, next, answered));
    if (answers > 0) await enough.promise;
    await delay(random.fork(`pause ${round}`).integer(0, pauseMs));
    service.signal('SIGKILL');
    await Promise.all(clients);
  }

  await using service = await startServiceProcess(folder.path);
  seenWhole.clear();
  const stored = await expectWhole(service, all, seenWhole);
  const again = all.entries();
  const resubmit = async (): Promise<void> => {
    for (const [key, sent] of again) {
      const { testRunId } = await service.client.submitRun({ body: sent.body });
      if (stored.has(key)) expect(testRunId, key).toBe(stored.get(key));
      sent.runId = testRunId;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, resubmit));
  expect((await expectWhole(service, all, seenWhole)).size).toBe(all.size);
});
