import { MOST_CLUSTERS_OF_RUN } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, sharedServer } from '../server.ts';
import { minute, newName, submission, testCase } from './build.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

interface Sent {
  readonly branch?: string;
  readonly environment?: string;
  /** Errors by title; null passed. */
  readonly results: Readonly<Record<string, string | null>>;
}

let sent = 0;

const send = async (projectName: string, ...runs: readonly Sent[]): Promise<{ id: number; runIds: number[] }> => {
  const runIds: number[] = [];
  let id = 0;
  for (const { branch = 'main', environment, results } of runs) {
    const testCases = Object.entries(results).map(([title, error]) =>
      testCase({ title, status: error === null ? 'passed' : 'failed', error }),
    );
    const metadata = environment === undefined ? {} : { environment };
    const body = submission({ projectName, branch, metadata, startTime: minute(sent++), testCases });
    const reply = await server.client.submitRun({ body });
    runIds.push(reply.testRunId);
    id = reply.projectId;
  }
  return { id, runIds };
};

const list = (id: number, query = {}) => server.client.listClusters({ params: { id }, query });
const told = async (id: number, query = {}) =>
  (await list(id, query)).clusters.map(
    ({ cause, failures, runs, life }) => `${cause} ${failures}/${runs} ${life.state}`,
  );
const get = (id: number) => server.client.getCluster({ params: { id } });
const update = (id: number, body: Parameters<typeof server.client.updateCluster>[0]['body']) =>
  server.client.updateCluster({ params: { id }, body });

const bank = (n: number): string => `Error: no bank ${n}\n    at pay (/app/src/pay.ts:${n}:1)`;

describe('the clusters of a project', () => {
  it('are its causes over all runs, the last seen first', async () => {
    const name = newName();
    const { id, runIds } = await send(
      name,
      { results: { a: bank(1), b: bank(2), c: 'Error: old' } },
      { results: { a: bank(3), b: null } },
    );
    expect(await told(id)).toEqual(['Error: no bank <*> 3/2 open', 'Error: old 1/1 open']);
    const [first] = (await list(id)).clusters;
    expect(first).toMatchObject({ firstSeen: { id: runIds[0] }, lastSeen: { id: runIds[1] }, joined: 0 });
    await send(name, { results: { d: 'Error: old' } });
    expect(await told(id)).toEqual(['Error: old 2/2 open', 'Error: no bank <*> 3/2 open']);
  });

  it('are none where nothing failed, and where a failure has no words', async () => {
    const { id } = await send(newName(), { results: { a: null } });
    expect(await list(id)).toEqual({ clusters: [], unreadRuns: 0 });
  });

  it('go on, are fixed and return', async () => {
    const name = newName();
    const red = { results: { a: bank(1) } };
    const green = { results: { a: null } };
    const { id } = await send(name, red, red, red, red, red, green, green, green, green);
    expect(await told(id)).toEqual(['Error: no bank <*> 5/5 fixed']);
    expect(await told(id, { state: 'open' })).toEqual([]);
    await send(name, red);
    expect(await told(id, { state: 'returned' })).toEqual(['Error: no bank <*> 6/6 returned']);
    expect((await list(id)).clusters[0]!.life).toMatchObject({ returnedAfter: 4, seenIn: 1, runsWithout: 0 });
  });

  it('are found by words in any case, page by page', async () => {
    const { id } = await send(newName(), { results: { a: 'Error: Alpha', b: 'Error: beta', c: 'Error: gamma' } });
    expect(await told(id, { q: 'ALPHA' })).toEqual(['Error: Alpha 1/1 open']);
    const answer = await fetch(`${server.url}/api/projects/${id}/clusters?limit=2`);
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')![1]!;
    const { clusters } = (await answer.json()) as { clusters: { cause: string }[] };
    const rest = (await (await fetch(new URL(next, server.url))).json()) as { clusters: { cause: string }[] };
    const causes = [...clusters, ...rest.clusters].map(({ cause }) => cause);
    expect(causes.toSorted()).toEqual(['Error: Alpha', 'Error: beta', 'Error: gamma']);
  });

  it('lose a run that is deleted, and go with their last one unless people said something of them', async () => {
    const { id, runIds } = await send(
      newName(),
      { results: { a: bank(1), b: 'Error: one' } },
      { results: { a: bank(2), c: 'Error: two' } },
    );
    const { clusters } = await list(id);
    const noted = clusters.find(({ cause }) => cause === 'Error: two')!;
    const gone = clusters.find(({ cause }) => cause === 'Error: one')!;
    await update(noted.id, { note: 'Known to Ada' });
    for (const runId of runIds) await server.client.deleteRun({ params: { id: runId } });
    expect(await told(id)).toEqual([]);
    await expect(get(gone.id)).rejects.toThrow('There is no cluster');
    expect(await get(noted.id)).toMatchObject({ note: 'Known to Ada', runs: 0, firstSeen: null, sample: null });
  });

  it('of a run with very many causes are some of them', async () => {
    const words = Array.from({ length: MOST_CLUSTERS_OF_RUN + 5 }, (_, at) =>
      [...String(at)].map((digit) => 'abcdefghij'[Number(digit)]).join(''),
    );
    const results = Object.fromEntries(words.map((word) => [word, `Error: no ${word}`]));
    const { runIds } = await send(newName(), { results });
    const { totalClusters, clusters } = await server.client.listRunClusters({ params: { id: runIds[0]! } });
    expect(totalClusters).toBe(MOST_CLUSTERS_OF_RUN);
    expect(clusters).toHaveLength(50);
  });
});

