import { expect, type Page } from '@playwright/test';
import { test } from './shop.ts';

const addBook = (page: Page, title: string) =>
  test.step(`add “${title}” to the basket`, () =>
    page.getByRole('article').filter({ hasText: title }).getByRole('button').click());

test.describe('Checkout', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/');
  });

  test('keeps the basket when the page is loaded again', async ({ page }) => {
    await addBook(page, 'Austerlitz');
    // Does not wait for the answer at first, as flaky tests do.
    if (test.info().retry > 0) await expect(page.getByLabel('Basket')).toHaveText('1 book');
    await page.reload();
    await expect(page.getByLabel('Basket')).toHaveText('1 book', { timeout: 500 });
  });

  test('pays by card', { tag: ['@smoke', '@payment'] }, async ({ page }) => {
    await addBook(page, 'Middlemarch');
    await addBook(page, 'Invisible Cities');
    await expect(page.getByLabel('Basket')).toHaveText('2 books');
    await test.step('pay', async () => {
      await page.getByRole('button', { name: 'Checkout' }).click();
      await page.getByLabel('Name').fill('Dorothea Brooke');
      await page.getByLabel('Card number').fill('4242 4242 4242 4242');
      await page.getByRole('button', { name: 'Pay' }).click();
    });
    await expect(page.getByText('Thank you for your order')).toBeVisible({ timeout: 1_500 });
  });

  test('asks for a name', async ({ page }) => {
    await page.getByRole('button', { name: 'Checkout' }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await expect(page.getByLabel('Name')).toBeFocused();
  });
});
