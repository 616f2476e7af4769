import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

/** Tests `a`, `b` and `c` in each run: passed, failed, flaky or left out. */
const send = async (...runs: readonly string[]): Promise<number> => {
  const projectName = newName();
  let id = 0;
  for (const [at, letters] of runs.entries()) {
    const testCases = [...letters].flatMap((letter, test) =>
      letter === '-'
        ? []
        : testCase({
            title: 'abc'[test]!,
            status: letter === 'F' ? 'failed' : 'passed',
            retries: letter === 'K' ? 1 : 0,
            duration: 60_000,
            error: letter === 'F' ? 'Error: no bank' : null,
          }),
    );
    const body = submission({ projectName, branch: 'main', commit: `c${at}`, startTime: minute(at), testCases });
    ({ projectId: id } = await server.client.submitRun({ body }));
  }
  return id;
};

const cost = (id: number) => server.client.getFlakeCost({ params: { id } });

describe('what failures by chance cost', () => {
  it('is counted in red runs and minutes', async () => {
    // The first test is known to be flaky; the second one is broken for two runs, the third one once and for a reason.
    const id = await send('KPP', 'FPP', 'PFP', 'PFP', 'FPF', 'PPP', 'FPP', 'PPP');
    const found = await cost(id);
    expect(found).toMatchObject({ runs: 8, outages: 0, redRuns: 5, redByChance: 2, withOneMoreRetry: null });
    expect(found.failedMinutes).toBe(6);
    expect(found.minutesByChance).toBe(3);
    expect(found.tests).toMatchObject([{ title: 'a', redRuns: 2, freedRuns: 2, withoutThese: null }]);
  });

  it('is forecast with enough runs', async () => {
    const id = await send('KPP', ...Array.from({ length: 40 }, (_, at) => (at % 4 === 1 ? 'FPP' : 'PPP')));
    const { redByChance, tests, withOneMoreRetry } = await cost(id);
    expect(redByChance).toBe(10);
    expect(tests[0]!.withoutThese).toMatchObject({ redShare: 0, low: 0 });
    expect(withOneMoreRetry!.redShare).toBeLessThan(24);
  });

  it('is nothing in a project where everything passes or fails', async () => {
    const nothing = { redByChance: 0, minutesByChance: 0, tests: [], withOneMoreRetry: null };
    expect(await cost(await send('PPP', 'PPP'))).toMatchObject({ ...nothing, redRuns: 0 });
    expect(await cost(await send('FFF', 'FFF'))).toMatchObject({ ...nothing, redRuns: 2 });
    expect(await cost(await send('FPP'))).toMatchObject({ ...nothing, redRuns: 1 });
  });
});
