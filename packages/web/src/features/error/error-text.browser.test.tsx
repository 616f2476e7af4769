import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { Long } from './error-text.stories.tsx';

test('the colours of a terminal are colours here, and what looks like HTML is text', async () => {
  await render(<Long />);
  const coloured = page.getByText('locator', { exact: true });
  await expect.element(coloured).toBeVisible();
  expect(getComputedStyle(coloured.element()).color).not.toBe(getComputedStyle(document.querySelector('pre')!).color);
  expect(document.querySelector('pre')!.textContent).toContain('failed <b>not bold</b>');
  expect(document.querySelector('pre')!.textContent).not.toContain('\u001B');
});

test('a long error is shortened until the rest is asked for', async () => {
  await render(<Long />);
  expect(document.querySelector('pre')!.textContent.split('\n')).toHaveLength(24);
  await page.getByRole('button', { name: 'Show 16 more lines' }).click();
  expect(document.querySelector('pre')!.textContent.split('\n')).toHaveLength(40);
  await expect.element(page.getByRole('button', { name: /^Show/ })).not.toBeInTheDocument();
});
