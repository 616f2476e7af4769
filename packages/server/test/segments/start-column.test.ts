import { expect, it } from 'vitest';
import { newName, richCase, submission, testCase } from '../conformance/build.ts';
import { sharedServer } from '../server.ts';

it('a case tells when it began, if its sender said so', async () => {
  const server = await sharedServer();
  const testCases = [
    richCase({ title: 'said', startTime: '2026-01-31T09:00:01.250+01:00' }),
    testCase({ title: 'plain', startTime: '2026-01-31T08:00:02.000Z' }),
    testCase({ title: 'silent' }),
    testCase({ title: 'in milliseconds', startTime: 12 }),
  ];
  const { testRunId: id } = await server.client.submitRun({ body: submission({ projectName: newName(), testCases }) });
  const run = await server.client.getRun({ params: { id } });
  const starts = ['2026-01-31T08:00:01.250Z', '2026-01-31T08:00:02.000Z', undefined, '1970-01-01T00:00:00.012Z'];
  expect(run.testCases.map(({ startTime }) => startTime)).toEqual(starts);
  const first = await server.client.getTestCase({ params: { id: run.testCases[0]!.id } });
  expect(first.startTime).toBe(starts[0]);
});
