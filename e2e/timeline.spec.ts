import { expect, test } from './journey.ts';
import { findPlaces, show, showNext } from './pages.ts';

test('a failure is found on the timeline of its run by keys, with what ran beside it, by a link that can be shared', async ({
  demoPage: page,
  demo,
}) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}`);
  await page.getByRole('link', { name: 'Timeline' }).click();
  await expect(page.getByText('Wall time')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Workers' }).getByRole('row').nth(1)).toContainText('Worker 1');
  const chart = page.getByRole('application', { name: 'Results over time' });
  await chart.focus();
  await page.keyboard.press('+');
  await page.keyboard.press('n');
  const selected = page.getByRole('region', { name: 'Selected result' });
  await expect(selected.getByRole('heading', { name: 'Running when it failed' })).toBeVisible();
  await expect(page).toHaveURL(/from=\d+/);
  await expect(page).toHaveURL(/result=\d+/);
  const failure = await selected.getByRole('link').first().textContent();
  await page.reload();
  await expect(selected.getByRole('link').first()).toHaveText(failure!);
  await expect(page.getByRole('button', { name: 'Show all' })).toBeEnabled();
  await chart.focus();
  await page.keyboard.press('0');
  await expect(page).not.toHaveURL(/from=/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/test-cases\/\d+$/);
});

test('a timeline is zoomed by the wheel, moved by dragging, and its results are pointed at and clicked', async ({
  demoPage: page,
  demo,
}) => {
  const { run } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}/timeline`);
  const chart = page.getByRole('application', { name: 'Results over time' });
  const { x, y, width } = (await chart.boundingBox())!;
  await page.mouse.move(x + width / 2, y + 37);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await expect(page).toHaveURL(/from=\d+/);
  const before = new URL(page.url()).searchParams;
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 100, y + 37, { steps: 4 });
  await page.mouse.up();
  await expect
    .poll(() => Number(new URL(page.url()).searchParams.get('from')))
    .toBeLessThan(Number(before.get('from')));
  await expect(page).not.toHaveURL(/result=/);
  for (let at = 0.3; at < 0.9 && !page.url().includes('result='); at += 0.05) {
    await page.mouse.click(x + width * at, y + 37);
  }
  await expect(page).toHaveURL(/result=\d+/);
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(/\/test-cases\/\d+$/);
});

test('a run whose clocks are odd, and one without start times, say so', async ({ page, empty }) => {
  const send = async (times: readonly (string | undefined)[]): Promise<number> => {
    const testCases = times.map((startTime, at) => ({
      title: `case ${at}`,
      status: 'passed',
      duration: 500,
      ...(startTime === undefined ? {} : { startTime, lane: 0 }),
    }));
    const startTime = '2026-01-05T09:00:00Z';
    const { testRunId } = await empty.client.submitRun({
      body: { projectName: 'shop', status: 'passed', startTime, duration: 4000, testCases },
    });
    return testRunId;
  };
  const odd = await send(['2026-01-05T09:00:01Z', '2019-01-05T09:00:01Z', undefined]);
  await showNext(page, empty, `/test-runs/${odd}/timeline`);
  await expect(page.getByText('The times of this run are implausible')).toBeVisible();
  await expect(page.getByText('1 of 3 results has no start time')).toBeVisible();
  await expect(page.getByText('Wall time')).toHaveCount(0);
  const none = await send([undefined]);
  await showNext(page, empty, `/test-runs/${none}/timeline`);
  await expect(page.getByRole('region', { name: 'No result of this run has a start time' })).toBeVisible();
});

test.describe('on a touch screen', () => {
  test.use({ ownContext: true, hasTouch: true, viewport: { width: 390, height: 844 } });

  test('two fingers zoom a timeline, one moves it', async ({ page, demo }) => {
    const { run } = await findPlaces(demo);
    await show(page, demo, `/test-runs/${run}/timeline`);
    const chart = page.getByRole('application', { name: 'Results over time' });
    await chart.scrollIntoViewIfNeeded();
    const { x, y, width } = (await chart.boundingBox())!;
    const devTools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...across: readonly number[]) =>
      devTools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: across.map((share, id) => ({ id, x: x + width * share, y: y + 37 })),
      });
    const fromInAddress = (): number => Number(new URL(page.url()).searchParams.get('from'));
    await touch('touchStart', 0.5, 0.6);
    for (const by of [0.05, 0.1, 0.15]) await touch('touchMove', 0.5 - by, 0.6 + by);
    await touch('touchEnd');
    await expect.poll(fromInAddress).toBeGreaterThan(0);
    const zoomed = fromInAddress();
    await touch('touchStart', 0.7);
    for (const at of [0.65, 0.6, 0.55]) await touch('touchMove', at);
    await touch('touchEnd');
    await expect.poll(fromInAddress).toBeGreaterThan(zoomed);
  });
});
