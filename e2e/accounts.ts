import { expect, type Page } from '@playwright/test';
import type { Service } from './service.ts';

export const PASSWORD = 'correct horse 42';

/** Makes the first Administrator, who is then signed in on this page. */
export const signUp = async (page: Page, { url }: Service): Promise<void> => {
  await page.goto(`${url}/setup`);
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('table')).toContainText('ada');
};

export const signIn = async (page: Page, username: string): Promise<void> => {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

const USERS = [
  { username: 'pipelines', role: 'reporter', name: 'CI' },
  { username: 'grace', role: 'administrator', name: 'Grace Hopper' },
  {
    username: 'wolfeschlegelsteinhausenbergerdorff',
    role: 'user',
    name: 'Hubert Blaine Wolfeschlegelsteinhausenbergerdorff',
  },
] as const;
const KEYS = [
  { name: 'GitHub Actions' },
  { name: 'Nightly runs of the storefront, on the build machine in the cellar', expiresAt: '2027-06-30T00:00:00Z' },
] as const;

/** Adds users, and keys of the first of them, as the Administrator who is signed in on this page. */
export const addColleagues = async (page: Page, { url }: Service): Promise<void> => {
  const post = async (path: string, data: object): Promise<unknown> => {
    const response = await page.request.post(url + path, { data });
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
    return response.json();
  };
  const ids: number[] = [];
  for (const user of USERS) {
    const added = (await post('/api/users', { ...user, password: PASSWORD })) as { user: { id: number } };
    ids.push(added.user.id);
  }
  for (const key of KEYS) await post(`/api/users/${ids[0]}/api-keys`, key);
};
