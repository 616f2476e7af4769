import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { OverResults } from './filter-box.stories.tsx';

beforeEach(() => window.history.replaceState(null, '', '/'));

const box = page.getByRole('combobox', { name: 'Filter results' });
const found = page.getByRole('list', { name: 'Found' }).getByRole('listitem');

test('completes fields and values of what is loaded, by keys alone', async () => {
  await render(<OverResults />);
  await box.click();
  await userEvent.keyboard('stat');
  await expect.element(page.getByRole('option', { name: /^status/ })).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await expect.element(box).toHaveValue('status:');
  await expect.element(page.getByRole('option', { name: /^skipped/ })).toBeVisible();
  await userEvent.keyboard('skip{Tab}');
  await expect.element(box).toHaveValue('status:skipped ');
  await expect.element(found).toMatchTextContent(/signs in/);
});

test('underlines a mistake, names the nearest field and takes it', async () => {
  await render(<OverResults />);
  await box.fill('statsu:failed');
  await expect.element(page.getByRole('button', { name: 'Use status' })).toBeVisible();
  expect(document.querySelector('mark')!.textContent).toBe('statsu');
  await expect.element(box).toHaveAttribute('aria-invalid', 'true');
  await expect.element(found).toHaveLength(5);
  await page.getByRole('button', { name: 'Use status' }).click();
  await expect.element(found).toHaveLength(2);
});

test('offers what was meant where a colon is missing', async () => {
  await render(<OverResults />);
  await box.fill('login status=failed');
  await expect.element(page.getByRole('button', { name: 'Use status:failed' })).toBeVisible();
  expect(document.querySelector('mark')!.textContent).toBe('status=failed');
  await page.getByRole('button', { name: 'Use status:failed' }).click();
  await expect.element(box).toHaveValue('login status:failed');
});

test('reads both languages and keeps the text in the address', async () => {
  await render(<OverResults />);
  await box.fill('"by card" OR flaky');
  await expect.element(found).toHaveLength(2);
  expect(new URLSearchParams(window.location.search).get('filter')).toBe('"by card" OR flaky');
  await box.fill('t => t.retries > 1');
  await expect.element(found).toHaveLength(1);
  expect(new URLSearchParams(window.location.search).get('filter')).toBe('t => t.retries > 1');
});

test('takes its text from the address', async () => {
  window.history.replaceState(null, '', '/?filter=status%3Afailed');
  await render(<OverResults />);
  await expect.element(box).toHaveValue('status:failed');
  await expect.element(found).toHaveLength(2);
});
