import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { TenThousand } from './virtual-rows.stories.tsx';

const rows = page.getByRole('list', { name: 'Tests' }).getByRole('listitem');

test('only what is on screen exists, and each row says its place among all', async () => {
  await render(<TenThousand />);
  await expect.element(rows.first()).toMatchTextContent(/test number 1/);
  expect(rows.elements().length).toBeLessThan(80);
  await expect.element(rows.first()).toHaveAttribute('aria-setsize', '10000');

  window.scrollTo(0, 150_000);
  await expect.element(page.getByText('test number 5000', { exact: true })).toBeInTheDocument();
  expect(rows.elements().length).toBeLessThan(80);
  expect(page.getByText('test number 1', { exact: true }).elements()).toHaveLength(0);
});

test('j and k go through the rows, Enter opens the one that is reached', async () => {
  await render(<TenThousand />);
  await expect.element(rows.first()).toBeVisible();
  await page.getByRole('button', { name: 'Before' }).click();
  await userEvent.keyboard('jjjk{Enter}');
  await expect.element(page.getByRole('status')).toMatchTextContent(/Opened: test number 2/);
  await expect.element(page.getByText('test number 2', { exact: true })).toBeVisible();
  await userEvent.keyboard('j'.repeat(60));
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('status')).toMatchTextContent(/Opened: test number 62/);
});
