import { expect } from '@playwright/test';
import { test } from './shop.ts';

/** Each failure costs a worker with a browser of its own. The last test fails once, and needs no other. */
test.describe.configure({ retries: 0 });

test('shows the total', async ({ page }) => {
  await page.goto('/');
  await test.info().attach('order', { body: await page.screenshot(), contentType: 'image/png' });
  await test.step('read the total', async () => {
    await expect(page.getByRole('status')).toHaveText('12.00', { timeout: 300 });
  });
});
