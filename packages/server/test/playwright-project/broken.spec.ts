import { expect } from '@playwright/test';
import { test } from './shop.ts';

test('a page that fails says so in its console', async ({ page }) => {
  await page.goto('/broken');
  await expect(page.getByRole('heading')).toHaveText('Answered 500');
});