describe('a cluster', () => {
  it('has its tests, runs, branches, environments and places', async () => {
    const { id, runIds } = await send(
      newName(),
      { environment: 'staging', results: { a: bank(1), b: bank(2) } },
      { branch: 'cart', results: { a: bank(1), b: 'Error: other' } },
    );
    const found = (await list(id, { q: 'bank' })).clusters[0]!;
    expect(await get(found.id)).toMatchObject({
      cause: 'Error: no bank <*>',
      projectId: id,
      joinedTo: null,
      latestRuns: [
        { id: runIds[1], failures: 1 },
        { id: runIds[0], failures: 2 },
      ],
      branches: [
        { branch: 'cart', runs: 1 },
        { branch: 'main', runs: 1 },
      ],
      environments: [
        { environment: null, runs: 1 },
        { environment: 'staging', runs: 1 },
      ],
      tests: { totalTests: 2, totalFailures: 3, tests: [{ title: 'a', failures: 2 }, { title: 'b' }] },
      places: ['/app/src/pay.ts:1:1', '/app/src/pay.ts:2:1'],
      sample: { error: bank(1), result: { id: runIds[1] } },
      similar: [],
    });
  });

  it('takes note, assignee, link and snooze, and tells the audit log', async () => {
    const { id } = await send(newName(), { results: { a: bank(1) } });
    const { id: clusterId } = (await list(id)).clusters[0]!;
    const said = {
      note: ' Bank is down ',
      assignee: '@payments',
      issueUrl: 'https://tracker.test/7',
      snoozedUntil: '2030-01-01T00:00:00.000Z',
    };
    await update(clusterId, said);
    await update(clusterId, {});
    expect((await list(id)).clusters[0]).toMatchObject({ ...said, note: 'Bank is down' });
    await update(clusterId, { note: '', snoozedUntil: null });
    expect((await list(id)).clusters[0]).toMatchObject({ note: null, assignee: '@payments', snoozedUntil: null });
    const entries = await server.client.listAudit({ query: { limit: 2 } });
    expect(entries.map(({ action, details }) => ({ action, details }))).toEqual([
      { action: 'cluster.update', details: { projectId: id, changed: ['note', 'snoozed_until'] } },
      {
        action: 'cluster.update',
        details: { projectId: id, changed: ['note', 'assignee', 'issue_url', 'snoozed_until'] },
      },
    ]);
  });

  it('refuses what it cannot be told', async () => {
    const { id } = await send(newName(), { results: { a: bank(1) } });
    const { id: other } = await send(newName(), { results: { a: bank(1) } });
    const own = (await list(id)).clusters[0]!.id;
    const foreign = (await list(other)).clusters[0]!.id;
    await expect(update(own, { issueUrl: 'javascript:alert(1)' })).rejects.toThrow('issueUrl must be an address');
    await expect(update(own, { snoozedUntil: 'tomorrow' })).rejects.toThrow('snoozedUntil must');
    await expect(update(own, { joinedTo: own })).rejects.toThrow('joinedTo is this cluster');
    await expect(update(own, { joinedTo: foreign })).rejects.toThrow('joinedTo is no cluster of this project');
    await expect(update(9_999_999, { note: 'x' })).rejects.toThrow('There is no cluster 9999999');
    await expect(get(9_999_999)).rejects.toThrow('There is no cluster 9999999');
  });

  it('is proposed to be joined with similar ones, joined and parted', async () => {
    const checkout = 'Error: expect(locator).toBeVisible() failed\n\nLocator: getByTestId(';
    const { id, runIds } = await send(
      newName(),
      { results: { a: `${checkout}'pay')`, z: 'TypeError: nothing like it' } },
      { results: { a: `${checkout}'buy')` } },
      { results: { a: `${checkout}'pay')`, b: `${checkout}'buy')` } },
    );
    const clusterOf = async (word: string) => (await list(id, { q: word })).clusters[0]!;
    const pay = await clusterOf('pay');
    const buy = await clusterOf('buy');
    expect((await get(pay.id)).similar).toMatchObject([{ id: buy.id, cause: buy.cause }]);
    await update(buy.id, { joinedTo: pay.id });
    expect((await list(id)).clusters.map(({ cause }) => cause)).toEqual([pay.cause, 'TypeError: nothing like it']);
    expect(await clusterOf('buy')).toMatchObject({ id: pay.id, joined: 1, failures: 4, runs: 3 });
    expect(await get(pay.id)).toMatchObject({
      causes: [
        { id: pay.id, runs: 2 },
        { id: buy.id, runs: 2 },
      ],
      latestRuns: [{ failures: 2 }, { id: runIds[1], failures: 1 }, { failures: 1 }],
      similar: [],
    });
    expect(await get(buy.id)).toMatchObject({ joinedTo: pay.id });
    const [shown] = (await server.client.listRunClusters({ params: { id: runIds[2]! } })).clusters;
    expect(shown).toMatchObject({ id: pay.id, failuresHere: 2, isNew: false });
    await update(buy.id, { joinedTo: null });
    expect((await list(id)).clusters.map(({ id: found }) => found).toSorted()).toContain(buy.id);
    expect(await clusterOf('pay')).toMatchObject({ joined: 0, failures: 2, runs: 2 });
  });

  it('joined with one that was joined itself belongs to the first, with those that it has', async () => {
    const { id } = await send(newName(), { results: { a: 'Error: a', b: 'Error: b', c: 'Error: c' } });
    const clusterOf = async (q: string) => (await list(id, { q: `error: ${q}` })).clusters[0]!.id;
    const [a, b, c] = [await clusterOf('a'), await clusterOf('b'), await clusterOf('c')];
    await update(b, { joinedTo: c });
    await update(c, { joinedTo: a });
    expect((await get(a)).causes.map(({ id: joined }) => joined)).toEqual([a, b, c]);
    await expect(update(a, { joinedTo: b })).rejects.toThrow('was joined with it');
    await update(c, { joinedTo: null });
    expect((await get(a)).causes.map(({ id: joined }) => joined)).toEqual([a, b]);
    expect((await list(id)).clusters).toHaveLength(2);
  });
});

