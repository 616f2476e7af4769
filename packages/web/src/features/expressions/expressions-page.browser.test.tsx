import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { ExpressionsPage } from './expressions-page.tsx';

beforeEach(() => window.history.replaceState(null, '', '/docs/expressions'));

const box = page.getByRole('combobox', { name: 'Expression' });
const answers = page.getByRole('list', { name: 'Answers' }).getByRole('listitem');
const address = (name: string): string | null => new URLSearchParams(window.location.search).get(name);

test('an expression is asked of the rows and shown in all its forms, by keys alone', async () => {
  await render(<ExpressionsPage />);
  await expect.element(page.getByText('No expression')).toBeVisible();
  await box.click();
  await userEvent.keyboard('ret{Tab}>0 st{Tab}fai{Tab}');
  await expect.element(box).toHaveValue('retries:>0 status:failed ');
  await expect.element(page.getByText(/^1 of 4 rows match/)).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'SQLite' }))
    .toMatchTextContent(/"retries" > \?.*Parameters: 0, "failed".*No residual/);
  await expect.element(page.getByRole('region', { name: 'PostgreSQL' })).toMatchTextContent(/\$1/);
  await expect.element(page.getByLabelText('the outline', { exact: true })).toMatchTextContent(/Lambda t\s+Logical &&/);
  await expect.element(page.getByLabelText('the envelope', { exact: true })).toMatchTextContent(/"v": 1/);
  answers.nth(1).element().querySelector('summary')!.focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('list', { name: 'Parts' })).toMatchTextContent(/t\.retries > 0true/);
});

test('a mistake has its place, its code and what was probably meant', async () => {
  await render(<ExpressionsPage />);
  await box.fill('statsu:failed');
  await expect.element(page.getByText(/at 1–6/)).toMatchTextContent(/at 1–6 field\.unknown/);
  await expect.element(page.getByText('This cannot be read yet')).toBeVisible();
  await page.getByRole('button', { name: 'Use status' }).click();
  await expect.element(page.getByText(/^1 of 4 rows match/)).toBeVisible();
});

test('what is too costly is stopped, and says what to do', async () => {
  const costly = 't => "a".repeat(9e5).replaceAll("", "$&$&$&$&").length > 0';
  window.history.replaceState(null, '', `?${new URLSearchParams({ as: 'js', filter: costly }).toString()}`);
  await render(<ExpressionsPage />);
  await expect.element(page.getByText('Too costly for 4 rows')).toBeVisible();
  await expect.element(page.getByText(/stops after 20,000 steps/)).toBeVisible();
});

test('a search becomes JavaScript and a search again, over other rows, and the address has all of it', async () => {
  await render(<ExpressionsPage />);
  await box.fill('failed:>10');
  await page.getByText('Runs', { exact: true }).click();
  await expect.element(page.getByText(/^1 of 3 rows match/)).toBeVisible();
  await page.getByText('JavaScript', { exact: true }).first().click();
  await expect.element(box).toHaveValue('t => t.failed > 10');
  await page.getByLabelText('Rows as JSON').fill('[{ "failed": 11 }, { "failed": 12 }]');
  await expect.element(page.getByText(/^2 of 2 rows match/)).toBeVisible();
  expect([address('over'), address('as'), address('filter'), address('rows')]).toEqual([
    'runs',
    'js',
    't => t.failed > 10',
    '[{"failed":11},{"failed":12}]',
  ]);
  await page.getByText('Search', { exact: true }).click();
  await expect.element(box).toHaveValue('failed:>10');
  await page.getByLabelText('Rows as JSON').fill(`[{ "failed": 11, "message": "${'x'.repeat(2_000)}" }]`);
  await expect.element(page.getByText(/too long for the address/)).toBeVisible();
  expect(address('rows')).toBeNull();
  await page.getByRole('button', { name: 'Restore samples' }).click();
  await expect.element(page.getByText(/^1 of 3 rows match/)).toBeVisible();
  expect(address('rows')).toBeNull();
});
