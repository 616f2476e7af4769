import { expect } from '@playwright/test';
import { test } from './shop.ts';

test.skip('pays by card', async ({ page }) => {
  await page.goto('/');
});

test.fixme('pays by invoice', async ({ page }) => {
  await page.goto('/');
});

test('counts without a page', () => {
  expect([1, 2, 3]).toHaveLength(3);
});
