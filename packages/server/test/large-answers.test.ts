import { get } from 'node:http';
import { aCase, aSubmission } from '@assay/testkit';
import { describe, expect, it } from 'vitest';
import { startTestServer } from './server.ts';

const CASES = 20_000;

/** Asks, and leaves when the answer begins. */
const goAway = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (answer) => answer.destroy());
    request.on('error', reject).on('close', resolve);
  });

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

describe('answers that are not kept', () => {
  it('are each their own, also when many are asked for at once and some clients go', async () => {
    await using server = await startTestServer({ answerCacheBytes: 0 });
    const ids: number[] = [];
    for (let run = 0; run < 8; run++) {
      const testCases = Array.from({ length: 300 + 50 * run }, (_, index) =>
        aCase({ title: `Lauf ${run} › ${index}` }),
      );
      ids.push((await server.client.submitRun({ body: aSubmission({ testCases }) })).testRunId);
    }
    const urlOf = (id: number): string => `${server.url}/api/test-runs/${id}?details=false`;
    const alone = new Map<number, string>();
    for (const id of ids) alone.set(id, await (await fetch(urlOf(id))).text());
    for (const [run, id] of ids.entries()) expect(alone.get(id)).toContain(`"title":"Lauf ${run} › 299"`);

    const asked = Array.from({ length: 120 }, (_, n) => ids[n % ids.length]!);
    await Promise.all(
      asked.map(async (id, n) => {
        if (n % 5 === 0) await goAway(urlOf(id));
        else expect(await (await fetch(urlOf(id))).text()).toBe(alone.get(id));
      }),
    );
  });
});
