import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { type TestServer, sharedServer } from '../../server/test/server.ts';
import { runCommand } from '../src/cli/run-command.ts';
import { createWorkplace } from './cli/run-assay.ts';
import { createProject } from './project.ts';
import { VITEST } from './vitest-run.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

/** A real repository in a folder. */
const repositoryIn = (folder: string) => {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
      .toString()
      .trim();
  rmSync(join(folder, '.git'), { recursive: true });
  git('init', '-q', '-b', 'main');
  return {
    commit(subject: string, files: Readonly<Record<string, string>>): string {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
        git('add', path);
      }
      git('commit', '-qm', subject);
      return git('rev-parse', 'HEAD');
    },
  };
};

const projectOf = async (name: string): Promise<number> =>
  (await server.client.listProjects()).find((project) => project.name === name)!.id;

const ownersOf = async (id: number) =>
  Object.fromEntries(
    (await server.client.listTests({ params: { id } })).map(({ filePath, owners }) => [filePath, owners]),
  );

it('a run tells its commits and owners, each time what is new', async () => {
  const [config] = Object.values(VITEST.configFor({ projectName: 'told commits' }));
  const spec = `import { test } from 'vitest';\ntest('works', () => {});\n`;
  using project = createProject({ 'e2e/vitest.config.ts': config!, 'e2e/tests/a.spec.ts': spec });
  const repository = repositoryIn(project.folder);
  const first = repository.commit('First', { '.github/CODEOWNERS': '* @all\n/e2e/ @web\n' });
  const { said } = await VITEST.start(project, { ASSAY_URL: server.url }, ['--root=e2e']).ended;
  expect(said).toEqual([expect.stringMatching(/^Assay: 1 passed http/)]);
  const id = await projectOf('told commits');
  expect(await ownersOf(id)).toEqual({ 'e2e/tests/a.spec.ts': ['@web'] });
  const second = repository.commit('Second', { '.github/CODEOWNERS': '* @all\n' });
  const result = '<testcase file="e2e/tests/a.spec.ts" name="works" time="1"/>';
  writeFileSync(join(project.folder, 'report.xml'), `<testsuite name="all">${result}</testsuite>`);
  const silent = { isTTY: false, write: () => true };
  const env = { ASSAY_URL: server.url, ASSAY_SPOOL_DIR: project.spoolDir };
  const terminal = { env, cwd: project.folder, stdout: silent, stderr: silent };
  expect(await runCommand(['upload', 'report.xml', '--project=told commits'], terminal)).toBe(0);
  expect(await ownersOf(id)).toEqual({ 'e2e/tests/a.spec.ts': ['@all'] });
  const { commits } = await server.client.listCommits({ params: { id }, query: { to: second, from: first } });
  expect(commits).toMatchObject([
    { subject: 'Second', author: 'Ada', files: [{ path: '.github/CODEOWNERS', change: 'modified' }] },
  ]);
  const all = await server.client.listCommits({ params: { id }, query: { to: second } });
  expect(all).toMatchObject({ complete: true, commits: { length: 2 } });
});

it('an upload resolves what its report spells as classes, and tells nothing where that is not wanted', async () => {
  const place = createWorkplace({ ASSAY_URL: server.url });
  const repository = repositoryIn(place.folder);
  repository.commit('First', {
    CODEOWNERS: '* @all\n/shop/ @shop\n',
    'shop/src/test/java/com/acme/CartTest.java': '',
    'a/Twice.java': '',
    'b/Twice.java': '',
  });
  const cases = ['com.acme.CartTest', 'Twice', 'Nowhere'].map((name) => `<testcase classname="${name}" name="works"/>`);
  writeFileSync(join(place.folder, 'report.xml'), `<testsuite name="all">${cases.join('')}</testsuite>`);
  const quiet = await place.assayHere(['upload', 'report.xml', '--project=told nothing'], { ASSAY_COMMITS: 'off' });
  expect(quiet.code).toBe(0);
  expect(await server.client.listOwners({ params: { id: await projectOf('told nothing') } })).toMatchObject({
    known: false,
  });
  expect((await place.assayHere(['upload', 'report.xml', '--project=told classes'])).code).toBe(0);
  expect(await ownersOf(await projectOf('told classes'))).toEqual({
    'com.acme.CartTest': ['@shop'],
    Twice: [],
    Nowhere: [],
  });
  for (const [content, why] of [
    ['# too long\n'.repeat(80_000), 'has more than'],
    [Buffer.from('\ufeff* @all\n', 'utf16le'), 'is not UTF-8'],
  ] as const) {
    writeFileSync(join(place.folder, 'CODEOWNERS'), content);
    const uploaded = await place.assayHere(['upload', 'report.xml', '--project=told classes']);
    expect(uploaded).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`owners not sent: CODEOWNERS ${why}`),
    });
  }
  expect(await ownersOf(await projectOf('told classes')), 'what was told stays').toMatchObject({ Twice: [] });
  place.remove();
});
