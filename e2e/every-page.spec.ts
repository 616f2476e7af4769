import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { sendBookshop } from '../scripts/send-bookshop.ts';
import { addColleagues, signUp } from './accounts.ts';
import { DEMO_END } from './demo-end.ts';
import { expect, test } from './journey.ts';
import {
  findPlaces,
  PAGES_OF_ACCOUNTS,
  PAGES_WITH_FILES,
  PAGES_WITH_RUNS,
  PAGES_WITHOUT_RUNS,
  showNext,
} from './pages.ts';
import { sendAttachments } from './send-attachments.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const findFaults = readFileSync(join(import.meta.dirname, 'layout-faults.js'), 'utf8');
const hideRepeatedParts = readFileSync(join(import.meta.dirname, 'repeated-parts.js'), 'utf8');
/** The next page may have taken them over. */
const showRepeatedParts =
  "for (const part of document.querySelectorAll('[data-repeated]')) part.style.removeProperty('visibility')";
const softly = expect.configure({ soft: true });
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 740 };
const WIDTHS = [1920, 1280, 1180, 1024, 834, 768, 390, 360];

type PageName = keyof typeof PAGES_WITH_RUNS;
const PAGES = Object.keys(PAGES_WITH_RUNS) as PageName[];
const GROUPS_WITH_RUNS = Object.entries(
  Object.groupBy(PAGES, (name) => {
    const path = PAGES_WITH_RUNS[name];
    return /^(?:result|run)/.exec(name)?.[0] ?? (typeof path === 'string' ? 'of the service' : 'of a project');
  }),
);
/** Parts of the page about the API that are like those before them: the whole page takes axe twenty seconds. */
const REPEATED = 'main section > [id]:nth-of-type(n + 3), [id^="schema-"]:nth-of-type(n + 4)';

test.describe('serves every reader, light and dark, wide and narrow', () => {
  // Pages that share a tab share what it has loaded and compiled.
  for (const [group, names] of GROUPS_WITH_RUNS) {
    test(`pages with runs: ${group}`, async ({ page, demo }) => {
      const places = await findPlaces(demo);
      for (const name of names!) {
        const path = PAGES_WITH_RUNS[name];
        await showNext(page, demo, typeof path === 'string' ? path : path(places));
        await expectReadable(page);
      }
    });
  }

  test('pages without runs', async ({ page, empty }) => {
    for (const path of Object.values(PAGES_WITHOUT_RUNS)) {
      await showNext(page, empty, path);
      await expectReadable(page);
    }
  });

  test('pages with files', async ({ page, empty }) => {
    await sendBookshop(empty.client, empty.url, DEMO_END.getTime());
    const places = await findPlaces(empty, 'bookshop');
    const sent = await sendAttachments(page, empty);
    const paths = Object.values(PAGES_WITH_FILES).map((path) => path(places));
    for (const path of [...paths, `/test-runs/${sent.run}`, `/test-cases/${sent.result}`]) {
      await showNext(page, empty, path);
      await expectReadable(page);
    }
  });

  test('pages of accounts', async ({ page, guarded }) => {
    await showNext(page, guarded, '/setup');
    await expectReadable(page);
    await signUp(page, guarded);
    await addColleagues(page, guarded);
    for (const path of Object.values(PAGES_OF_ACCOUNTS)) {
      await showNext(page, guarded, path);
      await expectReadable(page);
    }
  });
});

const expectReadable = async (page: Page): Promise<void> => {
  await page.setViewportSize(DESK);
  await withoutRepeatedParts(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...PHONE, width });
    await expectInPlace(page, width);
  }
  // Every width has shown that all of them have room.
  await page.evaluate(hideRepeatedParts);
  // Through the debugger, because the page's policy forbids any script but its own.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  expect.soft(await violations(page), `axe on ${page.url()}, dark and narrow`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(DESK);
  expect.soft(await violations(page), `axe on ${page.url()}, light and wide`).toEqual([]);
  await page.evaluate(showRepeatedParts);
};

/** Takes them away once the narrowest screen has shown that all of them have room. */
const withoutRepeatedParts = async (page: Page): Promise<void> => {
  if (!(await page.evaluate<boolean>(`document.querySelector('${REPEATED}') !== null`))) return;
  await page.setViewportSize(PHONE);
  await expectInPlace(page, PHONE.width);
  await page.evaluate(`for (const part of document.querySelectorAll('${REPEATED}')) part.remove()`);
  await page.setViewportSize(DESK);
};

/** Charts take their new width a moment after the window has it. */
const expectInPlace = (page: Page, width: number): Promise<void> =>
  softly.poll(() => page.evaluate<string[]>(findFaults), `${page.url()} at ${width} px`).toEqual([]);

const violations = async (page: Page): Promise<string[]> => {
  // Preloading is for rules about media and the orientation of a screen, none of which has anything to look at here.
  const options = "{ resultTypes: ['violations'], preload: false }";
  const { violations: found } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id} at ${target.join(' ')}: ${html.slice(0, 160)}`),
  );
};
