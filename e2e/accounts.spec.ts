import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { PASSWORD, signIn, signUp } from './accounts.ts';
import { at, expect, test } from './journey.ts';
import { showNext } from './pages.ts';

test('a new service asks for its first Administrator, who adds a Reporter whose key sends runs', async ({
  page,
  guarded,
}) => {
  await page.goto(guarded.url);
  await page.getByRole('link', { name: 'Create the first Administrator' }).click();
  await signUp(page, guarded);
  await addUser(page, 'ci-bot', 'Reporter');

  await page
    .getByRole('row', { name: /^ci-bot/ })
    .getByRole('link', { name: 'Keys' })
    .click();
  await page.getByRole('button', { name: 'Create a key for ci-bot' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('GitHub Actions');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const key = await dialog.getByLabel('the key', { exact: true }).innerText();
  const command = await dialog.getByLabel('the command', { exact: true }).innerText();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /^GitHub Actions/ })).toContainText('never');
  await expect(page.getByText(key)).toHaveCount(0);

  expect(await uploadAsShown(command)).toContain('/test-runs/1');
  await page.getByRole('link', { name: 'Assay' }).click();
  await expect(page.getByRole('link', { name: /shop/ })).toContainText('1 run');

  await showNext(page, guarded, '/settings/keys?user=2');
  await page.getByRole('button', { name: 'Revoke GitHub Actions' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('No keys')).toBeVisible();
  expect(await uploadAsShown(command)).not.toContain('/test-runs/');
});

const CLI = join(import.meta.dirname, '../packages/reporter/src/cli/main.ts');

/** As a person in a folder with reports would, without installing what `npx` names; answers what it prints. */
const uploadAsShown = async (command: string): Promise<string> => {
  const folder = mkdtempSync(join(process.env['E2E_FOLDER']!, 'reports-'));
  mkdirSync(join(folder, 'test-results'));
  writeFileSync(join(folder, 'test-results/junit.xml'), '<testsuite name="s"><testcase name="signs in"/></testsuite>');
  const installed = /npx -y -p \S+\/assay-reporter\.tgz assay/;
  expect(command).toMatch(installed);
  const local = command.replace(installed, () => `'${process.execPath}' '${CLI}'`);
  const env = { ...process.env, ASSAY_SPOOL_DIR: join(folder, 'spool') };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', local], { cwd: folder, env });
  return stdout + stderr;
};

test('a User and a Reporter see no page of Administrators and may delete nothing', async ({ page, guarded }) => {
  await signUp(page, guarded);
  await addUser(page, 'uma', 'User');
  await addUser(page, 'ci-bot', 'Reporter');
  for (const username of ['uma', 'ci-bot']) {
    await page.context().clearCookies();
    await page.goto(`${guarded.url}/settings/users`);
    await signIn(page, username);
    await expect(page).toHaveURL(at('/settings/users'));
    await expect(page.getByRole('button', { name: `Signed in as ${username}` })).toBeVisible();
    await expect(page.getByText('This page is for Administrators')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add user' })).toHaveCount(0);
    await expect(page.getByText('ada')).toHaveCount(0);
    await showNext(page, guarded, '/settings/storage');
    await expect(page.getByText('This page is for Administrators')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link')).toHaveText([
      'API keys',
      'Your account',
    ]);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'API keys' }).click();
    await expect(page.getByText('No keys')).toBeVisible();
    await expect(page.getByRole('button', { name: /Create a key/ })).toHaveCount(0);
  }
});

test('a session that ends leads to signing in, and from there back to the same page', async ({ page, guarded }) => {
  await signUp(page, guarded);
  await page.goto(`${guarded.url}/settings/storage?days=7`);
  await expect(page.getByLabel('Delete runs older than (days)')).toHaveValue('7');
  await page.context().clearCookies();
  // The page asks again by itself.
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await signIn(page, 'ada');
  await expect(page).toHaveURL(at('/settings/storage?days=7'));
  await expect(page.getByLabel('Delete runs older than (days)')).toHaveValue('7');

  await page.context().clearCookies();
  await page.goto(`${guarded.url}/settings/sessions`);
  await signIn(page, 'ada');
  await expect(page).toHaveURL(at('/settings/sessions'));
  await expect(page.getByText('this session')).toBeVisible();
});

test('a wrong password is told, and signing out ends the session', async ({ page, guarded }) => {
  await signUp(page, guarded);
  await page.getByRole('button', { name: 'Signed in as ada' }).click();
  await page.getByRole('button', { name: 'Sign out ada' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill(`${PASSWORD}!`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('password');
  await signIn(page, 'ada');
  await expect(page.getByRole('button', { name: 'Signed in as ada' })).toBeVisible();
});

const addUser = async (page: Page, username: string, role: 'User' | 'Reporter'): Promise<void> => {
  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add user' });
  await dialog.getByLabel('Username').fill(username);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByRole('row', { name: new RegExp(`^${username}`) })).toContainText(role);
  await expect(dialog).toHaveCount(0);
};
