import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, sharedServer } from '../../../server/test/server.ts';
import { type Workplace, createWorkplace } from './run-assay.ts';

let server: TestServer;
let place: Workplace;
beforeAll(async () => {
  server = await sharedServer();
  place = createWorkplace({ ASSAY_URL: server.url, ASSAY_PROJECT: 'gated' });
});
afterAll(() => place.remove());

const submit = async (statuses: readonly string[], more: object = {}): Promise<number> => {
  const testCases = statuses.map((status, at) => ({
    title: `test ${at}`,
    location: 'a.spec.ts:1:1',
    status: status === 'flaky' ? 'passed' : status,
    retries: status === 'flaky' ? 1 : 0,
  }));
  const status = statuses.includes('failed') ? 'failed' : 'passed';
  const startTime = new Date().toISOString();
  const body = { projectName: 'gated', status, startTime, testCases, ...more };
  return (await server.client.submitRun({ body })).testRunId;
};

describe('assay gate', () => {
  it('passes a run without failures, fails one with new ones, and names the tests with links', async () => {
    const good = await submit(['passed', 'failed', 'skipped', 'flaky']);
    const bad = await submit(['failed', 'failed', 'skipped', 'flaky']);
    const gate = (...args: string[]) => place.assayHere(['gate', '--run', String(bad), ...args]);
    const [plain, loose, fresh, flaky, address] = await Promise.all([
      gate(),
      gate('--max-failed', '2', '--max-new-failures', '1', '--max-flaky', '1'),
      gate('--max-new-failures', '0'),
      gate('--max-failed', '2', '--max-flaky', '0'),
      place.assayHere(['gate', '--max-failed', '1'], { ASSAY_RUN: `${server.url}/test-runs/${good}` }),
    ]);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toContain('2 tests failed (allowed: 0)');
    expect(loose).toMatchObject({ code: 0, stdout: `assay gate: passed ${server.url}/test-runs/${bad}\n` });
    expect(fresh.code).toBe(1);
    expect(fresh.stdout).toContain('1 test newly failed (allowed: 0)');
    const { testCases } = await server.client.getRun({ params: { id: bad } });
    expect(fresh.stdout).toContain(`test 0 ${server.url}/test-cases/${testCases[0]!.id}`);
    expect(fresh.stdout).not.toContain('test 1 ');
    expect(flaky).toMatchObject({ code: 1, stdout: expect.stringContaining('test 3 http') });
    expect(address.code).toBe(0);
  });

  it('is about the run that was last sent from this folder', async () => {
    expect(await place.assayHere(['gate'])).toMatchObject({ code: 2, stdout: expect.stringContaining('pass --run') });
    writeFileSync(join(place.folder, 'good.tap'), 'TAP version 13\n1..1\nok 1 - a\n');
    writeFileSync(join(place.folder, 'bad.tap'), 'TAP version 13\n1..1\nnot ok 1 - a\n');
    await place.assay(['upload', 'good.tap']);
    expect(await place.assayHere(['gate'])).toMatchObject({ code: 0 });
    await place.assay(['upload', 'bad.tap']);
    const json = await place.assay(['gate', '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      verdict: { kind: 'broken', broken: [{ tests: [{ title: 'a' }] }] },
    });
  });

  it('cannot tell by a run of another build or commit', async () => {
    const build = (id: string) => ({ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: id });
    writeFileSync(join(place.folder, 'good.tap'), 'TAP version 13\n1..1\nok 1 - a\n');
    await place.assay(['upload', 'good.tap'], { ...build('7'), GITHUB_SHA: 'abc' });
    const gate = (env: Record<string, string>) => place.assayHere(['gate'], env);
    expect(await gate({ ...build('7'), GITHUB_SHA: 'abc' })).toMatchObject({ code: 0 });
    expect(await gate({ ...build('8'), GITHUB_SHA: 'abc' })).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('is of another build'),
    });
    expect(await gate({ ...build('7'), GITHUB_SHA: 'def' })).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('is of commit abc'),
    });
  });

  it('fails for errors outside of tests, whatever the rules', async () => {
    await submit(['failed', 'passed']);
    const run = await submit(['failed', 'passed'], { metadata: { errors: ['cart.spec.ts cannot be loaded'] } });
    expect(await place.assayHere(['gate', '--run', String(run), '--max-new-failures', '0'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the run failed outside its tests'),
    });
  });

  it('cannot tell while shards are missing, and waits for them when asked', async () => {
    const part = (index: number) => ({ runKey: 'build 7', shard: { index, total: 2 } });
    await submit(['passed'], part(1));
    const args = ['gate', '--run-key', 'build 7'];
    expect(await place.assayHere(args)).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('shard 2 of 2 missing'),
    });
    const waiting = place.assayHere([...args, '--wait', '60']);
    await submit(['passed', 'passed'], part(2));
    expect(await waiting).toMatchObject({ code: 0 });
  });

  it('cannot tell of a run that is not there, has no tests or was interrupted', async () => {
    const empty = await submit([]);
    const interrupted = await submit(['passed'], { status: 'interrupted' });
    const broken = await submit(['passed'], { status: 'failed' });
    const [none, noTests, cut, outside] = await Promise.all([
      place.assayHere(['gate', '--run', '999999']),
      place.assayHere(['gate', '--run', String(empty)]),
      place.assayHere(['gate', '--run', String(interrupted)]),
      place.assayHere(['gate', '--run', String(broken)]),
    ]);
    expect(none).toMatchObject({ code: 2, stdout: expect.stringContaining('There is no test run 999999') });
    expect(noTests).toMatchObject({ code: 2, stdout: expect.stringContaining('the run has no tests') });
    expect(cut).toMatchObject({ code: 2, stdout: expect.stringContaining('did not complete: interrupted') });
    expect(outside).toMatchObject({ code: 1, stdout: expect.stringContaining('the run failed outside its tests') });
  });
});
