import { beforeEach, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { OverPages } from './palette.stories.tsx';

beforeEach(() => window.history.replaceState(null, '', '/'));

const chosen = page.getByRole('option', { selected: true });

test('arrows go round through what was found, Enter opens it', async () => {
  await render(<OverPages />);
  await expect.element(page.getByRole('combobox')).toHaveFocus();
  await expect.element(chosen).toMatchTextContent(/^Projects/);
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(chosen).toMatchTextContent(/^Expressions/);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  await expect.element(chosen).toMatchTextContent(/^Storage/);
  await userEvent.keyboard('{Enter}');
  expect(window.location.pathname).toBe('/settings/storage');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('shows the tests that match, and leads to one', async () => {
  await render(<OverPages />);
  await page.getByRole('combobox').fill('cart');
  await expect.element(chosen).toMatchTextContent(/^adds an item/);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(window.location.pathname).toBe('/tests/2');
});

test('shows the errors that match, and leads to their cluster', async () => {
  await render(<OverPages />);
  await page.getByRole('combobox').fill('cart');
  await expect.element(chosen).toMatchTextContent(/^adds an item/);
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(chosen).toMatchTextContent(/^Error: no cart/);
  await userEvent.keyboard('{Enter}');
  expect(window.location.pathname).toBe('/clusters/9');
});

test('says when only the newest tests were searched', async () => {
  await render(<OverPages />);
  await page.getByRole('combobox').fill('checkout');
  await expect.element(page.getByRole('status')).toHaveTextContent('Searched the newest 200,000 test names');
  await page.getByRole('combobox').fill('cart');
  await expect.element(chosen).toMatchTextContent(/^adds an item/);
  await expect.element(page.getByRole('status')).toBeEmptyDOMElement();
});

test('Escape closes it', async () => {
  await render(<OverPages />);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});
