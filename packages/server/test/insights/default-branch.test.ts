import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

interface Sent {
  readonly branch?: string | null;
  readonly status?: string;
}

/** Runs of a new project, one a minute. */
const send = async (...runs: readonly Sent[]): Promise<{ id: number; runIds: number[] }> => {
  const projectName = newName();
  const runIds: number[] = [];
  let id = 0;
  for (const [at, { branch = null, status = 'passed' }] of runs.entries()) {
    const testCases = [testCase({ status })];
    const body = submission({ projectName, branch, status, startTime: minute(at), testCases });
    const reply = await server.client.submitRun({ body });
    runIds.push(reply.testRunId);
    id = reply.projectId;
  }
  return { id, runIds };
};

const read = async (id: number, recent = 0) => {
  const found = (await server.client.listProjects({ query: { recent } })).find((project) => project.id === id)!;
  const { testRuns: _, ...alone } = await server.client.getProject({ params: { id } });
  const { recentRuns: __, ...listed } = found;
  expect(alone).toEqual(listed);
  return found;
};

const times = (count: number, sent: Sent): Sent[] => Array.from({ length: count }, () => sent);

describe('the first run of a branch', () => {
  const compare = (id: number | undefined) => server.client.compareRun({ params: { id: id! } });

  it('is compared with the default branch: what passes there is new here', async () => {
    const { runIds } = await send(
      { branch: 'main' },
      { branch: 'of-somebody-else', status: 'failed' },
      { branch: 'mine', status: 'failed' },
    );
    expect(await compare(runIds[2])).toMatchObject({
      previousRun: { id: runIds[1] },
      comparedWith: { id: runIds[0], branch: 'main' },
      failures: [{ isNew: true, failingSince: { id: runIds[2] } }],
    });
  });

  it('has not broken what fails on the default branch too', async () => {
    const { runIds } = await send({ branch: 'main', status: 'failed' }, {}, { branch: 'mine', status: 'failed' });
    expect(await compare(runIds[2])).toMatchObject({
      comparedWith: { id: runIds[0] },
      failures: [{ isNew: false, failingSince: { id: runIds[0], branch: 'main' } }],
    });
  });

  it('is compared with runs that name no branch where the default branch has none before', async () => {
    const { runIds } = await send({}, { branch: 'main', status: 'failed' });
    expect(await compare(runIds[1])).toMatchObject({ comparedWith: { id: runIds[0] }, failures: [{ isNew: true }] });
  });

  it('is compared with nothing rather than with the branch of somebody else', async () => {
    const { runIds } = await send({ branch: 'a' }, { branch: 'b', status: 'failed' }, { branch: 'main' });
    expect(await compare(runIds[1])).toMatchObject({ previousRun: { id: runIds[0] }, comparedWith: null });
  });

  it('is followed by runs that are compared with it, however many others come between', async () => {
    const { runIds } = await send({ branch: 'mine', status: 'failed' }, ...times(110, { branch: 'main' }), {
      branch: 'mine',
      status: 'failed',
    });
    expect(await compare(runIds.at(-1))).toMatchObject({
      comparedWith: { id: runIds[0] },
      failures: [{ isNew: false, failedRuns: 2, sinceBeyond: false }],
    });
  });
});

