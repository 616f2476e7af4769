import { afterAll, beforeAll, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { createMigrated } from '../migrated-database.ts';
import { type TestServer, startTestServer } from '../server.ts';
import { type CutProxy, startCutProxy } from './cut-proxy.ts';

const RUNS = 20;
const TRIES = 6;

let stop: () => Promise<void>;
let proxy: CutProxy;
let server: TestServer;
let projectId: number;
let runId: number;
beforeAll(async () => {
  const database = await createMigrated();
  proxy = await startCutProxy(database.url);
  server = await startTestServer({ databaseUrl: proxy.url, answerCacheBytes: 0 });
  stop = async () => {
    await server.stop();
    await proxy[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  };
  const projectName = newName();
  for (let run = 0; run < RUNS; run++) {
    const testCases = ['a', 'b', 'c'].map((title) =>
      testCase({ title, status: run % 3 === 0 ? 'failed' : 'passed', error: run % 3 === 0 ? 'Error: no' : null }),
    );
    const body = submission({ projectName, branch: 'main', startTime: minute(run), testCases });
    ({ projectId, testRunId: runId } = await server.client.submitRun({ body }));
  }
});
afterAll(() => stop());

/** Each is a round trip. What happens in the background meanwhile may add some, so the fewest of several tries count. */
const fewestStatements = async (path: string): Promise<number> => {
  let fewest = Infinity;
  for (let n = 0; n < TRIES; n++) {
    const before = proxy.statements;
    const response = await fetch(`${server.url}${path}`);
    expect(response.status, await response.text()).toBe(200);
    fewest = Math.min(fewest, proxy.statements - before);
  }
  return fewest;
};

it.each([
  ['/api/projects', 5],
  ['/api/projects/{project}?limit=50', 7],
  ['/api/projects/{project}/window?branch=main&since={since}', 3],
  ['/api/projects/{project}/performance', 2],
  ['/api/projects/{project}/slow-tests?runs=10', 2],
  ['/api/projects/{project}/flaky-tests?branch=main&since={since}', 3],
  ['/api/projects/{project}/causes?branch=main&since={since}', 2],
  ['/api/projects/{project}/test-cases?limit=1000', 5],
  ['/api/test-runs/{run}?details=false', 7],
  ['/api/admin/stats', 1],
])('GET %s takes at most %i statements', async (path, most) => {
  const address = path
    .replace('{project}', String(projectId))
    .replace('{run}', String(runId))
    .replace('{since}', minute(5));
  expect(await fewestStatements(address)).toBeLessThanOrEqual(most);
});
