import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

interface Sent {
  readonly branch?: string | null;
  readonly commit?: string;
  readonly base?: string;
  /** By title: P passed, F failed, S skipped. */
  readonly tests: Readonly<Record<string, 'P' | 'F' | 'S'>>;
}

const STATUSES = { P: 'passed', F: 'failed', S: 'skipped' };

/** Sends runs a minute apart; what the last one is told. */
const compareLast = async (...runs: readonly Sent[]) => {
  const projectName = newName();
  const runIds: number[] = [];
  for (const [at, { branch = 'main', commit = null, base, tests }] of runs.entries()) {
    const testCases = Object.entries(tests).map(([title, letter]) => testCase({ title, status: STATUSES[letter] }));
    const metadata = base === undefined ? undefined : { scm: { baseCommit: base } };
    const body = submission({
      projectName,
      branch,
      commit,
      metadata,
      status: 'failed',
      startTime: minute(at),
      testCases,
    });
    runIds.push((await server.client.submitRun({ body })).testRunId);
  }
  const comparison = await server.client.compareRun({ params: { id: runIds.at(-1)! } });
  const placeOf = (id: number | undefined): number | null => (id === undefined ? null : runIds.indexOf(id));
  return {
    against: placeOf(comparison.defaultRun?.id),
    by: comparison.defaultRunBy,
    failures: comparison.failures.map(({ title, isNew, onDefault }) =>
      [title, isNew ? 'new' : 'old', onDefault?.outcome, placeOf(onDefault?.failingSince?.id)].join(' '),
    ),
    fixedHere: comparison.fixedHere.map(({ title }) => title),
    shared: comparison.sharedTests,
  };
};

describe('a run of another branch', () => {
  it('breaks what passes on main', async () => {
    expect(await compareLast({ tests: { a: 'P' } }, { branch: 'mine', tests: { a: 'F' } })).toMatchObject({
      against: 0,
      by: 'time',
      failures: ['a new passed '],
    });
  });

  it('did not break what has failed on main for a while', async () => {
    const main = { tests: { a: 'F' } } as const;
    expect(
      await compareLast(
        { tests: { a: 'P' } },
        main,
        main,
        { branch: 'mine', tests: { a: 'P' } },
        { branch: 'mine', tests: { a: 'F' } },
      ),
    ).toMatchObject({ against: 2, failures: ['a new failed 1'] });
  });

  it('fixes what fails on main', async () => {
    expect(
      await compareLast({ tests: { a: 'F', b: 'P' } }, { branch: 'mine', tests: { a: 'P', b: 'P' } }),
    ).toMatchObject({ failures: [], fixedHere: ['a'] });
  });

  it('is held against main as it was on its base, whatever was merged since', async () => {
    const runs = [
      { commit: 'aaa', tests: { a: 'P' } },
      { commit: 'bbb', tests: { a: 'F' } },
    ] as const;
    expect(await compareLast(...runs, { branch: 'mine', base: 'aaa', tests: { a: 'F' } })).toMatchObject({
      against: 0,
      by: 'commit',
      failures: ['a new passed '],
    });
    expect(await compareLast(...runs, { branch: 'mine', base: 'unknown', tests: { a: 'F' } })).toMatchObject({
      against: 1,
      by: 'time',
      failures: ['a old failed 1'],
    });
  });

  it('has tests that main does not have or skipped', async () => {
    expect(await compareLast({ tests: { b: 'S' } }, { branch: 'mine', tests: { a: 'F', b: 'F' } })).toMatchObject({
      failures: ['a new notRun ', 'b new other '],
    });
  });

  it('is not held against branches of others, nor against what started after it', async () => {
    expect(
      await compareLast(
        { branch: 'main', tests: { a: 'P' } },
        { branch: 'theirs', tests: { a: 'F' } },
        { branch: 'mine', tests: { a: 'F' } },
      ),
    ).toMatchObject({ against: 0, failures: ['a new passed '] });
  });
});

