import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from './journey.ts';

test('a first start shows how to send a run, and the run appears by itself', async ({ page, empty }) => {
  await page.goto(empty.url);
  const command = await page.getByLabel('the command').first().innerText();
  await sendAsShown(command);
  await page.getByRole('link', { name: /shop/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'shop' })).toBeVisible();
  await page.getByRole('link', { name: /#1\b/ }).first().click();
  await expect(page.getByText('expected 200, got 502').first()).toBeVisible();
});

/** By curl as a person would; where there is none, by the same request. */
const sendAsShown = async (command: string): Promise<void> => {
  try {
    await promisify(execFile)('sh', ['-c', command.replace('curl ', 'curl -sS --fail ')]);
  } catch (error) {
    if (!String((error as { stderr?: string }).stderr).includes('not found')) throw error;
    const url = /curl (\S+)/.exec(command)![1]!;
    const body = /-d '([\s\S]*)'/.exec(command)![1]!;
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(200);
  }
};
