import { MOST_CAUSES, MOST_COUNTED_CAUSES } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { minute, newName, submission, testCase } from '../conformance/build.ts';
import { sharedServer, type TestServer } from '../server.ts';

let server: TestServer;
beforeAll(async () => (server = await sharedServer()));

interface Sent {
  readonly branch?: string;
  /** By title; null passed, undefined errors failed without a word. */
  readonly results: Readonly<Record<string, string | null | undefined>>;
}

const send = async (...runs: readonly Sent[]): Promise<{ id: number; runIds: number[] }> => {
  const projectName = newName();
  const runIds: number[] = [];
  let id = 0;
  for (const [at, { branch = 'main', results }] of runs.entries()) {
    const testCases = Object.entries(results).map(([title, error]) =>
      testCase({ title, status: error === null ? 'passed' : 'failed', error: error ?? null }),
    );
    const body = submission({ projectName, branch, status: 'failed', startTime: minute(at), testCases });
    const reply = await server.client.submitRun({ body });
    runIds.push(reply.testRunId);
    id = reply.projectId;
  }
  return { id, runIds };
};

const list = async (id: number, query = {}) =>
  (await server.client.listCauses({ params: { id }, query })).causes.map(
    ({ message, count, tests, runs, history, isNew, runsWithout }) =>
      `${message} ${count}/${tests}/${runs} ${history}${isNew ? ' new' : ''}${runsWithout > 0 ? ` -${runsWithout}` : ''}`,
  );

const visible = (locator: string): string => `Error: expect(locator).toBeVisible() failed\n\nLocator: ${locator}`;

describe('the causes of a project', () => {
  it('are counted over results, tests and runs, the most frequent first', async () => {
    const { id, runIds } = await send(
      { results: { a: 'Error: no bank 1', b: 'Error: no bank 2', c: null } },
      { results: { a: 'Error: no bank 3', b: null, c: 'Error: other' } },
    );
    expect(await list(id)).toEqual(['Error: no bank <*> 3/2/2 FF', 'Error: other 1/1/1 PF new']);
    const [first] = (await server.client.listCauses({ params: { id } })).causes;
    expect(first).toMatchObject({
      firstSeen: { id: runIds[0] },
      lastSeen: { id: runIds[1] },
      sample: 'Error: no bank 3',
    });
  });

  it('are three for three locators, and two for two status codes', async () => {
    const { id } = await send({
      results: {
        a: visible("getByRole('button')"),
        b: visible("getByTestId('total')"),
        c: visible("locator('.cart')"),
        d: 'Error: GET /orders answered 500',
        e: 'Error: GET /orders answered 503',
      },
    });
    expect((await server.client.listCauses({ params: { id } })).totalCauses).toBe(5);
  });

  it('say when they were fixed: runs after the last that has them', async () => {
    const broken = { results: { a: 'Error: x' } };
    const { id } = await send(broken, broken, { results: { a: null } }, { results: { a: null } });
    expect(await list(id)).toEqual(['Error: x 2/1/2 FFPP -2']);
  });

  it('are those of the branch and the days', async () => {
    const { id } = await send(
      { results: { a: 'Error: old' } },
      { branch: 'mine', results: { a: 'Error: mine' } },
      { results: { a: 'Error: now' } },
    );
    expect(await list(id, { branch: 'mine' })).toEqual(['Error: mine 1/1/1 F']);
    expect(await list(id, { branch: 'main', since: minute(1) })).toEqual(['Error: now 1/1/1 F']);
    expect(await list(id, { runs: 1 })).toEqual(['Error: now 1/1/1 F']);
    expect(await list(id, { since: minute(9) })).toEqual([]);
  });

  it('are found by any text of their errors, whatever its case', async () => {
    const { id } = await send({ results: { a: 'Error: x\n    at pay (src/Pay.ts:3:1)', b: 'Error: y' } });
    expect(await list(id, { q: 'PAY.TS' })).toEqual(['Error: x 1/1/1 F']);
    expect(await list(id, { q: 'nowhere' })).toEqual([]);
  });

  it('leave out failures without an error, what passed and what was skipped', async () => {
    const { id } = await send({ results: { a: undefined, b: null } });
    expect(await list(id)).toEqual([]);
  });

  it('are none where no run is, and of no project that is not there', async () => {
    await expect(server.client.listCauses({ params: { id: 999_999 } })).rejects.toMatchObject({ status: 404 });
  });

  it('beyond so many are told as failures that were not counted; causes of the latest runs come first', async () => {
    const words = (number: number): string => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const errors = Array.from({ length: MOST_COUNTED_CAUSES }, (_, at) => `Error: old ${words(at)}`);
    const all = Object.fromEntries(errors.map((error) => [error, error]));
    const { id } = await send({ results: all }, { results: { now: 'Error: now' } });
    const { causes, totalCauses, uncountedFailures } = await server.client.listCauses({ params: { id } });
    expect([causes.length, totalCauses, uncountedFailures]).toEqual([MOST_CAUSES, MOST_COUNTED_CAUSES, 1]);
    expect(causes[0]!.message).toBe('Error: now');
  });

  it('list the tests that failed with them, with the results', async () => {
    const { id, runIds } = await send(
      { results: { a: 'Error: no bank 1', b: 'Error: no bank 2', c: 'Error: other' } },
      { branch: 'mine', results: { a: 'Error: no bank 3' } },
    );
    const cause = 'Error: no bank <*>';
    const failures = async (query: object) => {
      const found = await server.client.listCauseTests({ params: { id }, query: { cause, ...query } });
      const { totalTests, totalFailures } = found;
      const tests = found.tests.map(({ title, results }) => [title, ...results.map(({ id }) => id)]);
      return { totalTests, totalFailures, tests };
    };
    expect(await failures({})).toEqual({
      totalTests: 2,
      totalFailures: 3,
      tests: [
        ['a', runIds[1], runIds[0]],
        ['b', runIds[0]],
      ],
    });
    expect(await failures({ branch: 'mine' })).toEqual({ totalTests: 1, totalFailures: 1, tests: [['a', runIds[1]]] });
    expect(await failures({ cause: 'no such' })).toEqual({ totalTests: 0, totalFailures: 0, tests: [] });
  });
});
