import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { TwoSeries } from './chart.stories.tsx';

test('a chart has the same figures as a table beside it', async () => {
  await render(<TwoSeries />);
  await expect.element(page.getByRole('figure', { name: 'Test duration' })).toBeVisible();
  await page.getByText('Show as table').click();
  const cells = page
    .getByRole('row')
    .elements()
    .map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(cells).toEqual([
    ['Point', 'Average', 'P90'],
    ['#1', '1.0 s', '2.0 s'],
    ['#2', '–', '2.5 s'],
    ['#3', '3.0 s', '4.0 s'],
  ]);
});

test('the drawing is there for those who see it and hidden from those who do not', async () => {
  await render(<TwoSeries />);
  await expect.poll(() => document.querySelector('canvas')).not.toBeNull();
  expect(document.querySelector('canvas')!.closest('[aria-hidden=true]')).not.toBeNull();
});
