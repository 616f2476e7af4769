import { createHash } from 'node:crypto';
import { ApiError, type Commit, type CommitsSent, MAX_OWNERS_LENGTH } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { inDatabase } from '../in-database.ts';
import { type TestServer, sharedServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const hash = (name: string): string => createHash('sha1').update(name).digest('hex');

const commit = (name: string, parents: readonly string[], more: Partial<Commit> = {}): Commit => ({
  hash: hash(name),
  parents: parents.map(hash),
  time: minute(name.charCodeAt(0)),
  author: 'Ada',
  subject: `Commit ${name}`,
  files: [{ path: `src/${name}.ts`, change: 'modified' }],
  ...more,
});

const owners = (text: string, more: Partial<NonNullable<CommitsSent['owners']>> = {}) => ({
  hash: createHash('sha256').update(text).digest('hex'),
  text,
  ...more,
});

const newProject = async (files: readonly string[] = ['web/cart.spec.ts', 'api/pay.spec.ts', 'other.spec.ts']) => {
  const projectName = newName();
  const testCases = files.map((file) => testCase({ title: `in ${file}`, location: `${file}:1:1` }));
  const ids = await server.client.submitRun({ body: submission({ projectName, branch: 'main', testCases }) });
  const send = (sent: Omit<CommitsSent, 'projectName'>) =>
    server.client.sendCommits({ body: { projectName, ...sent } });
  const between = (from: string | null, to: string) =>
    server.client.listCommits({
      params: { id: ids.projectId },
      query: { to: hash(to), ...(from === null ? {} : { from: hash(from) }) },
    });
  const ownersOfTests = async () => {
    const tests = await server.client.listTests({ params: { id: ids.projectId } });
    return Object.fromEntries(tests.map((test) => [test.filePath, test.owners]));
  };
  return { ...ids, projectName, send, between, ownersOfTests };
};

const names = ({ commits }: { readonly commits: readonly Commit[] }) =>
  commits.map(({ subject }) => subject.slice('Commit '.length)).join('');

const refused = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof ApiError)) throw new Error('It was not refused');
  return error;
};

