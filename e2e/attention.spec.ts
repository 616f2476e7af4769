import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';

const HOUR_MS = 3_600_000;
const RUNS = 70;

test('the page of a project says which tests became flaky or slower, and leads to how that is known', async ({
  page,
  empty: { client, url },
}) => {
  let project = 0;
  for (let run = 0; run < RUNS; run++) {
    const isLate = run >= 40;
    ({ projectId: project } = await client.submitRun({
      body: {
        projectName: 'shop',
        branch: 'main',
        commit: run.toString(16).padStart(40, '0'),
        status: 'passed',
        startTime: new Date(DEMO_END.getTime() - (RUNS - run) * HOUR_MS).toISOString(),
        testCases: [
          { title: 'pays by card', location: 'pay.spec.ts:3:1', status: 'passed', duration: isLate ? 1_800 : 1_000 },
          {
            title: 'adds a book to the cart',
            location: 'cart.spec.ts:3:1',
            status: 'passed',
            duration: 200,
            retries: isLate && run % 3 === 0 ? 1 : 0,
          },
          { title: 'shows the price', location: 'price.spec.ts:3:1', status: 'passed', duration: 300 },
        ],
      },
    }));
  }
  await page.goto(`${url}/projects/${project}`);
  const panel = page.getByRole('region', { name: 'Needs attention' });
  await expect(panel).toContainText('1 test became flaky; 1 test became slower');
  await expect(panel.getByRole('listitem')).toHaveCount(2);
  await expect(panel).toContainText('10 of 28 results were not good at once, before that none of 42');
  await expect(panel).toContainText('by 80 %: usually 1.8 s, before that 1.0 s');
  await panel.getByRole('link', { name: 'pays by card' }).click();
  const since = page.getByRole('region', { name: 'Since when' });
  await expect(since).toContainText('Slower since run');
  await expect(since).toBeInViewport({ ratio: 0.9 });
  await expect.poll(() => page.evaluate('window.scrollY')).toBeGreaterThan(0);
});
