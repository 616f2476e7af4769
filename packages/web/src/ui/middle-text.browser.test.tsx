import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { LONG_TITLE } from '../sample-data.ts';
import { Narrow } from './middle-text.stories.tsx';

test('a long title gives way in its middle and keeps its end in sight', async () => {
  await render(<Narrow />);
  const link = page.getByRole('link');
  await expect.element(link).toBeVisible();
  expect(link.element().scrollWidth).toBeLessThanOrEqual(260);
  const [head, tail] = [...link.element().querySelectorAll<HTMLElement>('[aria-hidden=true]')];
  expect(head!.scrollWidth).toBeGreaterThan(head!.clientWidth);
  expect(LONG_TITLE.endsWith(tail!.textContent)).toBe(true);
});

test('the whole of it is on hover, read out and copied', async () => {
  await render(<Narrow />);
  await expect.element(page.getByRole('link', { name: LONG_TITLE, exact: true })).toBeVisible();
  await expect.element(page.getByTitle(LONG_TITLE)).toBeVisible();
  const text = page.getByTitle(LONG_TITLE).element();
  window.getSelection()!.selectAllChildren(text);
  const copying = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true });
  text.dispatchEvent(copying);
  expect(copying.clipboardData!.getData('text/plain')).toBe(LONG_TITLE);
});