describe('commits', () => {
  it('that are missing are asked for, and sent once', async () => {
    const { send } = await newProject();
    const history = ['c', 'b', 'a'].map(hash);
    expect(await send({ history })).toEqual({ success: true, missing: history, wantsOwners: false });
    await send({ commits: [commit('b', ['a']), commit('a', [], { files: null })] });
    const { missing } = await send({ history, commits: [commit('b', ['x'], { subject: 'Another' })] });
    expect(missing, 'a commit without its files is asked for again').toEqual([hash('c'), hash('a')]);
  });

  it('between two are those that only one contains', async () => {
    // a - b - c - f (merge of c and e), with d and e on a branch from b.
    const { send, between, projectId } = await newProject();
    const graph = [commit('f', ['c', 'e']), commit('e', ['d']), commit('d', ['b']), commit('c', ['b'])];
    await send({ commits: [...graph, commit('b', ['a']), commit('a', [])] });
    expect(names(await between('b', 'c'))).toBe('c');
    expect(names(await between('c', 'f'))).toBe('fed');
    expect(names(await between('e', 'f'))).toBe('fc');
    expect(names(await between('f', 'c')), 'all of an older one is in a newer one').toBe('');
    expect(names(await between(null, 'b'))).toBe('ba');
    expect(await between('c', 'f')).toMatchObject({ complete: true, endsAt: null, shallow: false });
    const [newest] = (await between('c', 'f')).commits;
    expect(newest).toEqual(commit('f', ['c', 'e']));
    const query = { to: hash('c').slice(0, 8), from: hash('b').slice(0, 7) };
    expect(names(await server.client.listCommits({ params: { id: projectId }, query })), 'by abbreviations').toBe('c');
  });

  it('say where the history ends', async () => {
    const { send, between } = await newProject();
    await send({ commits: [commit('d', ['c']), commit('c', ['b'], { files: null })] });
    expect(await between('a', 'd'), 'of an unknown one nothing is said').toMatchObject({
      complete: false,
      commits: [],
    });
    expect(await between(null, 'd')).toMatchObject({ complete: false, endsAt: hash('c'), shallow: true });
    expect(await between('c', 'd'), 'what is behind both does not matter').toMatchObject({ complete: true });
    expect(await between('c', 'unknown')).toEqual({ commits: [], complete: false, endsAt: null, shallow: false });
    await send({ commits: [commit('c', ['b'])] });
    expect(await between(null, 'd'), 'a fuller clone told more').toMatchObject({ complete: false, shallow: false });
    await send({ commits: [commit('b', ['a']), commit('a', [])] });
    expect(await between('a', 'd')).toMatchObject({ complete: true });
  });

  it('of a side branch may be behind what is not known of the other, and then are not said to be all', async () => {
    // What is behind `c` is not known: it may contain `s`, which comes from `b`.
    const { send, between } = await newProject();
    await send({ commits: [commit('m', ['s', 'c']), commit('s', ['b']), commit('c', ['b', 'u']), commit('b', [])] });
    expect(names(await between('c', 'm'))).toBe('sm');
    expect(await between('c', 'm')).toMatchObject({ complete: false, endsAt: hash('c'), shallow: false });
  });

  it('that are very many, or have very many files, are answered in part, and the answer says so', async () => {
    const { send, between } = await newProject();
    const path = 'x'.repeat(3_900);
    const files = Array.from({ length: 100 }, (_, nth) => ({ path: `${path}${nth}`, change: 'added' as const }));
    // Together more than the two million letters that an answer has room for.
    for (let nth = 0; nth < 6; nth++)
      await send({ commits: [commit(`f${nth}`, nth === 0 ? [] : [`f${nth - 1}`], { files })] });
    const { commits } = await between(null, 'f5');
    const told = commits.map((one) => one.files!.length);
    expect(told.reduce((sum, count) => sum + count)).toBeLessThan(600);
    expect(commits.map((one, nth) => told[nth]! + (one.moreFiles ?? 0))).toEqual(Array.from({ length: 6 }, () => 100));
    const line = Array.from({ length: 1_100 }, (_, nth) => commit(`n${nth}`, nth === 0 ? [] : [`n${nth - 1}`]));
    for (let first = 0; first < line.length; first += 500) await send({ commits: line.slice(first, first + 500) });
    const all = await between(null, 'n1099');
    expect([all.commits.length, all.complete, all.endsAt]).toEqual([1_000, false, null]);
    expect(await between('n100', 'n1099')).toMatchObject({ complete: true, commits: { length: 999 } });
  });

  it('are found by their first characters, unless several begin with them', async () => {
    const { send, projectId } = await newProject();
    const [one, other] = ['1', '2'].map((last) => `${'c0ffee'.repeat(6)}abc${last}`);
    await send({ commits: [one, other].map((hash) => commit('a', [], { hash: hash! })) });
    const found = async (to: string) => {
      const { commits } = await server.client.listCommits({ params: { id: projectId }, query: { to } });
      return commits.map(({ hash }) => hash);
    };
    expect(await found(one!)).toEqual([one]);
    expect(await found(one!.slice(0, 39))).toEqual([]);
    await send({ commits: [commit('b', [], { hash: `${'decade'.repeat(6)}abcd` })] });
    expect(await found('decaded')).toEqual([`${'decade'.repeat(6)}abcd`]);
  });

  it('in a circle end', async () => {
    const { send, between } = await newProject();
    await send({ commits: [commit('a', ['b']), commit('b', ['a'])] });
    expect(names(await between(null, 'a'))).toBe('ba');
    expect(names(await between('b', 'a'))).toBe('');
  });

  it.each<[string, Omit<CommitsSent, 'projectName'>, string]>([
    ['a time that is none', { commits: [commit('a', [], { time: 'yesterday' })] }, '/commits/0/time'],
    ['itself as a parent', { commits: [commit('a', ['a'])] }, '/commits/0/parents'],
    ['a short hash', { commits: [commit('a', [], { hash: 'abc1234' })] }, '/commits/0/hash'],
    ['too many', { history: Array.from({ length: 501 }, () => hash('a')) }, '/history'],
    ['too many files', { commits: [commit('a', [], { files: manyFiles(1_001) })] }, '/commits/0/files'],
    ['a text of another hash', { owners: { ...owners('* @a'), text: '* @b' } }, '/owners/hash'],
    ['a text that is too long', { owners: owners('#'.repeat(MAX_OWNERS_LENGTH + 1)) }, '/owners/text'],
    ['too many loose patterns', { owners: owners('*.x @a\n'.repeat(1_001)) }, '/owners/text'],
  ])('with %s are refused', async (_, sent, path) => {
    const { send } = await newProject();
    const { status, body } = await refused(send(sent));
    expect([status, body?.issues?.[0]?.path]).toEqual([400, path]);
  });

  it('with an unknown kind of change are told the known ones', async () => {
    const { send } = await newProject();
    const files = [{ path: 'a', change: 'eaten' as 'added' }];
    const { message } = await refused(send({ commits: [commit('a', [], { files })] }));
    expect(message).toBe('commits.0.files.0.change must be "added" or "modified" or "deleted" or "renamed"');
  });

  it('are stored without what else a body has, however deep', async () => {
    const { send, between, projectName } = await newProject();
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const body = JSON.stringify({ projectName, more: 0, commits: [{ ...commit('a', []), more: 0 }], owners: null });
    const response = await fetch(`${server.url}/api/commits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body.replaceAll('"more":0', `"more":${deep}`).replace('{"path"', `{"more":${deep},"path"`),
    });
    expect(response.status).toBe(200);
    expect((await between(null, 'a')).commits).toEqual([commit('a', [])]);
    await send({ commits: [commit('b', [], { files: [{ path: '\ud800', change: 'renamed', from: '\udfff' }] })] });
    const [b] = (await between(null, 'b')).commits;
    expect(b!.files).toEqual([{ path: '\ufffd', change: 'renamed', from: '\ufffd' }]);
  });

  it('of a project that does not exist are refused', async () => {
    const { status, message } = await refused(server.client.sendCommits({ body: { projectName: 'nothing' } }));
    expect(status).toBe(404);
    expect(message).toContain('projectName');
  });

  it('of a megabyte of owners are refused whole', async () => {
    const { send, between } = await newProject();
    const sent = { commits: [commit('a', [])], owners: owners('# long\n'.repeat(160_000)) };
    expect((await refused(send(sent))).status).toBe(413);
    expect((await between(null, 'a')).commits).toEqual([]);
  });
});

function manyFiles(count: number): Commit['files'] {
  return Array.from({ length: count }, (_, nth) => ({ path: `f${nth}`, change: 'added' as const }));
}

describe('owners', () => {
  const TEXT = '* @all\n/web/ @web @design\n/api/\n';

  it('are unknown until a file is told, and then on every test and result', async () => {
    const { send, ownersOfTests, projectId, testRunId } = await newProject();
    expect(await ownersOfTests()).toEqual({});
    expect(await server.client.listOwners({ params: { id: projectId } })).toEqual({ known: false, owners: [] });
    expect(await send({ owners: owners(TEXT, { text: undefined }) })).toMatchObject({ wantsOwners: true });
    expect(await send({ owners: owners(TEXT) })).toMatchObject({ wantsOwners: false });
    expect(await send({ owners: owners(TEXT, { text: undefined }) })).toMatchObject({ wantsOwners: false });
    const expected = { 'web/cart.spec.ts': ['@web', '@design'], 'api/pay.spec.ts': [], 'other.spec.ts': ['@all'] };
    expect(await ownersOfTests()).toEqual(expected);
    const { testCases } = await server.client.getRun({ params: { id: testRunId } });
    for (const { id, testId, filePath } of testCases) {
      const found = expected[filePath as keyof typeof expected];
      expect((await server.client.getTestCase({ params: { id } })).owners).toEqual(found);
      expect((await server.client.getTest({ params: { id: testId } })).owners).toEqual(found);
    }
    expect(testCases.map(({ owners: found }) => found)).toEqual(Object.values(expected));
  });

  it('and commits go with their project', async () => {
    const { send, projectId } = await newProject();
    await send({ commits: [commit('a', [])], owners: owners(TEXT, { files: [{ file: 'a', path: null }] }) });
    const rowsIn = async (table: string) =>
      (await inDatabase(server.dataDir, `SELECT project_id FROM ${table} WHERE project_id = ?`, projectId)).length;
    const stored = () => Promise.all(['commits', 'codeowners', 'spelled_files'].map(rowsIn));
    expect(await stored()).toEqual([1, 1, 1]);
    await server.client.deleteProject({ params: { id: projectId } });
    expect(await stored()).toEqual([0, 0, 0]);
  });

  it('are told by the default branch', async () => {
    const { send, ownersOfTests } = await newProject(['a.ts']);
    await send({ branch: 'topic', owners: owners('* @topic') });
    expect(await ownersOfTests(), 'better than nothing').toEqual({ 'a.ts': ['@topic'] });
    await send({ branch: 'main', owners: owners('* @main') });
    expect(await send({ branch: 'topic', owners: owners('* @topic') })).toMatchObject({ wantsOwners: false });
    expect(await ownersOfTests()).toEqual({ 'a.ts': ['@main'] });
    await send({ branch: 'topic', owners: null });
    expect(await ownersOfTests()).toEqual({ 'a.ts': ['@main'] });
    await send({ branch: 'main', owners: null });
    expect(await ownersOfTests()).toEqual({});
  });

  it('are of the path in the repository, however results spell it', async () => {
    const files = [
      'com.acme.CartTest',
      './web/cart.spec.ts',
      '/home/ci/web/a.ts',
      '../web/a.ts',
      'C:\\web\\a.ts',
      'twice.py',
    ];
    const { send, ownersOfTests } = await newProject(files);
    const told = [
      { file: 'com.acme.CartTest', path: 'web/src/test/java/com/acme/CartTest.java' },
      { file: 'twice.py', path: null },
    ];
    await send({ branch: 'main', owners: owners('* @all\n/web/ @web', { files: told }) });
    expect(await ownersOfTests()).toEqual({
      'com.acme.CartTest': ['@web'],
      './web/cart.spec.ts': ['@web'],
      '/home/ci/web/a.ts': [],
      '../web/a.ts': [],
      'C:/web/a.ts': [],
      'twice.py': [],
    });
    await send({ owners: owners('* @all\n/web/ @web', { files: [{ file: 'twice.py', path: 'twice.py' }] }) });
    expect(await ownersOfTests()).toMatchObject({ 'twice.py': ['@all'] });
  });

  it('have figures, those with most failing tests first and nobody last', async () => {
    const projectName = newName();
    const at = (file: string, fields: object) => testCase({ title: file, location: `${file}:1:1`, ...fields });
    const submit = (start: number, testCases: ReturnType<typeof at>[]) =>
      server.client.submitRun({
        body: submission({ projectName, startTime: minute(start), status: 'failed', testCases }),
      });
    await submit(0, [at('web/a', { status: 'failed' }), at('web/b', {}), at('api/c', { retries: 1 }), at('d', {})]);
    const { projectId } = await submit(1, [at('web/a', { status: 'failed' }), at('web/b', {}), at('api/c', {})]);
    await server.client.sendCommits({ body: { projectName, owners: owners('/web/ @web\n/api/ @api @web') } });
    const { owners: found } = await server.client.listOwners({ params: { id: projectId } });
    expect(found).toEqual([
      { owner: '@web', tests: 3, failing: 1, flaky: 1, passedRuns: 4, failedRuns: 2, lastFailure: minute(1) },
      { owner: '@api', tests: 1, failing: 0, flaky: 1, passedRuns: 2, failedRuns: 0, lastFailure: null },
      { owner: null, tests: 1, failing: 0, flaky: 0, passedRuns: 1, failedRuns: 0, lastFailure: null },
    ]);
    const { owners: latest } = await server.client.listOwners({ params: { id: projectId }, query: { runs: 1 } });
    expect(latest.map(({ owner, tests }) => [owner, tests])).toEqual([
      ['@web', 3],
      ['@api', 1],
    ]);
  });
});
