import type { RunExplanation } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

type Sent = ReturnType<typeof testCase>;

const send = async (...runs: readonly (readonly Sent[])[]): Promise<{ ids: number[]; last: RunExplanation }> => {
  const projectName = newName();
  const ids: number[] = [];
  for (const [at, testCases] of runs.entries()) {
    const body = submission({ projectName, branch: 'main', startTime: minute(at), testCases: [...testCases] });
    ids.push((await server.client.submitRun({ body })).testRunId);
  }
  return { ids, last: await server.client.explainRun({ params: { id: ids.at(-1)! } }) };
};

const passed = (count: number, fields: object = {}): Sent[] =>
  Array.from({ length: count }, (_, at) => testCase({ title: `test ${at}`, ...fields }));
const failed = (title: string, error: string): Sent => testCase({ title, status: 'failed', error });

it('a run is red for one cause, one that failed before, a known flake, and one of its own', async () => {
  const flaky = testCase({ title: 'flake', retries: 1 });
  const usual = [...passed(30), testCase({ title: 'flake' }), testCase({ title: 'old' }), testCase({ title: 'new' })];
  const broken = usual.map((one) => (one.title === 'old' ? failed('old', 'Error: always wrong') : one));
  const { ids, last } = await send(
    usual.map((one) => (one.title === 'flake' ? flaky : one)),
    usual.map((one) => (one.title === 'flake' ? flaky : one)),
    broken,
    broken.map((one, at) => {
      if (at < 8) return failed(one.title, 'Error: connect ECONNREFUSED 127.0.0.1:5432');
      if (one.title === 'flake') return failed('flake', 'Error: Timed out after 5 s');
      return one.title === 'new' ? failed('new', 'Error: expected 2 to be 3') : one;
    }),
  );
  expect(last).toMatchObject({ failures: 11, lookedAt: 11, ran: 33, comparedRuns: 3, farMoreThanUsual: false });
  expect(last.statements.map(({ failures, traits }) => [failures, traits[0]!.kind])).toEqual([
    [8, 'cause'],
    [1, 'since'],
    [1, 'flake'],
  ]);
  expect(last.statements[0]!.traits[0]!.value).toContain('ECONNREFUSED');
  expect(last.statements[0]!.results).toHaveLength(8);
  expect(last.statements[1]!.traits[0]!.since).toMatchObject({ id: ids[2] });
  expect(last.unexplained).toMatchObject({ failures: 1, results: [{ title: 'new' }] });
});

it('a green run and an empty one need no explanation', async () => {
  const none = { failures: 0, statements: [], unexplained: { failures: 0, results: [] } };
  expect((await send(passed(3))).last).toMatchObject({ ...none, ran: 3 });
  expect((await send([])).last).toMatchObject({ ...none, ran: 0 });
});

it('the first run of a project is explained without a past', async () => {
  const { last } = await send([
    ...passed(10),
    ...Array.from({ length: 5 }, (_, at) => failed(`f${at}`, 'Error: no disk')),
  ]);
  expect(last).toMatchObject({ comparedRuns: 0, statements: [{ failures: 5, traits: [{ kind: 'cause' }] }] });
});

it('a browser in which far more fails than elsewhere is told, with how many ran there', async () => {
  const { last } = await send([
    ...passed(40, { browser: 'chromium' }),
    ...Array.from({ length: 40 }, (_, at) =>
      testCase({
        title: `test ${at}`,
        browser: 'webkit',
        ...(at < 20
          ? { status: 'failed', error: `Error: number ${'abcdefghijklmnopqrst'[at]} is wrong in its own way` }
          : {}),
      }),
    ),
  ]);
  expect(last.statements[0]!.traits).toContainEqual(expect.objectContaining({ kind: 'browser', value: 'webkit' }));
});

it('a run in which nearly all fails, where hardly any did, is told to be far from usual', async () => {
  const { last } = await send(
    ...Array.from({ length: 12 }, () => passed(20)),
    Array.from({ length: 20 }, (_, at) => failed(`test ${at}`, 'Error: connect ECONNREFUSED 127.0.0.1:5432')),
  );
  expect(last).toMatchObject({ farMoreThanUsual: true, statements: [{ failures: 20 }], unexplained: { failures: 0 } });
});

it('files that the change touched are told, if more fails there than elsewhere', async () => {
  const projectName = newName();
  const hash = (digit: string): string => digit.repeat(40);
  const cases = (error: (at: number) => object) =>
    Array.from({ length: 60 }, (_, at) =>
      testCase({ title: `test ${at}`, location: `tests/file${at % 12}.spec.ts:1:1`, ...error(at) }),
    );
  const send = (commit: string, startTime: string, testCases: Sent[]) =>
    server.client.submitRun({ body: submission({ projectName, branch: 'main', commit, startTime, testCases }) });
  await send(
    hash('a'),
    minute(0),
    cases(() => ({})),
  );
  const failing = (at: number) =>
    at % 12 < 2
      ? { status: 'failed', error: `Error: ${'abcdefghijkl'[at % 12]}${'uvwxyz'[at % 6]} is ${'klmnopqrst'[at % 10]}` }
      : {};
  const { testRunId } = await send(hash('b'), minute(1), cases(failing));
  const commit = { time: minute(0), author: 'Ada', subject: 'Change it', parents: [] };
  const files = [0, 1].map((file) => ({
    path: `packages/shop/tests/file${file}.spec.ts`,
    change: 'modified' as const,
  }));
  const commits = [
    { ...commit, hash: hash('a'), files: [] },
    { ...commit, hash: hash('b'), parents: [hash('a')], files },
  ];
  await server.client.sendCommits({ body: { projectName, commits } });
  const { statements } = await server.client.explainRun({ params: { id: testRunId } });
  expect(statements[0]).toMatchObject({ failures: 10, ran: 10, traits: [{ kind: 'touched' }] });
});