describe('the default branch of a project', () => {
  it('is main, however many runs others have, and stands for the project', async () => {
    const { id, runIds } = await send(
      ...times(3, { branch: 'main', status: 'failed' }),
      ...times(5, { branch: 'bot/update' }),
    );
    expect(await read(id)).toMatchObject({
      defaultBranch: 'main',
      defaultBranchRun: { id: runIds[2], status: 'failed' },
      latestRun: { id: runIds[7], status: 'passed' },
    });
  });

  it('is master where there is no main', async () => {
    const { id } = await send({ branch: 'master' }, ...times(3, { branch: 'feature' }));
    expect(await read(id)).toMatchObject({ defaultBranch: 'master' });
  });

  it('is else the one with most runs, and the first by name of several', async () => {
    const { id } = await send({ branch: 'b' }, { branch: 'develop' }, { branch: 'develop' }, ...times(4, {}));
    expect(await read(id)).toMatchObject({ defaultBranch: 'develop' });
    const even = await send({ branch: 'b' }, { branch: 'a' });
    expect(await read(even.id)).toMatchObject({ defaultBranch: 'a' });
  });

  it('is unknown while no run names a branch: all of them stand for the project', async () => {
    const { id, runIds } = await send({}, { status: 'failed' });
    expect(await read(id, 5)).toMatchObject({
      defaultBranch: null,
      defaultBranchRun: { id: runIds[1] },
      recentRuns: [{ id: runIds[0] }, { id: runIds[1] }],
    });
  });

  it('is what an Administrator sets, also before it has a run, until it is cleared', async () => {
    const { id, runIds } = await send({ branch: 'main' }, { branch: 'release' });
    const set = (defaultBranch: string | null) =>
      server.client.updateProject({ params: { id }, body: { defaultBranch } });
    expect(await set('release')).toMatchObject({ defaultBranch: 'release', defaultBranchRun: { id: runIds[1] } });
    expect(await set('next')).toMatchObject({ defaultBranch: 'next', defaultBranchRun: null });
    await server.client.updateProject({ params: { id }, body: { label: 'Shop' } });
    expect(await read(id)).toMatchObject({ label: 'Shop', defaultBranch: 'next' });
    expect(await set(null)).toMatchObject({ defaultBranch: 'main', defaultBranchRun: { id: runIds[0] } });
  });

  it('has all its history, also of the time before it was set', async () => {
    const earlier = [{ branch: 'work', status: 'failed' }, { branch: 'main' }, ...times(16, { branch: 'work' })];
    const { id, runIds } = await send(...earlier);
    await server.client.updateProject({ params: { id }, body: { defaultBranch: 'work' } });
    const [listed] = await server.client.listTests({ params: { id } });
    const test = await server.client.getTest({ params: { id: listed!.id }, query: { branch: 'work' } });
    const ofWork = runIds.filter((_, at) => at !== 1);
    expect(test.results.map(({ testRunId }) => testRunId)).toEqual(ofWork.toReversed());
    expect(test).toMatchObject({
      totalRuns: 17,
      firstSeen: { testRunId: runIds[0] },
      lastPassed: { testRunId: runIds[17] },
      lastFailed: { testRunId: runIds[0] },
    });
  });

  it('has the recent runs of the project', async () => {
    const { id, runIds } = await send({ branch: 'main' }, { branch: 'x' }, { branch: 'main' }, { branch: 'main' }, {});
    expect((await read(id, 2)).recentRuns?.map((run) => run.id)).toEqual([runIds[2], runIds[3]]);
  });

  it('is found anew when its last run is deleted', async () => {
    const { id, runIds } = await send({ branch: 'main' }, { branch: 'feature' });
    await server.client.deleteRun({ params: { id: runIds[0]! } });
    expect(await read(id)).toMatchObject({ defaultBranch: 'feature', defaultBranchRun: { id: runIds[1] } });
    await server.client.deleteRun({ params: { id: runIds[1]! } });
    expect(await read(id)).toMatchObject({ defaultBranch: null, defaultBranchRun: null, latestRun: null });
  });
});

it('a sender may tell the default branch, which counts unless an Administrator has set one', async () => {
  const projectName = newName();
  const tell = async (defaultBranch?: string) => {
    const body = submission({ projectName, branch: 'main', defaultBranch });
    return (await server.client.submitRun({ body })).projectId;
  };
  const id = await tell();
  const branch = async () => (await read(id)).defaultBranch;
  expect(await branch()).toBe('main');
  await tell('trunk');
  expect(await branch()).toBe('trunk');
  await tell();
  expect(await branch()).toBe('trunk');
  const body = { projectName, startTime: minute(9), runKey: newName(), defaultBranch: 'develop' };
  await server.client.startRun({ body });
  expect(await branch()).toBe('develop');
  await server.client.updateProject({ params: { id }, body: { defaultBranch: 'release' } });
  await tell('trunk');
  expect(await branch()).toBe('release');
  await server.client.updateProject({ params: { id }, body: { defaultBranch: null } });
  expect(await branch()).toBe('trunk');
});
