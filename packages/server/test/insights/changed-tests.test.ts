import { createHash } from 'node:crypto';
import { MOST_CHANGED_TESTS, type SubmittedCase } from '@assay/contract';
import { createRandom } from '@assay/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const hash = (name: string): string => createHash('sha1').update(name).digest('hex');
const random = createRandom('changed tests');
const noisy = (durationMs: number): number => Math.round(durationMs * Math.exp(random.normal(0, 0.02)));

const LETTERS: Readonly<Record<string, Partial<SubmittedCase>>> = {
  P: { status: 'passed' },
  F: { status: 'failed', error: 'Error: no' },
  K: { status: 'passed', retries: 1 },
  S: { status: 'skipped' },
};

/** What happens to a test in each run, as letters; a dash where it is not part of the run. */
interface Story {
  readonly letters: string;
  readonly durationAt?: (run: number) => number;
}

interface Setting {
  readonly branch?: string;
  readonly minuteOf?: (run: number) => number;
  readonly areCommitsLate?: boolean;
}

/** A project whose tests have such stories, each run of a commit of its own after the one before. */
const play = async (
  stories: Readonly<Record<string, Story>>,
  { branch = 'main', minuteOf = (run) => run, areCommitsLate = false }: Setting = {},
) => {
  const projectName = newName();
  const runs = Math.max(...Object.values(stories).map(({ letters }) => letters.length));
  const runIds: number[] = [];
  let projectId = 0;
  for (let run = 0; run < runs; run++) {
    const stored = await server.client.submitRun({
      body: submission({
        projectName,
        branch,
        commit: hash(String(run)),
        startTime: minute(minuteOf(run)),
        testCases: Object.entries(stories).flatMap(([title, { letters, durationAt = () => 100 }]) => {
          const letter = LETTERS[letters[run]!];
          return letter ? [testCase({ title, ...letter, duration: durationAt(run) })] : [];
        }),
      }),
    });
    runIds.push(stored.testRunId);
    ({ projectId } = stored);
  }
  const commits = Array.from({ length: runs }, (_, at) => ({
    hash: hash(String(at)),
    parents: at === 0 ? [] : [hash(String(at - 1))],
    time: minute(0),
    author: 'Ada',
    subject: `Commit ${at}`,
    files: [],
  }));
  const sendCommits = () => server.client.sendCommits({ body: { projectName, commits } });
  if (!areCommitsLate) await sendCommits();
  const changed = () => server.client.listChangedTests({ params: { id: projectId } });
  return { projectId, runIds, changed, sendCommits };
};

const FLAKY = 'PKPPKPKPPKPPKPPKPKPP';
const steady = (count: number): string => 'P'.repeat(count);
const nothing = { flaky: [], slower: [], flakyCount: 0, slowerCount: 0, unjudged: 0 };

describe('a test that became', () => {
  it('flaky is told as its own page tells it', async () => {
    const { changed, runIds } = await play({
      steady: { letters: steady(60) },
      wavers: { letters: steady(40) + FLAKY },
    });
    const { flaky, ...rest } = await changed();
    expect(rest).toEqual({ branch: 'main', runs: 60, slower: [], flakyCount: 1, slowerCount: 0, unjudged: 0 });
    expect(flaky).toMatchObject([
      { title: 'wavers', firstBad: { id: runIds[41] }, lastGood: { id: runIds[40] }, since: { flaky: 7 } },
    ]);
    const { flaky: told } = await server.client.getTestSince({ params: { id: flaky[0]!.id } });
    const { place, id: _, title: __, filePath: ___, browser: ____, ...fields } = flaky[0]!;
    expect(told).toMatchObject(fields);
    expect(told!.places[0]).toMatchObject(place);
  });

  it('slower is told with by how much and since which commit', async () => {
    const { changed, runIds } = await play({
      other: { letters: steady(80), durationAt: () => noisy(300) },
      drags: { letters: steady(80), durationAt: (run) => noisy(run < 40 ? 1_000 : 1_800) },
    });
    const { slower, flaky } = await changed();
    expect(flaky).toEqual([]);
    expect(slower).toMatchObject([
      {
        title: 'drags',
        commitCount: 1,
        place: { commits: [{ subject: 'Commit 40' }] },
        firstAfter: { id: runIds[40] },
      },
    ]);
    expect(slower[0]!.factor).toBeGreaterThan(1.7);
  });
});

