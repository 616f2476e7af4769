import { createHash } from 'node:crypto';
import {
  type FailureVerdict,
  MOST_VERDICT_TERMS,
  type RunVerdicts,
  type SubmittedCase,
  type VerdictWord,
} from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { type TestServer, sharedServer } from '../server.ts';

const hash = (name: string): string => createHash('sha1').update(name).digest('hex');
const BASE_RUNS = 24;
const BASE = `m${BASE_RUNS - 1}`;

let server: TestServer;
/** A project whose default branch ran so often, with a test that is flaky, one that is broken and one that is skipped. */
let usual: { projectName: string; projectId: number };

const at = (file: string, title: string, fields: Partial<SubmittedCase> = {}): SubmittedCase =>
  testCase({ title, location: `tests/${file}.spec.ts:1:1`, ...fields });
const failing = (error: string, retries = 0): Partial<SubmittedCase> => ({ status: 'failed', error, retries });

const usualCases = (changes: Record<string, Partial<SubmittedCase>> = {}): SubmittedCase[] => [
  ...Array.from({ length: 40 }, (_, number) => {
    const title = `test ${number}`;
    return at(`file${Math.floor(number / 5)}`, title, changes[title]);
  }),
  at('flaky', 'flaky', changes['flaky']),
  at('broken', 'broken', changes['broken'] ?? failing('Error: the price is wrong')),
  at('skipped', 'skipped', changes['skipped'] ?? { status: 'skipped' }),
];

const flakyAttempts: Partial<SubmittedCase> = {
  retries: 1,
  attempts: [
    { status: 'failed', duration: 5, error: 'Error: the animation did not end' },
    { status: 'passed', duration: 5 },
  ],
};

interface Sent {
  readonly projectName: string;
  readonly minutes: number;
  readonly cases: readonly SubmittedCase[];
  readonly branch?: string;
  readonly commit?: string;
  readonly base?: string;
}

const send = ({ projectName, minutes, cases, branch, commit, base }: Sent) =>
  server.client.submitRun({
    body: submission({
      projectName,
      branch: branch ?? null,
      commit: commit === undefined ? null : hash(commit),
      startTime: minute(minutes),
      metadata: base === undefined ? null : { scm: { baseCommit: hash(base) } },
      testCases: [...cases],
    }),
  });

const judge = (id: number): Promise<RunVerdicts> => server.client.judgeFailures({ params: { id } });

let branches = 0;
/** A run of a branch of its own in the usual project, some days after those of the default branch. */
const onBranch = async (changes: Record<string, Partial<SubmittedCase>>, fields: Partial<Sent> = {}) => {
  const number = ++branches;
  const cases = usualCases(changes);
  const branch = `branch ${number}`;
  const { testRunId } = await send({
    projectName: usual.projectName,
    minutes: 10_000 + 1_000 * number,
    branch,
    commit: `b${number}`,
    base: BASE,
    cases,
    ...fields,
  });
  const verdicts = await judge(testRunId);
  return { branch, commit: `b${number}`, minutes: 10_000 + 1_000 * number, testRunId, verdicts };
};

const find = async (verdicts: RunVerdicts, runId: number, title: string): Promise<FailureVerdict> => {
  const { testCases } = await server.client.getRun({ params: { id: runId } });
  const { id } = testCases.find((each) => each.title === title)!;
  return verdicts.verdicts.find(({ testCaseId }) => testCaseId === id)!;
};

const verdictOf = async (
  { verdicts, testRunId }: { verdicts: RunVerdicts; testRunId: number },
  title: string,
): Promise<VerdictWord> => (await find(verdicts, testRunId, title)).verdict;

beforeAll(async () => {
  server = await sharedServer();
  const projectName = newName();
  let projectId = 0;
  for (let run = 0; run < BASE_RUNS; run++) {
    const cases = usualCases({
      ...(run % 4 === 0 ? { flaky: flakyAttempts } : {}),
      ...(run < 18 ? { broken: {} } : {}),
    });
    ({ projectId } = await send({ projectName, minutes: run * 60, branch: 'main', commit: `m${run}`, cases }));
  }
  usual = { projectName, projectId };
});

const NEW_ERROR = failing('Error: expected the basket to be empty', 1);