it('a run of the default branch, and one without a branch, is held against no other branch', async () => {
  for (const branch of ['main', null]) {
    const found = await compareLast({ tests: { a: 'P' } }, { branch, tests: { a: 'F' } });
    expect(found).toMatchObject({ against: null, by: null, fixedHere: [] });
  }
});

it('runs that share no test say so', async () => {
  expect(await compareLast({ tests: { a: 'P' } }, { tests: { b: 'P' } })).toMatchObject({ shared: 0 });
  expect(await compareLast({ tests: { a: 'P', b: 'P' } }, { tests: { b: 'P', c: 'P' } })).toMatchObject({ shared: 1 });
});

it('a run that announced 40 tests and ended with 32 says that 8 are missing', async () => {
  const start = { projectName: newName(), startTime: minute(0), expectedTests: 40 };
  const { testRunId: id, part } = await server.client.startRun({
    body: start,
    headers: { 'idempotency-key': newName() },
  });
  const testCases = Array.from({ length: 32 }, (_, at) => testCase({ title: `t${at}` }));
  await server.client.addResults({ params: { id }, body: { part, batch: 0, testCases } });
  const read = () => server.client.getRun({ params: { id }, query: { details: false } });
  expect(await read()).toMatchObject({ expectedTests: 40, totalTests: 32 });
  expect(await read()).not.toHaveProperty('missingTests');
  await server.client.finishRun({ params: { id }, body: { part, status: 'failed', duration: 1 } });
  expect(await read()).toMatchObject({ expectedTests: null, totalTests: 32, missingTests: 8 });
});

it('the list of branches counts what is new, also failing and fixed on each', async () => {
  const projectName = newName();
  const send = async (at: number, branch: string, tests: Readonly<Record<string, 'P' | 'F' | 'S'>>) => {
    const testCases = Object.entries(tests).map(([title, letter]) => testCase({ title, status: STATUSES[letter] }));
    const body = submission({ projectName, branch, status: 'failed', startTime: minute(at), testCases });
    return server.client.submitRun({ body });
  };
  const { testRunId: main, projectId: id } = await send(0, 'main', { a: 'P', b: 'F', c: 'F', d: 'F' });
  await send(1, 'mine', { a: 'F', b: 'F', c: 'P', d: 'S', e: 'F' });
  await send(2, 'theirs', { a: 'P' });
  const list = (query = {}) => server.client.listBranches({ params: { id }, query });
  expect((await list({ compare: true })).map(({ name, againstDefault }) => [name, againstDefault])).toEqual([
    ['main', null],
    ['theirs', expect.objectContaining({ newHere: 0, alsoFailing: 0, fixedHere: 0 })],
    ['mine', { run: expect.objectContaining({ id: main }), by: 'time', newHere: 2, alsoFailing: 1, fixedHere: 1 }],
  ]);
  expect((await list())[0]).not.toHaveProperty('againstDefault');
});

it('a test that was renamed fails for the first time under its new name; one that ran before does not', async () => {
  const projectName = newName();
  const send = async (at: number, testCases: readonly ReturnType<typeof testCase>[]) => {
    const body = submission({
      projectName,
      branch: 'main',
      status: 'failed',
      startTime: minute(at),
      testCases: [...testCases],
    });
    return (await server.client.submitRun({ body })).testRunId;
  };
  const failed = (title: string, location: string) => testCase({ title, status: 'failed', location });
  await send(0, [
    failed('pays', 'a.ts:1'),
    failed('ships', 'a.ts:2'),
    testCase({ title: 'refunds', status: 'skipped', location: 'a.ts:3' }),
  ]);
  const id = await send(1, [failed('pays by card', 'a.ts:1'), failed('ships', 'b.ts:2'), failed('refunds', 'a.ts:3')]);
  const { failures, addedTests, removedTests } = await server.client.compareRun({ params: { id } });
  expect(failures.map(({ title, isNew, ranBefore }) => [title, isNew, ranBefore])).toEqual([
    ['pays by card', true, false],
    ['ships', true, false],
    ['refunds', true, true],
  ]);
  expect([addedTests, removedTests]).toEqual([2, 2]);
});
