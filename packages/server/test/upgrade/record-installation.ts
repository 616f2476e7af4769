import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort, until } from '../robustness/service-process.ts';
import { type Sender, createSender, fillInstallation, signIn } from './fill-installation.ts';
import { type Answers, SECRET, packInstallation } from './installation.ts';

/*
 * Makes an installation of another version, with what it answers:
 *
 *   git worktree add /tmp/version <commit> && cp -a node_modules /tmp/version/
 *   node packages/server/test/upgrade/record-installation.ts /tmp/version 97dfad2
 */

const [checkout, name] = process.argv.slice(2);
if (!checkout || !name) throw new Error('Name the checkout of a version, and what to call its installation');

const CASES_OF_A_RUN = 24;

const readAnswers = async ({ get }: Sender): Promise<Answers> => {
  const answers: Answers = {};
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await get<T>(path);
    answers[path] = answer;
    return answer;
  };
  await ask('/api/projects');
  const projects = await ask<{ id: number; name: string }[]>('/api/projects?recent=5');
  for (const path of ['/api/admin/stats', '/api/admin/storage', '/api/admin/cleanup?olderThanDays=1']) await ask(path);
  for (const path of ['/api/admin/audit', '/api/users', '/api/users/1/api-keys', '/api/users/2/api-keys'])
    await ask(path);
  for (const words of ['pays', 'only in run 1', 'history', 'c0ffee7'])
    await ask(`/api/search?q=${encodeURIComponent(words)}`);
  for (const key of ['all%20there', 'one%20missing']) await ask(`/api/run-keys?projectName=shards&runKey=${key}`);
  for (const { id } of projects) {
    const project = `/api/projects/${id}`;
    const { testRuns } = await ask<{ testRuns: { id: number }[] }>(project);
    for (const path of ['?limit=2', '/performance', '/slow-tests', '/slow-tests?runs=100', '/flaky-tests']) {
      await ask(project + path);
    }
    await ask(`${project}/test-cases`);
    const tests = await ask<{ id: number }[]>(`${project}/test-cases?history=30`);
    for (const test of tests.slice(0, CASES_OF_A_RUN)) await ask(`/api/tests/${test.id}`);
    for (const run of testRuns) {
      const path = `/api/test-runs/${run.id}`;
      const { testCases } = await ask<{ testCases: { id: number }[] }>(path);
      for (const part of ['?details=false', '?details=false&limit=3', '/network-requests', '/comparison']) {
        await ask(path + part);
      }
      const step = Math.max(1, Math.floor(testCases.length / CASES_OF_A_RUN));
      for (let nth = 0; nth < testCases.length; nth += step) await ask(`/api/test-cases/${testCases[nth]!.id}`);
    }
  }
  return answers;
};

const dataDir = mkdtempSync(join(tmpdir(), 'assay-record-'));
const port = await freePort();
const service = spawn(process.execPath, [resolve(checkout, 'packages/server/src/main.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    PORT: String(port),
    HOST: '127.0.0.1',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_RUN_QUIET_MINUTES: '1',
    SERVICE_AUTH_ENABLED: 'true',
    SERVICE_AUTH_SECRET: SECRET,
  },
});
try {
  const url = `http://127.0.0.1:${port}`;
  await until('the service answers', () =>
    fetch(`${url}/api/service`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const sender = createSender(url, { cookie: await signIn(url) });
  const database = new DatabaseSync(join(dataDir, 'assay.db'), { readOnly: true, timeout: 5_000 });
  await fillInstallation(sender, database);
  database.close();
  const answers = await readAnswers(sender);
  service.kill('SIGTERM');
  await once(service, 'exit');
  packInstallation(name, dataDir, answers);
} finally {
  service.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}
