import { expect, type Page } from '@playwright/test';
import type { StartedService } from '../packages/server/test/robustness/service-process.ts';

export const PASSWORD = 'correct horse 42';

/** Makes the first Administrator, who is then signed in on this page. */
export const signUp = async (page: Page, { url }: StartedService): Promise<void> => {
  await page.goto(`${url}/setup`);
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make the account' }).click();
  await expect(page.getByRole('table')).toContainText('ada');
};

export const signIn = async (page: Page, username: string): Promise<void> => {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
