import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedServer } from '../../../server/test/server.ts';
import { type Range, type Tries, mostInformative, weigh } from '../../src/cli/bisect-posterior.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { COMMAND } from '../built-reporter.ts';
import { measureBisect } from './bisect-truth.ts';

const COMMITS = 14;
const BROKEN_AT = 9;

let folder: string;
let repository: string;
let hashes: string[];
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
    .toString()
    .trim();

/** Fails from one commit on, and before it in every so many runs; it also leaves a change behind. */
const CHECK = `
mode=$1; counter=$2; value=$(cat value.txt)
runs=$(($(cat "$counter" 2>&- || echo 0) + 1))
echo $runs > "$counter"
echo changed > value.txt
if [ $mode = slow ]; then touch "$counter.started"; exec sleep 30; fi
if [ $mode = skip ] && [ $value -gt 5 ] && [ $value -lt 9 ]; then exit 125; fi
if [ $value -ge ${BROKEN_AT} ]; then exit 1; fi
if [ $mode = flaky ] && [ $((runs % 4)) = 3 ]; then exit 1; fi
`;

beforeAll(() => {
  vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
  folder = mkdtempSync(join(tmpdir(), 'assay-bisect-'));
  repository = join(folder, 'repository');
  mkdirSync(repository);
  git('init', '-q', '-b', 'main');
  const commits = Array.from({ length: COMMITS }, (_, at) => {
    const [subject, value] = [`Change ${at}`, `${at}\n`];
    return `commit refs/heads/main
committer Ada <ada@example.com> ${1_772_355_600 + at} +0000
data ${subject.length}
${subject}
M 100644 inline value.txt
data ${value.length}
${value}
`;
  });
  execFileSync('git', ['-C', repository, 'fast-import', '--quiet'], { input: commits.join('') });
  git('reset', '-q', '--hard');
  hashes = git('log', '--reverse', '--format=%H').split('\n');
  writeFileSync(join(folder, 'check.sh'), CHECK);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

let runs = 0;
const argumentsOf = (mode: string, flags: readonly string[]): { args: string[]; counter: string } => {
  const counter = join(folder, `counter-${runs++}`);
  return { args: ['bisect', ...flags, '--', 'sh', join(folder, 'check.sh'), mode, counter], counter };
};

/** In this process, which is quicker than one of its own. */
const bisect = async (mode: string, ...flags: string[]): Promise<{ code: number; printed: string }> => {
  let printed = '';
  const stream = { isTTY: false, write: (text: string) => Boolean((printed += text)) };
  const terminal = { env: process.env, cwd: repository, stdout: stream, stderr: stream };
  const code = await runCommand(argumentsOf(mode, flags).args, terminal);
  return { code, printed };
};

const isBack = (): void => {
  expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main');
  expect(git('status', '--porcelain')).toBe('');
};

describe('assay bisect', () => {
  it.each(['steady', 'flaky', 'skip'])('finds the commit, with a command that is %s', async (mode) => {
    // Among commits that cannot be tried no run is the last.
    const limit = mode === 'skip' ? ['--max-runs', '20'] : [];
    const { code, printed } = await bisect(mode, '--good', hashes[0]!, ...limit);
    expect(printed).toMatch(/95 % certain: one of \d+ commits/);
    if (mode === 'skip') expect(printed).toMatch(`Change ${BROKEN_AT} (Ada)`);
    else
      expect(printed).toMatch(new RegExp(`First bad commit, with 95 % certainty:\\n.*Change ${BROKEN_AT} \\(Ada\\)`));
    expect(code).toBe(mode === 'skip' ? 2 : 0);
    isBack();
  });

  it('starts from what the service knows of a test', async () => {
    const server = await sharedServer();
    const ran = [0, 1, 2, 3, 4, 11, 12, 13];
    let projectId = 0;
    for (const at of ran) {
      const status = at >= BROKEN_AT ? 'failed' : 'passed';
      const startTime = new Date(Date.UTC(2026, 2, 1, at)).toISOString();
      const testCases = [{ title: 'counts', location: 'a.spec.ts:1:1', status, duration: 5 }];
      const body = { projectName: 'bisected', branch: 'main', commit: hashes[at]!, status, startTime, testCases };
      ({ projectId } = await server.client.submitRun({ body }));
    }
    const [test] = await server.client.listTests({ params: { id: projectId } });
    const ask = () => bisect('steady', '--test', String(test!.id), '--url', server.url);
    const commits = hashes.map((hash, at) => ({
      hash,
      parents: at === 0 ? [] : [hashes[at - 1]!],
      time: '2026-03-01T10:00:00.000Z',
      author: 'Ada',
      subject: `Change ${at}`,
      files: [],
    }));
    await server.client.sendCommits({ body: { projectName: 'bisected', commits } });
    const { code, printed } = await ask();
    expect(printed).toMatch(`7 commits after ${hashes[4]!.slice(0, 10)}, up to ${hashes[11]!.slice(0, 10)}`);
    expect(printed).toMatch(new RegExp(`First bad commit.*\\n.*Change ${BROKEN_AT} `));
    expect(code).toBe(0);
    isBack();
    const unknown = await bisect('steady', '--test', '987654', '--url', server.url);
    expect(unknown).toMatchObject({ code: 2, printed: expect.stringContaining('test 987654') });
  });

  it('puts the checkout back when it is interrupted', async () => {
    const { args, counter } = argumentsOf('slow', ['--good', hashes[0]!]);
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd: repository, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await expect.poll(() => existsSync(`${counter}.started`), { timeout: 20_000 }).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(2);
    isBack();
  });

  it.each([
    [['--good', 'nowhere'], '--good must name a commit'],
    [[], 'needs --good'],
    [['--good', 'main'], 'nothing that the good one has not'],
    [['--good', 'main~3'], 'does not pass at the good commit'],
    [['--good', 'main~12', '--bad', 'main~8'], 'does not fail at the bad commit'],
    [['--max-runs', 'x', '--good', 'main~3'], '--max-runs must be a whole number'],
  ])('says what is wrong with %j', async (flags, words) => {
    const { code, printed } = await bisect('steady', ...flags);
    expect(printed).toMatch(words);
    expect(code).toBe(2);
    isBack();
  });

  it('does not touch a checkout with changes', async () => {
    writeFileSync(join(repository, 'value.txt'), 'mine\n');
    const { code, printed } = await bisect('steady', '--good', hashes[0]!);
    expect(printed).toMatch('has changes');
    expect(code).toBe(2);
    expect(git('diff')).toMatch('mine');
    git('checkout', '-q', '--', '.');
  });
});

describe('the first bad commit', () => {
  const line = (count: number): Range => ({
    commits: Array.from({ length: count }, (_, at) => String(at)),
    contains: (commit, other) => other <= commit,
    prior: Array.from({ length: count }, () => 1 / count),
    atGood: { passed: 1, failed: 0 },
  });

  it('of commands that fail by chance is mostly the one that is told', async () => {
    const fifth = await measureBisect('tests', { searches: 30, before: 0.2, after: 1 });
    expect(fifth.ended).toBe(1);
    expect(fifth.right).toBeGreaterThanOrEqual(0.95);
    expect(fifth.runs).toBeLessThan(40);
    const never = await measureBisect('tests', { searches: 10, before: 0, after: 1 });
    expect(never).toMatchObject({ ended: 1, right: 1 });
    expect(never.runs).toBeLessThan(fifth.runs);
  });

  it('is first looked for in the middle, and where it is likely', () => {
    const tries = new Map<number, Tries>([[63, { passed: 0, failed: 1 }]]);
    const even = line(64);
    expect(Math.abs(mostInformative(even, weigh(even, tries), () => true)! - 31)).toBeLessThanOrEqual(2);
    const leaning = { ...even, prior: even.prior.map((_, at) => (at >= 50 && at < 54 ? 0.24 : 0.0007)) };
    const next = mostInformative(leaning, weigh(leaning, tries), () => true)!;
    expect(next).toBeGreaterThanOrEqual(50);
    expect(next).toBeLessThan(54);
  });
});
