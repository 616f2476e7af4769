import { createHash } from 'node:crypto';
import { type Commit, type SubmittedCase, type TestSince } from '@assay/contract';
import { createRandom } from '@assay/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const hash = (name: string): string => createHash('sha1').update(name).digest('hex');

const commit = (name: string, parents: readonly string[]): Commit => ({
  hash: hash(name),
  parents: parents.map(hash),
  time: minute(0),
  author: 'Ada',
  subject: `Commit ${name}`,
  files: [],
});

/** Commits 0, 1, 2, …, each after the one before it. */
const line = (count: number): Commit[] =>
  Array.from({ length: count }, (_, at) => commit(String(at), at === 0 ? [] : [String(at - 1)]));

const CASES: Readonly<Record<string, Partial<SubmittedCase>>> = {
  P: { status: 'passed' },
  F: { status: 'failed', error: 'Error: no' },
  K: { status: 'passed', retries: 1 },
  S: { status: 'skipped' },
  I: { status: 'interrupted' },
};

interface Ran {
  readonly letter: string;
  readonly commit?: string | null;
  readonly at?: number;
  readonly branch?: string | null;
  readonly durationMs?: number;
  readonly others?: readonly Partial<SubmittedCase>[];
}

/** A project in which one test ran so; without further words on main, each run on a commit of its own. */
const play = async (runs: readonly Ran[], commits: readonly Commit[] = []) => {
  const projectName = newName();
  const runIds: number[] = [];
  let projectId = 0;
  for (const [nth, { letter, durationMs = 100, others = [], ...run }] of runs.entries()) {
    const stored = await server.client.submitRun({
      body: submission({
        projectName,
        branch: run.branch === undefined ? 'main' : run.branch,
        commit: run.commit === undefined ? hash(String(nth)) : run.commit && hash(run.commit),
        startTime: minute(run.at ?? nth),
        testCases: [
          testCase({ ...CASES[letter], duration: durationMs }),
          ...others.map((other, at) => testCase({ title: `other ${at}`, ...other })),
        ],
      }),
    });
    runIds.push(stored.testRunId);
    ({ projectId } = stored);
  }
  if (commits.length > 0) await server.client.sendCommits({ body: { projectName, commits: [...commits] } });
  const tests = await server.client.listTests({ params: { id: projectId } });
  const { id } = tests.find(({ title }) => title === 'works')!;
  const since = (branch?: string) =>
    server.client.getTestSince({ params: { id }, query: branch === undefined ? {} : { branch } });
  return { id, runIds, since, projectName };
};

const letters = (text: string): Ran[] => [...text].map((letter) => ({ letter }));
const subjects = ({ places }: NonNullable<TestSince['broken']>) =>
  places.map(({ commits }) => commits.map(({ subject }) => subject.slice('Commit '.length)).join(' '));