describe('the clusters of a run', () => {
  it('are new ones first, then those with most failures', async () => {
    const name = newName();
    const old = { a: bank(1), b: bank(2), c: 'Error: old' };
    const { runIds } = await send(name, { results: old }, { results: { ...old, d: 'Error: new' } }, { results: old });
    const shown = async (runId: number) =>
      (await server.client.listRunClusters({ params: { id: runId } })).clusters.map(
        ({ cause, failuresHere, isNew }) => `${cause} ${failuresHere}${isNew ? ' new' : ''}`,
      );
    expect(await shown(runIds[1]!)).toEqual(['Error: new 1 new', 'Error: no bank <*> 2', 'Error: old 1']);
    expect(await shown(runIds[2]!)).toEqual(['Error: no bank <*> 2', 'Error: old 1']);
    await expect(server.client.listRunClusters({ params: { id: 9_999_999 } })).rejects.toThrow('no test run');
  });

  it('follow the run while its shards arrive', async () => {
    const shared = { projectName: newName(), runKey: 'build 1', startTime: minute(sent++) };
    const failed = (title: string, error: string) => testCase({ title, status: 'failed', error });
    const submit = (index: number, error: string) =>
      server.client.submitRun({
        body: submission({ ...shared, shard: { index, total: 2 }, testCases: [failed(`t${index}`, error)] }),
      });
    const { testRunId, projectId } = await submit(1, bank(1));
    expect(await told(projectId)).toEqual(['Error: no bank <*> 1/1 open']);
    await submit(2, bank(2));
    expect(await told(projectId)).toEqual(['Error: no bank <*> 2/1 open']);
    const { clusters } = await server.client.listRunClusters({ params: { id: testRunId } });
    expect(clusters).toMatchObject([{ failuresHere: 2, isNew: true }]);
  });
});

