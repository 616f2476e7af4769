import { expect, test } from './journey.ts';
import { showNext } from './pages.ts';

const junit = (...cases: readonly string[]): string =>
  `<testsuite name="shop" timestamp="2026-03-01T10:00:00Z">${cases.join('')}</testsuite>`;
const GREEN = '<testcase name="signs in" classname="Account" time="0.4"/>';
const RED = '<testcase name="pays by card" classname="Checkout"><failure message="expected 200, got 502"/></testcase>';

test('reports are imported by choosing or dropping them, and a bad file is named', async ({ page, empty }) => {
  await page.goto(empty.url);
  await page.getByLabel('Project', { exact: true }).fill('shop');
  const report = { name: 'junit.xml', mimeType: 'text/xml', buffer: Buffer.from(junit(GREEN, RED)) };
  await page.locator('input[type=file]').first().setInputFiles(report);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('#1');
  await expect(page.getByText('expected 200, got 502').first()).toBeVisible();

  await showNext(page, empty, '/projects/1');
  await expect(page.getByRole('button', { name: 'Import' })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Import reports' });
  const drop = async (name: string, content: string): Promise<void> => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}));
      return dropped;
    })()`);
    await page.dispatchEvent('body', 'dragenter', { dataTransfer });
    await expect(dialog).toBeVisible();
    for (const type of ['dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer });
  };
  await drop('notes.txt', 'hello');
  await expect(dialog.getByRole('alert')).toContainText('notes.txt is not a report');

  await drop('cut.xml', junit(GREEN).slice(0, -5));
  await expect(dialog.getByRole('alert')).toContainText('cut.xml:1: it ends inside of');
  await dialog.getByRole('button', { name: 'Import what can be read' }).click();
  await expect(dialog.getByText('1 result imported')).toBeVisible();
  await dialog.getByRole('link', { name: 'Open run #2' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('#2');
});
