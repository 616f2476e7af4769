import { expect, test } from './journey.ts';
import { sendAttachments } from './send-attachments.ts';

test('a picture appears in a run where one points, and stands beside the error with all else that was sent', async ({
  page,
  empty,
}) => {
  const { run } = await sendAttachments(page, empty);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${empty.url}/test-runs/${run}`);
  const mark = page.getByRole('link', { name: /^Picture of Basket/ });
  await expect(mark).toBeVisible();
  expect(asked.filter((url) => url.includes('/api/files/'))).toEqual([]);
  const tip = page.getByRole('tooltip');
  // What loads above it may move it away from the pointer.
  await expect(async () => {
    await mark.hover();
    await expect(tip).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(tip.getByRole('img')).toHaveJSProperty('naturalWidth', 1440);
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
  await mark.focus();
  await expect(tip).toBeVisible();
  await page.keyboard.press('Enter');

  const error = page.getByRole('region', { name: 'Error' });
  const thumbnail = error.getByRole('link', { name: 'Open screenshot.png' });
  await expect(thumbnail.locator('img')).toHaveJSProperty('naturalWidth', 1440);
  await expect(error.getByText('Not a picture that can be shown, although it was sent as image/png')).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Attempts' }).getByRole('link', { name: 'Open first.png' }),
  ).toBeVisible();

  await error.getByText('receipt', { exact: true }).click();
  await expect(error.getByText('- Total 8.99')).toBeVisible();
  await expect(error.getByText('+ Total NaN')).toBeVisible();
  await error.getByText('order.json').click();
  await expect(error.getByText('"currency": "GPB"')).toBeVisible();
  const file = page.waitForEvent('download');
  await error.getByRole('link', { name: 'Download core.bin' }).click();
  expect((await file).suggestedFilename()).toBe('core.bin');

  await thumbnail.click();
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('img', { name: 'screenshot.png' })).toHaveJSProperty('naturalWidth', 1440);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await viewer.getByText('Difference', { exact: true }).click();
  const words = viewer.getByText(/pixels differ visibly .*Computed here, as no difference was sent/);
  await expect(words).toBeVisible();

  await page.goto(page.url());
  await expect(words).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
});