describe('ten ordinary situations', () => {
  it('a branch whose base is known: what it broke is its own, what was broken is not', async () => {
    const run = await onBranch({ 'test 3': NEW_ERROR });
    expect(await verdictOf(run, 'test 3')).toBe('yours');
    expect(await verdictOf(run, 'broken')).toBe('base');
    expect(run.verdicts).toMatchObject({
      failures: 2,
      lookedAt: 2,
      baseBy: 'commit',
      base: { commit: hash(BASE) },
      counts: { yours: 1, base: 1, flake: 0, outage: 0, unknown: 0 },
    });
  });

  it('a branch whose base is not known: it is compared with the latest run, and the answer says so', async () => {
    const run = await onBranch({ 'test 3': NEW_ERROR }, { base: undefined });
    expect(run.verdicts).toMatchObject({ baseBy: 'time', commits: null });
    const { odds, verdict } = await find(run.verdicts, run.testRunId, 'test 3');
    expect(['yours', 'unknown']).toContain(verdict);
    expect(odds.yours).toBeGreaterThan(odds.flake);
  });

  it('another run of the commit passes: it was not the change', async () => {
    const { branch, commit, minutes, testRunId } = await onBranch({ 'test 4': NEW_ERROR });
    const again = { projectName: usual.projectName, branch, commit, base: BASE, cases: usualCases() };
    await send({ ...again, minutes: minutes + 1 });
    await send({ ...again, minutes: minutes + 2 });
    const verdicts = await judge(testRunId);
    const { verdict, terms } = await find(verdicts, testRunId, 'test 4');
    expect(verdict).toBe('flake');
    expect(terms).toContainEqual(expect.objectContaining({ kind: 'commit', count: 0, of: 2 }));
  });

  it('the first run of a project says nothing of what its change did', async () => {
    const cases = usualCases({ 'test 1': NEW_ERROR, 'test 2': failing('Error: something else') });
    const { testRunId } = await send({ projectName: newName(), minutes: 0, branch: 'main', commit: 'a', cases });
    const verdicts = await judge(testRunId);
    expect(verdicts).toMatchObject({ base: null, baseBy: null, comparedRuns: 0, counts: { unknown: 3 } });
  });

  it('a branch that is all red may be its change or an outage', async () => {
    const all = Object.fromEntries(usualCases().map(({ title }) => [title, failing(`Error: nothing works`)]));
    const { counts } = (await onBranch(all)).verdicts;
    expect(counts.yours).toBe(0);
    expect(counts.unknown).toBeGreaterThan(35);
  });

  it('a test that the change adds, and that fails, is its own', async () => {
    const added = at('added', 'added', NEW_ERROR);
    const run = await onBranch({}, { cases: [...usualCases(), added] });
    expect(await verdictOf(run, 'added')).toBe('yours');
    const { terms } = await find(run.verdicts, run.testRunId, 'added');
    expect(terms).toContainEqual(expect.objectContaining({ kind: 'base', outcome: 'new' }));
  });

  it('a test that was renamed goes on to be broken', async () => {
    const cases = usualCases().map((one) => (one.title === 'broken' ? { ...one, title: 'broken, renamed' } : one));
    const run = await onBranch({}, { cases });
    expect(await verdictOf(run, 'broken, renamed')).toBe('base');
  });

  it('a test that was renamed and fails in another way is not known', async () => {
    const cases = usualCases().map((one) =>
      one.title === 'test 9' ? at('file1', 'test 9, renamed', failing('Error: the price is wrong')) : one,
    );
    expect(await verdictOf(await onBranch({}, { cases }), 'test 9, renamed')).toBe('unknown');
  });

  it('a test that was skipped at the base may have been broken there', async () => {
    expect(await verdictOf(await onBranch({ skipped: NEW_ERROR }), 'skipped')).toBe('unknown');
  });

  it('a test that is flaky at the base is flaky here, if its error is the one it had', async () => {
    const known = await onBranch({ flaky: failing('Error: the animation did not end', 1) });
    expect(await verdictOf(known, 'flaky')).toBe('flake');
    const { terms } = await find(known.verdicts, known.testRunId, 'flaky');
    expect(terms).toContainEqual(expect.objectContaining({ kind: 'rate', count: 6, of: 24 }));
    expect(terms).toContainEqual(expect.objectContaining({ kind: 'cause', outcome: 'before', count: 6, of: 6 }));
    const other = await find((await onBranch({ flaky: NEW_ERROR })).verdicts, known.testRunId + 1, 'flaky');
    expect(other.verdict).not.toBe('flake');
  });

  it('an outage that other branches had too is one', async () => {
    const refused = failing('Error: connect ECONNREFUSED 127.0.0.1:5432');
    const down = Object.fromEntries(Array.from({ length: 25 }, (_, number) => [`test ${number}`, refused]));
    const first = await onBranch(down);
    const { testRunId } = await send({
      projectName: usual.projectName,
      minutes: first.minutes + 30,
      branch: 'beside it',
      commit: 'beside it',
      base: BASE,
      cases: usualCases(down),
    });
    const { counts } = await judge(testRunId);
    expect(counts).toEqual({ yours: 0, base: 1, flake: 0, outage: 25, unknown: 0 });
  });

  it('runs without commits are compared with the one before', async () => {
    const projectName = newName();
    for (let run = 0; run < 30; run++) await send({ projectName, minutes: run, cases: usualCases() });
    const { testRunId } = await send({ projectName, minutes: 30, cases: usualCases({ 'test 1': NEW_ERROR }) });
    const verdicts = await judge(testRunId);
    expect(verdicts).toMatchObject({ baseBy: 'previous', commits: null, comparedRuns: 30, counts: { base: 1 } });
    expect((await find(verdicts, testRunId, 'test 1')).odds.yours).toBeGreaterThan(0.5);
  });
});

