import { expect, test } from './journey.ts';
import { findPlaces, showNext } from './pages.ts';

test('the command for all failures, for those shown and for one result, with a tool that is asked for once', async ({
  demoPage: page,
  demo,
}) => {
  const { run, result } = await findPlaces(demo);
  await showNext(page, demo, `/test-runs/${run}`);
  const dialog = page.getByRole('dialog');
  const command = dialog.getByLabel('the command', { exact: true });
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(dialog.getByRole('radiogroup', { name: 'Tool' })).toBeVisible();
  await expect(command).toBeHidden();
  await dialog.getByText('Playwright', { exact: true }).click();
  await expect(command).toHaveText(/^npx playwright test \S+:\d+ /);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy the command' }).click();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await command.textContent());
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await showNext(page, demo, `/test-runs/${run}?filter=status%3Apassed`);
  await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: 'Run again' }).click();
  await expect(dialog.getByRole('heading', { name: /^Run \d+ shown results again$/ })).toBeVisible();
  await expect(command).toHaveText(/^npx playwright test /);

  await showNext(page, demo, `/test-cases/${result}`);
  await page.getByRole('button', { name: 'Run again' }).click();
  await expect(command).toHaveText(/^npx playwright test \S+:\d+ -g '.*\( @\|\$\)'/);
});
