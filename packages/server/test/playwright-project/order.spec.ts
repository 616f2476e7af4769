import { expect } from '@playwright/test';
import { test } from './shop.ts';

test('keeps its items', { tag: '@order' }, async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading')).toHaveText(test.info().retry === 0 ? 'Order' : 'Shop', { timeout: 300 });
});