describe('a test that broke', () => {
  it('is told with its commit, the last good and the first bad run', async () => {
    const { since, runIds } = await play(letters('PPPPPPPPPPFFFF'), line(14));
    const { broken, flaky, now, orderedBy, results, branch } = await since();
    expect({ orderedBy, results, branch, flaky }).toEqual({
      orderedBy: 'commits',
      results: 14,
      branch: 'main',
      flaky: null,
    });
    expect(now.broken).toBeGreaterThan(0.95);
    expect(broken).toMatchObject({
      sure: true,
      lastGood: { id: runIds[9], commit: hash('9') },
      firstBad: { id: runIds[10], commit: hash('10') },
      untested: 0,
      placeCount: 1,
      commitCount: 1,
      before: { passed: 10, flaky: 0, failed: 0 },
      since: { passed: 0, flaky: 0, failed: 4 },
    });
    expect(subjects(broken!)).toEqual(['10']);
    expect(broken!.speaking.map(({ outcome }) => outcome[0]).join('')).toBe('pppppffff');
  });

  it('may have been broken by each of the commits that nobody tested', async () => {
    const runs = [...'PPPPPPPP'].map((letter, at) => ({ letter, commit: String(at) }));
    const { since } = await play(
      [...runs, { letter: 'F', commit: '12' }, { letter: 'F', commit: '13' }, { letter: 'F', commit: '14' }],
      line(15),
    );
    const { broken } = await since();
    expect(broken).toMatchObject({ sure: true, untested: 4, commitCount: 5, placeCount: 1 });
    expect(subjects(broken!)).toEqual(['12 11 10 9 8']);
  });

  it('by a merge may have been broken by what was merged', async () => {
    const commits = [...line(6), commit('s', ['2']), commit('t', ['s']), commit('m', ['5', 't']), commit('n', ['m'])];
    const runs = ['0', '1', '2', '3', '4', '5'].map((name) => ({ letter: 'P', commit: name }));
    const { since } = await play(
      [...runs, { letter: 'F', commit: 'm' }, { letter: 'F', commit: 'n' }, { letter: 'F', commit: 'n' }],
      commits,
    );
    const { broken } = await since();
    expect(broken!.untested).toBe(2);
    expect(new Set(subjects(broken!)[0]!.split(' '))).toEqual(new Set(['m', 't', 's']));
  });

  it('is told alike when clocks jump', async () => {
    const { since, runIds } = await play(
      letters('PPPPPPPPFFF').map((run, at) => ({ ...run, at: at === 10 ? -5 : at === 3 ? 1_000 : at })),
      line(11),
    );
    expect((await since()).broken).toMatchObject({
      lastGood: { id: runIds[7] },
      firstBad: { id: runIds[8] },
      commitCount: 1,
    });
  });

  it('is told by the order of runs where commits are not known, without counting them', async () => {
    const { since, runIds } = await play(
      letters('PPPPPPPPFFF').map((run, at) => ({ ...run, commit: at < 4 ? null : String(at) })),
    );
    const { orderedBy, broken } = await since();
    expect(orderedBy).toBe('time');
    expect(broken).toMatchObject({
      lastGood: { id: runIds[7] },
      firstBad: { id: runIds[8] },
      untested: null,
      commitCount: null,
    });
    expect(broken!.places).toMatchObject([
      { commitCount: null, commits: [], before: { id: runIds[7] }, run: { id: runIds[8] } },
    ]);
  });

  it('is not told to be for sure by one failure, and is by a second run of the commit', async () => {
    const once = await play(letters('PPPPPPPPPPF'), line(11));
    expect((await once.since()).broken?.sure ?? false).toBe(false);
    const twice = await play([...letters('PPPPPPPPPPF'), { letter: 'F', commit: '10' }], line(11));
    const { broken, results } = await twice.since();
    expect(broken).toMatchObject({ sure: true, untested: 0, commitCount: 1 });
    expect(results).toBe(12);
  });

  it('is told on the branch that is asked for, else on the default branch', async () => {
    const runs = [...letters('PPPPPPPP'), ...letters('PFFF').map((run) => ({ ...run, branch: 'work', commit: null }))];
    const { since } = await play(runs);
    expect(await since()).toMatchObject({ branch: 'main', broken: null, results: 8 });
    expect(await since('work')).toMatchObject({ branch: 'work', results: 4, broken: { firstBad: { branch: 'work' } } });
    expect(await since('nowhere')).toMatchObject({ branch: 'nowhere', results: 0, broken: null, flaky: null });
  });

  it('before what is known began is told so, as after its name changed', async () => {
    const { since } = await play(letters('FFFFFFFF'), line(8));
    const { broken } = await since();
    expect(broken).toMatchObject({ sure: true, lastGood: null, untested: null, places: [], placeCount: 0 });
    expect(broken!.fromStart).toBeGreaterThan(0.95);
  });

  it('is not thought broken by runs in which nearly everything failed', async () => {
    const others = (status: string) => Array.from({ length: 12 }, () => ({ status }));
    const runs = [...'PPPPPPPPPPPPFPPP'].map((letter) => ({
      letter,
      others: others(letter === 'F' ? 'failed' : 'passed'),
    }));
    const { since, runIds } = await play(runs, line(16));
    const { outages, broken, evidence, results } = await since();
    expect(outages.map(({ id }) => id)).toEqual([runIds[12]]);
    expect({ broken, alone: evidence.aloneCount, results }).toEqual({ broken: null, alone: 0, results: 15 });
  });
});

