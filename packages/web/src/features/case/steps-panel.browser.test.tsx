import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { Failed } from './steps-panel.stories.tsx';

const rows = page.getByRole('list', { name: 'Steps' }).getByRole('listitem');

test('steps stand inside those they belong to, each where it was in time', async () => {
  await render(<Failed />);
  await expect.element(rows).toHaveLength(6);
  await expect.element(page.getByRole('region', { name: 'Steps' })).toMatchTextContent(/6 steps/);
  const left = (title: string): number => page.getByText(title).element().getBoundingClientRect().left;
  expect(left('page.goto(/basket)')).toBeGreaterThan(left('Fill the basket'));
  const bar = (row: number): DOMRect => rows.nth(row).element().querySelector('i')!.getBoundingClientRect();
  expect(bar(3).left).toBeGreaterThanOrEqual(bar(2).right - 1);
  expect(bar(1).right).toBeCloseTo(bar(3).right, 0);
});

test('a group closes and opens, and says how many steps are inside', async () => {
  await render(<Failed />);
  await page.getByRole('button', { name: 'Collapse Fill the basket' }).click();
  await expect.element(rows).toHaveLength(4);
  await expect.element(rows.nth(1)).toMatchTextContent(/2 steps inside/);
  await page.getByRole('button', { name: 'Expand Fill the basket' }).click();
  await expect.element(rows).toHaveLength(6);
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await expect.element(rows).toHaveLength(3);
});
