import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { ConfirmDeletion, MenuWithThree } from './overlays.stories.tsx';

test('a menu takes the focus, arrows go round, Escape gives the focus back', async () => {
  await render(<MenuWithThree />);
  const button = page.getByRole('button', { name: 'More' });
  await button.click();
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  await expect.element(page.getByRole('button', { name: 'First' })).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(page.getByRole('button', { name: 'Third' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(button).toHaveFocus();
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');

  await button.click();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(page.getByRole('status')).toMatchTextContent(/Taken: Second/);
  await expect.element(page.getByRole('button', { name: 'Second' })).not.toBeInTheDocument();
});

test('a dialog keeps the focus inside, and Escape and Cancel give it back', async () => {
  await render(<ConfirmDeletion />);
  const opener = page.getByRole('button', { name: 'Delete', exact: true });
  for (const leave of [
    () => userEvent.keyboard('{Escape}'),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Delete it?' });
    await expect.element(dialog).toBeVisible();
    expect(dialog.element().contains(document.activeElement)).toBe(true);
    await leave();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  }
});
