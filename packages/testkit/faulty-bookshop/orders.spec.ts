import { expect, type Page } from '@playwright/test';
import { test } from './shop.ts';

const addBook = (page: Page, title: string) =>
  test.step(`add “${title}” to the basket`, () =>
    page.getByRole('article').filter({ hasText: title }).getByRole('button').click());

test.beforeEach(async ({ page }) => {
  await page.goto('/');
});

test('shows all books with their prices', async ({ page }) => {
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByRole('button', { name: '£14.00' })).toBeVisible();
});

test('finds a book by a word of its title', async ({ page }) => {
  await expect(page.getByRole('article')).toHaveCount(6);
  await page.getByLabel('Search books').fill('lighthouse');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['To the Lighthouse']);
});

test('keeps the basket when the page is loaded again', async ({ page }) => {
  await addBook(page, 'Austerlitz');
  await expect(page.getByLabel('Basket')).toHaveText('1 book');
  await page.reload();
  await expect(page.getByLabel('Basket')).toHaveText('1 book');
});

test('pays by card', async ({ page }) => {
  await addBook(page, 'Middlemarch');
  await expect(page.getByLabel('Basket')).toHaveText('1 book');
  await addBook(page, 'Invisible Cities');
  await expect(page.getByLabel('Basket')).toHaveText('2 books');
  await test.step('pay', async () => {
    await page.getByRole('button', { name: 'Checkout' }).click();
    await page.getByLabel('Name').fill('Dorothea Brooke');
    await page.getByLabel('Card number').fill(`4242 4242 4242 ${Math.floor(1_000 + 9_000 * Math.random())}`);
    await page.getByRole('button', { name: 'Pay' }).click();
  });
  await expect(page.getByText('Thank you for your order')).toBeVisible();
});
