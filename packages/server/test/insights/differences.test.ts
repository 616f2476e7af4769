import type { DifferenceKind, RunDifferences, SubmittedCase } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, runStart, submission, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const passed = (title: string, more: object = {}): SubmittedCase => testCase({ title, ...more });
const failed = (title: string): SubmittedCase => testCase({ title, status: 'failed', error: 'no' });
const flaky = (title: string): SubmittedCase => testCase({ title, retries: 1 });
const skipped = (title: string): SubmittedCase => testCase({ title, status: 'skipped' });

/** Sends runs of one project, a minute apart. */
const startProject = () => {
  const projectName = newName();
  let runs = 0;
  return async (testCases: SubmittedCase[], more: object = {}): Promise<number> => {
    const status = testCases.some((one) => one.status === 'failed') ? 'failed' : 'passed';
    const body = submission({ projectName, startTime: minute(runs++), status, branch: 'main', testCases, ...more });
    return (await server.client.submitRun({ body })).testRunId;
  };
};

const differences = (id: number, other?: string): Promise<RunDifferences> =>
  server.client.listDifferences({ params: { id }, query: other === undefined ? {} : { with: other } });

const KINDS: readonly DifferenceKind[] = [
  'newFailures',
  'fixed',
  'stillFailing',
  'newlyFlaky',
  'slower',
  'faster',
  'added',
  'removed',
];
const titlesOf = (found: RunDifferences): Partial<Record<DifferenceKind, string[]>> =>
  Object.fromEntries(
    KINDS.flatMap((kind) => {
      expect(found.counts[kind]).toBe(found[kind].length);
      return found[kind].length === 0 ? [] : [[kind, found[kind].map(({ title }) => title)]];
    }),
  );

describe('two runs', () => {
  it('differ in what broke, was fixed, became flaky, came and went', async () => {
    const send = startProject();
    const first = await send([
      passed('breaks'),
      failed('mends'),
      failed('stays red'),
      passed('flickers'),
      failed('red, then flaky'),
      failed('red, then skipped'),
      skipped('skipped, then red'),
      passed('goes'),
      passed('same'),
    ]);
    const second = await send([
      failed('breaks'),
      passed('mends'),
      failed('stays red'),
      flaky('flickers'),
      flaky('red, then flaky'),
      skipped('red, then skipped'),
      failed('skipped, then red'),
      failed('new and red'),
      passed('new'),
      passed('same'),
    ]);
    const found = await differences(second);
    expect(titlesOf(found)).toEqual({
      newFailures: ['breaks', 'skipped, then red', 'new and red'],
      fixed: ['mends', 'red, then flaky'],
      stillFailing: ['stays red'],
      newlyFlaky: ['flickers'],
      added: ['new and red', 'new'],
      removed: ['goes'],
    });
    expect(found).toMatchObject({ run: { id: second }, other: { id: first }, otherBy: 'previous', sharedTests: 8 });
    expect(found.fixed[0]).toMatchObject({ here: { status: 'passed' }, there: { status: 'failed' } });
    expect(found.removed[0]).toMatchObject({ here: null, there: { status: 'passed' } });
    const { title } = await server.client.getTestCase({ params: { id: found.newFailures[0]!.here!.testCaseId } });
    expect(title).toBe('breaks');
  });

  it('are chosen: the one before on its branch, the last green one, that of the default branch, or any', async () => {
    const send = startProject();
    const green = await send([passed('a')], { defaultBranch: 'main' });
    const red = await send([failed('a')]);
    const branch = await send([passed('a')], { branch: 'topic' });
    const last = await send([failed('a')]);
    const otherOf = async (id: number, choice?: string) => (await differences(id, choice)).other?.id ?? null;
    expect(await otherOf(last)).toBe(red);
    expect(await otherOf(last, 'green')).toBe(green);
    expect(await otherOf(branch)).toBeNull();
    expect(await otherOf(branch, 'default')).toBe(red);
    expect(await otherOf(last, 'default')).toBeNull();
    expect(titlesOf(await differences(green, String(last)))).toEqual({ fixed: ['a'] });
    expect(titlesOf(await differences(red, String(red)))).toEqual({ stillFailing: ['a'] });
    expect(titlesOf(await differences(green))).toEqual({});
  });

  it('are of one project, and a wrong choice is told by its field', async () => {
    const [one, other] = [await startProject()([passed('a')]), await startProject()([passed('a')])];
    await expect(differences(one, String(other))).rejects.toMatchObject({
      status: 404,
      body: { code: 'run_not_found' },
    });
    for (const choice of ['yesterday', '0', '-1', '1e9', '9'.repeat(16)]) {
      await expect(differences(one, choice)).rejects.toMatchObject({
        status: 400,
        body: { code: 'invalid_query', issues: [{ path: '/with' }] },
      });
    }
  });

  it('differ in durations only beyond what is usual for a test, and where enough is known of it', async () => {
    const send = startProject();
    const steady = (nth: number): number => 1_000 + ((nth * 37) % 50);
    const shaky = (nth: number): number => 1_000 * (1 + ((nth * 7) % 10));
    for (let nth = 0; nth < 30; nth++) {
      await send([
        ...Array.from({ length: 40 }, (_, at) => passed(`steady ${at}`, { duration: steady(nth + at) })),
        passed('slows', { duration: steady(nth) }),
        passed('speeds up', { duration: steady(nth) }),
        passed('shaky', { duration: shaky(nth) }),
        passed('short', { duration: 10 }),
        ...(nth > 24 ? [passed('young', { duration: 1_000 })] : []),
      ]);
    }
    const last = await send([
      ...Array.from({ length: 40 }, (_, at) => passed(`steady ${at}`, { duration: steady(99 + at) })),
      passed('slows', { duration: 2_500 }),
      passed('speeds up', { duration: 300 }),
      passed('shaky', { duration: 10_000 }),
      passed('short', { duration: 40 }),
      passed('young', { duration: 9_000 }),
    ]);
    const found = await differences(last);
    expect(titlesOf(found)).toEqual({ slower: ['slows'], faster: ['speeds up'] });
    expect(found.slower[0]!.usualDuration).toBeGreaterThan(1_000);
    expect(found.slower[0]!.usualDuration).toBeLessThan(1_050);
    expect(found.noise).toMatchObject({ runs: 30, threshold: expect.any(Number) });
    expect(found.noise.knownShare).toBeCloseTo(44 / 45, 5);
  });
});

