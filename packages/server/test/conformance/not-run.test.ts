import { type SubmittedNotRun, notRunText } from '@assay/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../server.ts';
import { newName, submission, testCase } from './build.ts';
import { expectIssue, sendJson } from './wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const skipped = (title: string, notRun: SubmittedNotRun, more: object = {}) =>
  testCase({ title, status: 'skipped', location: 'tests/order.spec.ts:9:1', notRun, ...more });

describe('a test that did not run', () => {
  it('says why in its run, its page and its history, with the result that failed before it', async () => {
    const paid = { title: 'is paid', location: 'tests/order.spec.ts:3:1', browser: 'chromium' };
    const { testRunId } = await server.client.submitRun({
      body: submission({
        projectName: newName(),
        testCases: [
          testCase({ ...paid, status: 'failed' }),
          testCase({ ...paid, browser: 'firefox', status: 'passed' }),
          skipped('is sent', {
            reason: 'serial',
            title: 'is paid',
            location: 'tests\\order.spec.ts',
            browser: 'chromium',
          }),
          skipped('is lost', { reason: 'failure', title: 'is elsewhere' }),
          skipped('is left', { reason: 'maxFailures' }),
          testCase({ title: 'is pending', status: 'skipped', annotations: [{ type: 'did not run' }] }),
          testCase({ title: 'is skipped', status: 'skipped', annotations: [{ type: 'skip' }] }),
        ],
      }),
    });
    const { testCases } = await server.client.getRun({ params: { id: testRunId }, query: { details: false } });
    expect(testCases.map(({ notRun }) => (notRun ? notRunText(notRun) : null))).toEqual([
      null,
      null,
      'Did not run because “is paid” failed before it in its serial group',
      'Did not run because “is elsewhere” failed',
      'Did not run because the run ended at its maximum number of failures',
      'Did not run; why was not reported',
      null,
    ]);
    const [failed, , sent, lost] = testCases;
    const notRun = { reason: 'serial', title: 'is paid', filePath: 'tests/order.spec.ts', browser: 'chromium' };
    const { notRun: linked, history } = await server.client.getTestCase({ params: { id: sent!.id } });
    expect(linked).toEqual({ ...notRun, testCaseId: failed!.id });
    expect(history[0]!.notRun).toEqual(notRun);
    const { notRun: unlinked } = await server.client.getTestCase({ params: { id: lost!.id } });
    expect(unlinked).toEqual({ reason: 'failure', title: 'is elsewhere', filePath: 'unknown', browser: null });
    const { results } = await server.client.getTest({ params: { id: sent!.testId } });
    expect(results[0]!.notRun).toEqual(notRun);
  });

  it.each([
    [{}, '/reason'],
    [{ reason: 'moon' }, ''],
    [{ reason: 'serial', title: 5 }, '/title'],
    [{ reason: 'serial', title: 'x'.repeat(1_001) }, '/title'],
  ])('is refused with %j', async (notRun, path) => {
    const body = { ...submission(), testCases: [{ ...testCase(), notRun }] };
    const response = await sendJson(server, 'POST', '/api/test-runs/submit', body);
    expect(response.status).toBe(400);
    if (path !== '') await expectIssue(response, `/testCases/0/notRun${path}`);
  });
});