it('no other run than those that are there is explained', async () => {
  await expect(server.client.explainRun({ params: { id: 999_999 } })).rejects.toMatchObject({ status: 404 });
});

it('a known flake is told with how often it had this error before', async () => {
  const flaky = (error: string): Sent =>
    testCase({ title: 'flake', retries: 1, attempts: [{ status: 'failed', error }, { status: 'passed' }] });
  const steady = passed(20);
  const { last } = await send(
    [...steady, flaky('Error: Timed out after 5 s')],
    [...steady, flaky('Error: no such row')],
    [...steady, flaky('Error: Timed out after 7 s')],
    [...steady, testCase({ title: 'flake' })],
    [...steady, failed('flake', 'Error: Timed out after 9 s')],
  );
  expect(last.statements).toMatchObject([
    {
      failures: 1,
      traits: [{ kind: 'flake' }, { kind: 'cause' }],
      flakes: { runs: 3, withThisError: 1, timesWithThisError: 2 },
    },
  ]);
});

/** Failures that have nothing in common. */
const alone = (count: number, name = 'odd'): Sent[] =>
  Array.from({ length: count }, (_, at) => failed(`${name} ${at}`, `Error: the ${'abcdefghijkl'[at]}${name} is wrong`));

describe('what a run ran with', () => {
  const sendWith = async (...runs: readonly { readonly metadata?: unknown; readonly testCases: readonly Sent[] }[]) => {
    const projectName = newName();
    let id = 0;
    for (const [at, { metadata, testCases }] of runs.entries()) {
      const body = submission({
        projectName,
        branch: 'main',
        startTime: minute(at),
        testCases: [...testCases],
        metadata,
      });
      ({ testRunId: id } = await server.client.submitRun({ body }));
    }
    return server.client.explainRun({ params: { id } });
  };
  const withPlaywright = (version: string) => ({ playwright: { version, workers: 4 } });
  const green = [...passed(40), ...alone(8).map(({ title }) => testCase({ title }))];
  const red = [...passed(40), ...alone(8)];

  it('is told where it is new and nothing else accounts for the failures', async () => {
    const last = await sendWith(
      { metadata: withPlaywright('1.48.0'), testCases: green },
      { metadata: withPlaywright('1.49.1'), testCases: green },
      { metadata: withPlaywright('1.50.0'), testCases: red },
    );
    expect(last.statements).toMatchObject([
      { failures: 8, ran: null, traits: [{ kind: 'version', value: 'playwright 1.50.0', before: '1.49.1' }] },
    ]);
  });

  it('is not told where a run before had it, where nobody told before, or of odd metadata', async () => {
    for (const [before, now] of [
      [withPlaywright('1.50.0'), withPlaywright('1.50.0')],
      [null, withPlaywright('1.50.0')],
      [withPlaywright('1.50.0'), { playwright: ['version'], versions: 7, nodeVersion: {}, version: '3' }],
    ]) {
      const last = await sendWith({ metadata: before, testCases: green }, { metadata: now, testCases: red });
      expect(last.statements).toEqual([]);
    }
  });

  it('comes after what tells more of the failures', async () => {
    const last = await sendWith(
      { metadata: { environment: 'staging' }, testCases: [...passed(40), ...green.slice(40)] },
      {
        metadata: { environment: 'production' },
        testCases: [...passed(40).map((one, at) => (at < 9 ? failed(one.title, 'Error: no bank') : one)), ...alone(8)],
      },
    );
    expect(last.statements.map(({ failures, traits }) => [failures, traits[0]!.kind, traits[0]!.value])).toEqual([
      [9, 'cause', 'Error: no bank'],
      [8, 'environment', 'production'],
    ]);
  });

  it('is told where some shards have it and far more fails on them', async () => {
    const projectName = newName();
    let id = 0;
    for (const shard of [1, 2, 3, 4]) {
      const isNew = shard > 2;
      const metadata = { nodeVersion: isNew ? '24.1.0' : '22.9.0' };
      const testCases = [
        ...passed(40).map((one) => ({ ...one, title: `${one.title} of ${shard}` })),
        ...(isNew ? alone(12, `s${shard}`) : []),
      ];
      ({ testRunId: id } = await server.client.submitRun({
        body: submission({ projectName, runKey: 'one', shard: { index: shard, total: 4 }, metadata, testCases }),
      }));
    }
    const { statements } = await server.client.explainRun({ params: { id } });
    expect(statements[0]).toMatchObject({
      failures: 24,
      ran: 104,
      traits: [{ kind: 'version', value: 'node 24.1.0', before: null }],
    });
  });
});