describe('a run of another environment', () => {
  const inEnvironment = (environment: string, more: object = {}) => ({ metadata: { environment }, ...more });

  it('is the latest on its commit, else of its branch and not after it', async () => {
    const send = startProject();
    const cases = [passed('a')];
    const older = await send(cases, inEnvironment('staging', { commit: 'aaa' }));
    const production = await send(cases, inEnvironment('production', { commit: 'aaa' }));
    await send(cases, inEnvironment('staging', { commit: 'bbb', branch: 'other' }));
    const run = await send([failed('a')], inEnvironment('local', { commit: 'ccc' }));
    await send(cases, inEnvironment('only later', { commit: 'ddd' }));
    const found = await differences(run, 'environment:staging');
    expect(found).toMatchObject({ otherBy: 'environment', other: { id: older } });
    expect(found.environments).toEqual(['production', 'staging']);
    expect(titlesOf(found)).toEqual({ newFailures: ['a'] });
    expect((await differences(run, 'environment:production')).other?.id).toBe(production);

    const later = await send(cases, inEnvironment('staging', { commit: 'ccc', branch: 'release' }));
    expect((await differences(run, 'environment:staging')).other?.id).toBe(later);
    for (const none of ['unknown', 'only later', 'local']) {
      const empty = await differences(run, `environment:${none}`);
      expect(empty).toMatchObject({ otherBy: 'environment', other: null, sharedTests: 0 });
      expect(titlesOf(empty)).toEqual({});
    }
    await expect(differences(run, 'environment:')).rejects.toMatchObject({ status: 400 });
  });
});

describe('the last run on the base commit of a run', () => {
  it('is of any branch, and there is none without a base commit', async () => {
    const send = startProject();
    const base = await send([passed('a')], { commit: 'base1', branch: 'release' });
    await send([passed('a')], { commit: 'more', branch: 'release' });
    const run = await send([failed('a')], { commit: 'ccc', branch: 'fix', metadata: { baseCommit: 'base1' } });
    const again = await send([passed('a')], { commit: 'base1', branch: 'other' });
    expect(await differences(run, 'base')).toMatchObject({ otherBy: 'base', other: { id: again } });
    expect(await differences(base, 'base')).toMatchObject({ otherBy: 'base', other: null });
  });
});

it('a run that is being sent is not compared with', async () => {
  const send = startProject();
  const projectName = newName();
  const project = { projectName, branch: 'main', commit: 'base1', metadata: { environment: 'staging' } };
  const settled = await send([passed('a')], project);
  const scm = { commit: 'ccc', metadata: { environment: 'local', baseCommit: 'base1' } };
  const run = await send([failed('a')], { ...project, ...scm });
  await server.client.startRun({ body: runStart({ ...project, startTime: minute(1) }) });
  for (const other of ['base', 'environment:staging']) {
    expect((await differences(run, other)).other?.id, other).toBe(settled);
  }
});