describe('nothing is told', () => {
  it('of a test with one result, or that always passed', async () => {
    for (const text of ['P', 'PPPPPPPPPPPPPPPPPPPP']) {
      const { since } = await play(letters(text), line(text.length));
      expect(await since()).toMatchObject({ broken: null, flaky: null, durations: [], outages: [], unplaced: 0 });
    }
    const { since } = await play(letters('F'));
    const { broken } = await since();
    expect(broken).toMatchObject({ sure: false, lastGood: null, places: [] });
  });

  it('of results that were skipped or interrupted', async () => {
    const { since } = await play(letters('PPPPPPSSII'), line(10));
    expect(await since()).toMatchObject({ results: 6, broken: null });
    const only = await play(letters('SS'));
    expect(await only.since()).toMatchObject({ results: 0, broken: null, flaky: null });
  });
});

it('a test that became flaky is told with its evidence', async () => {
  const flaky = 'PKPPKPKPPKPPKPPKPKPP';
  const { since, runIds } = await play(letters('P'.repeat(40) + flaky), line(60));
  const { flaky: found, evidence, broken } = await since();
  expect(broken).toBeNull();
  expect(found).toMatchObject({ sure: true, firstBad: { id: runIds[41] }, lastGood: { id: runIds[40] } });
  expect(found!.placeCount).toBeGreaterThan(1);
  expect(evidence).toMatchObject({ retriedCount: 7, mixedCount: 0, aloneCount: 0 });
  expect(evidence.retried[0]).toMatchObject({ id: runIds[57] });

  const both = await play(
    [...letters('PPPPPFPP'), { letter: 'F', commit: '7' }, { letter: 'P', commit: '8' }],
    line(9),
  );
  expect((await both.since()).evidence).toMatchObject({
    mixedCount: 1,
    mixed: [{ failed: { id: both.runIds[8] }, passed: { id: both.runIds[7] } }],
    aloneCount: 1,
    alone: [{ id: both.runIds[5] }],
  });
});

describe('a test that became slower', () => {
  const random = createRandom('slower');
  const noisy = (durationMs: number) => Math.round(durationMs * Math.exp(random.normal(0, 0.02)));

  it('is told with by how much and the commits between', async () => {
    const runs = Array.from({ length: 80 }, (_, at) => ({
      letter: 'P',
      commit: String(at < 40 ? at : at + 3),
      durationMs: noisy(at < 40 ? 1_000 : 1_800),
    }));
    const { since, runIds } = await play(runs, line(83));
    const { durations } = await since();
    expect(durations).toHaveLength(1);
    expect(durations[0]).toMatchObject({
      lastBefore: { id: runIds[39] },
      firstAfter: { id: runIds[40] },
      commitCount: 4,
    });
    expect(durations[0]!.factor).toBeGreaterThan(1.7);
    expect(durations[0]!.factor).toBeLessThan(1.9);
  });

  it('together with all others, for an evening, is not told; alone it is', async () => {
    const evening = async (isAlone: boolean) => {
      const runs = Array.from({ length: 90 }, (_, at) => {
        const factor = at >= 71 ? 2 : 1;
        const others = Array.from({ length: 15 }, () => ({ duration: noisy(500 * (isAlone ? 1 : factor)) }));
        return { letter: 'P', durationMs: noisy(1_000 * factor), others };
      });
      const { since } = await play(runs, line(90));
      return (await since()).durations.length;
    };
    expect(await evening(false)).toBe(0);
    expect(await evening(true)).toBe(1);
  });

  it('on the same commit did not become so by a commit', async () => {
    const runs = Array.from({ length: 40 }, (_, at) => ({
      letter: 'P',
      commit: String(Math.floor(at / 20)),
      durationMs: noisy(at < 30 ? 1_000 : 2_000),
    }));
    const { since } = await play(runs, line(2));
    expect(await since()).toMatchObject({ durations: [], durationsSeen: 2 });
  });
});

it('a test that does not exist has nothing', async () => {
  await expect(server.client.getTestSince({ params: { id: 987_654_321 } })).rejects.toMatchObject({ status: 404 });
});
