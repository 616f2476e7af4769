import { expect } from '@playwright/test';
import { test } from './shop.ts';

test.describe('Account', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/?token=secret#top');
  });

  test('shows the name of the user', { tag: ['@smoke', '@account'] }, async ({ page }) => {
    test.info().annotations.push({ type: 'issue', description: 'SHOP-1' });
    await test.step('sign in', async () => {
      await page.getByLabel('Password').fill('typed-secret');
      await test.step('load the user', () => page.getByRole('button').click());
    });
    await expect(page.getByRole('status')).toHaveText('Ada');
  });

  test('changes the password', async ({ page }) => {
    await expect(page.getByLabel('Password')).toBeVisible();
  });
});