it('what is told follows what is known of the history of the code', async () => {
  const { changed, sendCommits } = await play(
    { wavers: { letters: steady(40) + FLAKY }, steady: { letters: steady(60) } },
    { areCommitsLate: true },
  );
  expect((await changed()).flaky[0]).toMatchObject({ commitCount: null });
  await sendCommits();
  expect((await changed()).flaky[0]!.commitCount).toBeGreaterThan(0);
});

describe('nothing is told', () => {
  it('of a project without runs, or with one', async () => {
    const { id } = await server.client.createProject({ body: { name: newName() } });
    expect(await server.client.listChangedTests({ params: { id } })).toEqual({ branch: null, runs: 0, ...nothing });
    const { changed } = await play({ fails: { letters: 'F' }, wavers: { letters: 'K' } });
    expect(await changed()).toEqual({ branch: 'main', runs: 1, ...nothing });
  });

  it('where only other branches than the default branch have runs', async () => {
    const { changed, projectId } = await play({ wavers: { letters: steady(40) + FLAKY } }, { branch: 'work' });
    expect((await changed()).flakyCount).toBe(1);
    await server.client.updateProject({ params: { id: projectId }, body: { defaultBranch: 'main' } });
    expect(await changed()).toEqual({ branch: 'main', runs: 0, ...nothing });
  });

  it('where everything always fails', async () => {
    const { changed } = await play({ one: { letters: 'F'.repeat(30) }, two: { letters: 'F'.repeat(30) } });
    expect(await changed()).toMatchObject({ runs: 30, flakyCount: 0, slowerCount: 0 });
  });

  it('of a test that broke and was mended', async () => {
    const { changed } = await play({ broke: { letters: `${steady(30)}FFFFFFFF${steady(30)}` } });
    expect(await changed()).toMatchObject({ flakyCount: 0 });
  });

  it('of a test that has another name since then', async () => {
    const { changed } = await play({
      before: { letters: steady(40) + FLAKY + '-'.repeat(12) },
      after: { letters: '-'.repeat(60) + 'PKPKPPKPKPPK' },
      steady: { letters: steady(72) },
    });
    expect(await changed()).toMatchObject({ runs: 72, flakyCount: 0 });
  });

  it('of a test that is fine again', async () => {
    const { changed } = await play({
      wavered: { letters: steady(40) + FLAKY + steady(90) },
      dragged: { letters: steady(150), durationAt: (run) => noisy(run >= 50 && run < 100 ? 1_800 : 1_000) },
      other: { letters: steady(150), durationAt: () => noisy(300) },
    });
    expect(await changed()).toMatchObject({ flaky: [], slower: [] });
  });

  it('of a test that is skipped since then', async () => {
    const { changed } = await play({
      wavers: { letters: steady(40) + FLAKY + 'S'.repeat(10) },
      steady: { letters: steady(70) },
    });
    expect(await changed()).toMatchObject({ flakyCount: 0 });
  });

  it('of failures in outages', async () => {
    const outages = new Set([30, 34, 39]);
    const letters = Array.from({ length: 45 }, (_, run) => (outages.has(run) ? 'F' : 'P')).join('');
    const { changed } = await play(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`test ${at}`, { letters }])),
    );
    expect(await changed()).toEqual({ branch: 'main', runs: 45, ...nothing });
  });

  it('of what began long before the latest run', async () => {
    const months = (run: number): number => (run < 60 ? run : run + 60 * 24 * 60);
    const letters = steady(40) + FLAKY + FLAKY;
    const { changed } = await play({ wavers: { letters }, steady: { letters: steady(80) } }, { minuteOf: months });
    expect(await changed()).toMatchObject({ runs: 80, flakyCount: 0 });
  });
});

it('of many tests that became slower, the clearest are judged and some are listed', async () => {
  const durationAt = (run: number): number => noisy(run < 40 ? 1_000 : 2_000);
  const { changed } = await play({
    ...Object.fromEntries(Array.from({ length: 24 }, (_, at) => [`drags ${at}`, { letters: steady(70), durationAt }])),
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`other ${at}`, { letters: steady(70), durationAt: () => noisy(400) }]),
    ),
  });
  const { slower, slowerCount, unjudged } = await changed();
  expect(slower).toHaveLength(MOST_CHANGED_TESTS);
  expect(slower.every(({ title }) => title.startsWith('drags'))).toBe(true);
  expect(slowerCount).toBeGreaterThan(MOST_CHANGED_TESTS);
  expect(unjudged).toBe(4);
});

it('a project that does not exist has none', async () => {
  await expect(server.client.listChangedTests({ params: { id: 987_654_321 } })).rejects.toMatchObject({ status: 404 });
});