describe('a query over clusters', () => {
  const ask = async (project: number, query = {}) => {
    const { clusters, nextCursor, groups } = await server.client.query({
      query: { over: 'clusters', project, ...query },
    });
    return { causes: clusters?.map(({ cause }) => cause), nextCursor, groups };
  };

  it('finds them by a filter, in an order, page by page, and counts them', async () => {
    const red = { a: 'Error: often', b: 'Error: once' };
    const { id } = await send(
      newName(),
      { results: red },
      ...Array.from({ length: 6 }, () => ({ results: { a: 'Error: often', b: null } })),
    );
    expect((await ask(id)).causes).toEqual(['Error: often', 'Error: once']);
    expect((await ask(id, { filter: 'runs:>3' })).causes).toEqual(['Error: often']);
    expect((await ask(id, { filter: 'once' })).causes).toEqual(['Error: once']);
    expect((await ask(id, { filter: 'c => c.failures < 5 && c.note === null' })).causes).toEqual(['Error: once']);
    const first = await ask(id, { order: 'failures', limit: 1 });
    expect(first.causes).toEqual(['Error: once']);
    const second = await ask(id, { order: 'failures', limit: 1, cursor: first.nextCursor! });
    expect(second).toMatchObject({ causes: ['Error: often'], nextCursor: null });
    expect((await ask(id, { by: 'status' })).groups).toEqual([{ key: 'open', count: 2, share: 1 }]);
    expect((await ask(id, { since: minute(sent) })).causes).toEqual([]);
  });

  it('says what it cannot take', async () => {
    const { id } = await send(newName(), { results: { a: 'Error: often' } });
    await expect(ask(id, { branch: 'main' })).rejects.toThrow('branch must be left out');
    await expect(ask(id, { by: 'file' })).rejects.toThrow('by must be one of status');
    await expect(ask(id, { filter: 'title:x' })).rejects.toThrow('filter is wrong');
    await expect(server.client.query({ query: { over: 'clusters' } })).rejects.toThrow('project is required');
  });
});
