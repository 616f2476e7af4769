import { beforeAll, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

interface Sent {
  readonly commit?: string | null;
  readonly status?: string;
  readonly retries?: number;
}

/** The flaky tests of a project with these runs of one test: flaky of all, by retries, by commits. */
const flakyOf = async (...runs: readonly Sent[]) => {
  const projectName = newName();
  let id = 0;
  for (const [at, { commit = null, status = 'passed', retries = 0 }] of runs.entries()) {
    const body = submission({
      projectName,
      commit,
      status,
      startTime: minute(at),
      testCases: [testCase({ status, retries })],
    });
    ({ projectId: id } = await server.client.submitRun({ body }));
  }
  const found = await server.client.listFlakyTests({ params: { id } });
  return found.map(
    ({ flakyRuns, totalRuns, retriedRuns, mixedCommits }) => `${flakyRuns}/${totalRuns} ${retriedRuns} ${mixedCommits}`,
  );
};

const failed = 'failed';

it('a test that fails in 10 of 20 runs of one commit is flaky though nothing is retried', async () => {
  const runs = Array.from({ length: 20 }, (_, at) => ({ commit: 'c0ffee', status: at % 2 === 0 ? failed : 'passed' }));
  expect(await flakyOf(...runs)).toEqual(['10/20 0 1']);
});

it('a test that a commit broke and another mended is not flaky', async () => {
  expect(
    await flakyOf({ commit: 'a' }, { commit: 'b', status: failed }, { commit: 'b', status: failed }, { commit: 'c' }),
  ).toEqual([]);
});

it('a failure between two runs of other commits that passed is told, and counts for no rate', async () => {
  const projectName = newName();
  const letters = 'PPFPPKPFFPP';
  const runIds: number[] = [];
  let id = 0;
  for (const [at, letter] of [...letters].entries()) {
    const sent = testCase({ status: letter === 'F' ? failed : 'passed', retries: letter === 'K' ? 1 : 0 });
    const body = submission({
      projectName,
      branch: 'main',
      commit: `c${at}`,
      startTime: minute(at),
      testCases: [sent],
    });
    const stored = await server.client.submitRun({ body });
    runIds.push(stored.testRunId);
    id = stored.projectId;
  }
  // Of another branch, it says nothing about this one.
  const elsewhere = submission({ projectName, branch: 'work', commit: 'w', startTime: minute(1.5), status: failed });
  await server.client.submitRun({ body: { ...elsewhere, testCases: [testCase({ status: failed })] } });
  const [test] = await server.client.listFlakyTests({ params: { id } });
  expect(test).toMatchObject({ flakyRuns: 1, aloneRuns: 1 });
  expect(test!.evidence).toMatchObject({ retried: [{ id: runIds[5] }], mixed: [], alone: [{ id: runIds[2] }] });
  const found = await server.client.getTestCase({ params: { id: test!.evidence.alone[0]!.testCaseId } });
  expect(found.status).toBe(failed);
});

it('both kinds of evidence count, each result once', async () => {
  expect(
    await flakyOf({ commit: 'a', retries: 1 }, { commit: 'b', status: failed }, { commit: 'b' }, { commit: 'c' }),
  ).toEqual(['2/4 1 1']);
});

it('a pass on a retry contradicts a failure on the same commit', async () => {
  expect(await flakyOf({ commit: 'a', retries: 1 }, { commit: 'a', status: 'timedOut' })).toEqual(['2/2 1 1']);
});

it('nothing is known of runs that name no commit', async () => {
  expect(await flakyOf({ status: failed }, {}, { status: failed }, {})).toEqual([]);
});

it('what was skipped or has an unknown status contradicts nothing', async () => {
  expect(
    await flakyOf({ commit: 'a', status: failed }, { commit: 'a', status: 'skipped' }, { commit: 'a', status: 'odd' }),
  ).toEqual([]);
});

it('two results of one name in one run contradict nothing', async () => {
  const projectName = newName();
  const testCases = [testCase({ status: failed }), testCase()];
  const body = submission({ projectName, commit: 'a', startTime: minute(0), testCases });
  const { projectId: id } = await server.client.submitRun({ body });
  await server.client.submitRun({ body: { ...body, startTime: minute(1) } });
  expect(await server.client.listFlakyTests({ params: { id } })).toEqual([]);
});
