import { aCase, aSubmission } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { startTestServer } from './server.ts';

const CASES = 20_000;

describe('an answer that is too large to be built at once', () => {
  it('is whole, the same as its pages, and has no body for HEAD', async () => {
    await using server = await startTestServer();
    const testCases = Array.from({ length: CASES }, (_, index) =>
      aCase({ title: `prüft › Fall ${index}`, error: index % 7 === 0 ? `Fehler ‹${index % 10}› \u0000` : null }),
    );
    const { testRunId: id } = await server.client.submitRun({ body: aSubmission({ testCases }) });

    const whole = await server.client.getRun({ params: { id }, query: { details: false } });
    expect(whole.testCases.map(({ title }) => title)).toEqual(testCases.map(({ title }) => title));
    expect(whole.testCases.map(({ error }) => error)).toEqual(testCases.map(({ error }) => error));

    const withDetails = await server.client.getRun({ params: { id } });
    expect(withDetails.testCases).toHaveLength(CASES);
    const page = await server.client.getRun({ params: { id }, query: { limit: 500 } });
    expect(page.testCases).toEqual(withDetails.testCases.slice(0, 500));

    const head = await fetch(`${server.url}/api/test-runs/${id}`, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect((await fetch(`${server.url}/healthz`)).ok).toBe(true);
  });
});
