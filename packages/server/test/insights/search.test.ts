import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minute, submission, testCase } from '../conformance/build.ts';
import { expectError } from '../conformance/wire.ts';
import { startTestServer, type TestServer } from '../server.ts';

let server: TestServer;
let shop: { projectId: number; testRunId: number };
let later: { projectId: number; testRunId: number };

beforeAll(async () => {
  server = await startTestServer();
  const cases = [
    testCase({ title: 'Zahlt mit KARTE in Zürich', location: 'tests/zahlung/karte.spec.ts:3:1' }),
    testCase({ title: '100% of the basket', location: 'tests/basket_total.spec.ts:3:1' }),
    testCase({ title: '100 of the basket', location: 'tests/basketXtotal.spec.ts:3:1' }),
    testCase({ title: 'cafe\u0301 opens', location: 'tests/other.spec.ts:1:1', browser: 'firefox' }),
  ];
  const body = { projectName: 'Online Shop', testCases: cases };
  shop = await server.client.submitRun({
    body: submission({ ...body, branch: 'feature/Überweisung', commit: 'ABC1234def', startTime: minute(0) }),
  });
  later = await server.client.submitRun({
    body: submission({ ...body, branch: 'main', commit: 'abc9999', startTime: minute(1) }),
  });
  const { projectId } = await server.client.submitRun({ body: submission({ projectName: 'backoffice' }) });
  await server.client.updateProject({ params: { id: projectId }, body: { label: 'Büro' } });
});
afterAll(() => server.stop());

const search = (q: string, limit?: number) => server.client.searchEverything({ query: { q, limit } });
const titles = async (q: string): Promise<string[]> => (await search(q)).tests.map(({ title }) => title);

describe('projects are found', () => {
  it.each([
    ['shop', ['Online Shop']],
    ['SHOP online', ['Online Shop']],
    ['BÜRO', ['backoffice']],
    ['shop büro', []],
  ])('by name and label: %s', async (q, names) => {
    expect((await search(q)).projects.map(({ name }) => name)).toEqual(names);
  });
});

describe('runs are found', () => {
  it('by their number, with and without #', async () => {
    for (const q of [`#${shop.testRunId}`, String(shop.testRunId)]) {
      const [found] = (await search(q)).runs;
      expect(found).toMatchObject({ id: shop.testRunId, commit: 'ABC1234def', project: { name: 'Online Shop' } });
    }
  });

  it.each([
    ['überweisung', 1],
    ['abc', 2],
    ['abc9', 1],
    ['bc9', 0],
    ['main abc9', 1],
    ['main abc1', 0],
  ])('by branch and beginning of the commit: %s', async (q, count) => {
    expect((await search(q)).runs).toHaveLength(count);
  });

  it('newest first, and no more than asked for', async () => {
    expect((await search('abc')).runs.map(({ id }) => id)).toEqual([later.testRunId, shop.testRunId]);
    expect((await search('abc', 1)).runs.map(({ id }) => id)).toEqual([later.testRunId]);
  });
});

describe('tests are found', () => {
  it.each([
    ['zürich karte', ['Zahlt mit KARTE in Zürich']],
    ['ZÜRICH', ['Zahlt mit KARTE in Zürich']],
    ['caf\u00e9', ['cafe\u0301 opens']],
    ['100%', ['100% of the basket']],
    ['basket_total', ['100% of the basket']],
    ['%', ['100% of the basket']],
    ['zahlung/karte', ['Zahlt mit KARTE in Zürich']],
    ['karte opens', []],
    ["'; drop table tests; --", []],
    ['\\', []],
  ])('by title and file: %s', async (q, found) => {
    expect(await titles(q)).toEqual(found);
  });

  it('with their project', async () => {
    expect((await search('café')).tests[0]).toEqual({
      id: expect.any(Number),
      title: 'cafe\u0301 opens',
      filePath: 'tests/other.spec.ts',
      browser: 'firefox',
      project: { id: shop.projectId, name: 'Online Shop', label: null },
    });
  });
});

describe('a search', () => {
  it('of blanks finds nothing', async () => {
    expect(await search('  ')).toEqual({
      projects: [],
      runs: [],
      tests: [],
      errors: [],
      searchedNewest: { runs: null, tests: null, errors: null },
    });
  });

  it('that leaves out what is older than the newest 3 says so, unless it found as many as were asked for', async () => {
    await using small = await startTestServer({ mostSearched: 3 });
    const run = async (...titles: string[]) =>
      small.client.submitRun({ body: submission({ testCases: titles.map((title) => testCase({ title })) }) });
    const seek = (q: string, limit?: number) => small.client.searchEverything({ query: { q, limit } });
    await run('old pear', 'apple', 'plum');
    expect(await seek('pear')).toMatchObject({
      tests: [{ title: 'old pear' }],
      searchedNewest: { runs: null, tests: null, errors: null },
    });
    await run('new pear');
    expect(await seek('pear')).toMatchObject({
      tests: [{ title: 'new pear' }],
      searchedNewest: { runs: null, tests: 3, errors: null },
    });
    expect((await seek('pear', 1)).searchedNewest).toEqual({ runs: null, tests: null, errors: null });
    await run();
    await run();
    expect((await seek('pear')).searchedNewest).toEqual({ runs: 3, tests: 3, errors: null });
  });

  it.each(['', '?q=', `?q=${'x'.repeat(201)}`, '?q=a&limit=0', '?q=a&limit=51', '?q=a&limit=x'])(
    '%s is refused',
    async (query) => {
      const error = await expectError(await fetch(`${server.url}/api/search${query}`), 400, 'invalid_query');
      expect(error.issues?.length).toBeGreaterThan(0);
    },
  );

  it('is not answered again until something changes', async () => {
    const ask = (etag = '') => fetch(`${server.url}/api/search?q=shop`, { headers: { 'if-none-match': etag } });
    const etag = (await ask()).headers.get('etag')!;
    expect((await ask(etag)).status).toBe(304);
    await server.client.updateProject({ params: { id: shop.projectId }, body: { label: 'Store' } });
    const changed = await ask(etag);
    expect(await changed.json()).toMatchObject({ projects: [{ label: 'Store' }] });
  });
});

describe('errors are found', () => {
  it('by the words of their cause, as the cluster that they were joined with', async () => {
    const failed = (error: string) => testCase({ title: error, status: 'failed', error });
    const { projectId } = await server.client.submitRun({
      body: submission({ testCases: [failed('Error: ÜBERLAUF of disk'), failed('Error: other Überlauf')] }),
    });
    const causes = async (q: string) => (await search(q)).errors.map(({ cause }) => cause);
    expect(await causes('überlauf error:')).toEqual(['Error: other Überlauf', 'Error: ÜBERLAUF of disk']);
    expect(await causes('überlauf disk')).toEqual(['Error: ÜBERLAUF of disk']);
    expect(await causes('überlauf nowhere')).toEqual([]);
    const { clusters } = await server.client.listClusters({ params: { id: projectId } });
    const [first, second] = clusters.map(({ id }) => id);
    await server.client.updateCluster({ params: { id: second! }, body: { joinedTo: first! } });
    expect((await search('überlauf')).errors.map(({ clusterId }) => clusterId)).toEqual([first]);
    await server.client.updateProject({ params: { id: projectId }, body: { archived: true } });
    expect(await causes('überlauf')).toEqual([]);
  });
});
