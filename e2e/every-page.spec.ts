import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { sendBookshop } from '../scripts/send-bookshop.ts';
import { addColleagues, signUp } from './accounts.ts';
import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';
import { findPlaces, PAGES_OF_ACCOUNTS, PAGES_WITH_FILES, PAGES_WITH_RUNS, PAGES_WITHOUT_RUNS, show } from './pages.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TOO_WIDE_BY = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };

test.describe('serves every reader, light and dark, wide and narrow', () => {
  for (const [name, path] of Object.entries(PAGES_WITH_RUNS)) {
    test(`${name}, with runs`, async ({ page, demo }) => {
      await show(page, demo, typeof path === 'string' ? path : path(await findPlaces(demo)));
      await expectReadable(page);
    });
  }

  test('pages without runs', async ({ page, empty }) => {
    for (const path of Object.values(PAGES_WITHOUT_RUNS)) {
      await page.setViewportSize(DESK);
      await show(page, empty, path);
      await expectReadable(page);
    }
  });

  test('pages with files', async ({ page, empty }) => {
    await sendBookshop(empty.client, empty.url, DEMO_END.getTime());
    const places = await findPlaces(empty, 'bookshop');
    for (const path of Object.values(PAGES_WITH_FILES)) {
      await page.setViewportSize(DESK);
      await show(page, empty, path(places));
      await expectReadable(page);
    }
  });

  test('pages of accounts', async ({ page, guarded }) => {
    await show(page, guarded, '/setup');
    await expectReadable(page);
    await signUp(page, guarded);
    await addColleagues(page, guarded);
    for (const path of Object.values(PAGES_OF_ACCOUNTS)) {
      await page.setViewportSize(DESK);
      await show(page, guarded, path);
      await expectReadable(page);
    }
  });
});

const expectReadable = async (page: Page): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'light' });
  expect.soft(await violations(page), `axe on ${page.url()}, light and wide`).toEqual([]);
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  const overflow = await page.evaluate<number>(TOO_WIDE_BY);
  expect.soft(overflow, `pixels that ${page.url()} is too wide for a phone`).toBe(0);
  expect.soft(await violations(page), `axe on ${page.url()}, dark and narrow`).toEqual([]);
};

/** Through the debugger, because the page's policy forbids any script but its own. */
const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id} at ${target.join(' ')}: ${html.slice(0, 160)}`),
  );
};
