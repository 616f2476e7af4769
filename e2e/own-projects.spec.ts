import { expect, test } from './journey.ts';
import { showNext } from './pages.ts';

test('a project is created, tagged, archived and restored', async ({ page, empty }) => {
  await showNext(page, empty, '/');
  await page.getByRole('button', { name: 'New project' }).click();
  const dialog = page.getByRole('dialog', { name: 'New project' });
  await dialog.getByLabel('Name').fill('shop');
  await dialog.getByLabel('Tags').fill('web, team-a');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByRole('heading', { name: 'shop' })).toBeVisible();
  await expect(page.getByText('This project has no runs.')).toBeVisible();
  await empty.client.createProject({ body: { name: 'bank', tags: ['team-a'] } });

  await showNext(page, empty, '/');
  await page.getByRole('button', { name: 'New project' }).click();
  await dialog.getByLabel('Name').fill('shop');
  await dialog.getByRole('button', { name: 'Create project' }).click();
  await expect(dialog.getByText('The name is taken by another project')).toBeVisible();
  await page.keyboard.press('Escape');

  const rows = page.locator('main').getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Tag').selectOption('web');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/tag=web/);

  await rows.getByRole('link', { name: 'shop' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('This project is archived')).toBeVisible();
  await showNext(page, empty, '/');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('bank');
  await page.getByLabel('Archived').check();
  await expect(rows).toContainText('shop');
  await rows.getByRole('link').click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('This project is archived')).toHaveCount(0);
});