describe('the files of the change', () => {
  it('speak for it where they are those of the test, and against it where nothing changed', async () => {
    const commits = [
      { name: 'touching', files: ['tests/file2.spec.ts'] },
      { name: 'elsewhere', files: ['src/other.ts'] },
    ].map(({ name, files }) => ({
      hash: hash(name),
      parents: [hash(BASE)],
      time: minute(5_000),
      author: 'Ada',
      subject: name,
      files: files.map((path) => ({ path, change: 'modified' as const })),
    }));
    const base = { ...commits[0]!, hash: hash(BASE), parents: [], files: [] };
    await server.client.sendCommits({ body: { projectName: usual.projectName, commits: [base, ...commits] } });
    const filesOf = async (commit: string) => {
      const run = await onBranch({ 'test 12': NEW_ERROR }, { commit });
      const { terms, odds } = await find(run.verdicts, run.testRunId, 'test 12');
      return { files: terms.find(({ kind }) => kind === 'files'), odds, commits: run.verdicts.commits };
    };
    const touching = await filesOf('touching');
    expect(touching).toMatchObject({ commits: 1, files: { outcome: 'touched', count: 1 } });
    expect(touching.files!.bits.yours).toBeGreaterThan(1);
    const elsewhere = await filesOf('elsewhere');
    expect(elsewhere.files!.outcome).toBe('untouched');
    expect(elsewhere.odds.yours).toBeLessThan(touching.odds.yours);
    const same = await filesOf(BASE);
    expect(same).toMatchObject({ commits: 0, files: { count: 0 } });
    expect(same.odds.yours).toBeLessThan(0.1);
  });
});

it('the bits of all terms add up to the odds', async () => {
  const { verdicts } = (await onBranch({ 'test 3': NEW_ERROR, flaky: NEW_ERROR })).verdicts;
  for (const { terms, odds } of verdicts) {
    const sum = (reason: keyof typeof odds) => 2 ** terms.reduce((all, { bits }) => all + bits[reason], 0);
    const all = sum('yours') + sum('base') + sum('flake') + sum('outage');
    expect(sum('yours') / all).toBeCloseTo(odds.yours, 1);
    expect(odds.yours + odds.base + odds.flake + odds.outage).toBeCloseTo(1, 2);
  }
});

it('a green run and one without results have nothing to judge', async () => {
  for (const cases of [[testCase()], []]) {
    const { testRunId } = await send({ projectName: newName(), minutes: 0, cases });
    expect(await judge(testRunId)).toMatchObject({ failures: 0, lookedAt: 0, verdicts: [] });
  }
});

it('no other run than those that are there is judged', async () => {
  await expect(judge(999_999)).rejects.toMatchObject({ status: 404 });
});

it('terms are told of the first failures, and of one that is asked for', async () => {
  const count = MOST_VERDICT_TERMS + 50;
  const cases = Array.from({ length: count }, (_, number) => at('many', `many ${number}`, failing('Error: no bank')));
  const { testRunId: id } = await send({ projectName: newName(), minutes: 0, cases });
  const { verdicts, lookedAt } = await judge(id);
  expect(lookedAt).toBe(count);
  expect(verdicts.map(({ terms }) => terms.length > 0)).toEqual(
    Array.from({ length: count }, (_, number) => number < MOST_VERDICT_TERMS),
  );
  const last = verdicts.at(-1)!;
  const one = await server.client.judgeFailures({ params: { id }, query: { result: last.testCaseId } });
  expect(one).toMatchObject({
    failures: count,
    lookedAt: 1,
    verdicts: [{ testCaseId: last.testCaseId, odds: last.odds }],
  });
  expect(one.verdicts[0]!.terms.length).toBeGreaterThan(3);
  const none = await server.client.judgeFailures({ params: { id }, query: { result: 1 } });
  expect(none).toMatchObject({ failures: count, lookedAt: 0, verdicts: [] });
});
