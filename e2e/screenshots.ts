import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import {
  newFolder,
  type StartedService,
  startServiceProcess,
} from '../packages/server/test/robustness/service-process.ts';
import { buildWebIfStale } from '../scripts/build-web.ts';
import { CHROMIUM_FLAGS, findOrInstallChromium } from '../scripts/chromium.ts';
import { fillDemo } from '../scripts/fill-demo.ts';
import { sendBookshop } from '../scripts/send-bookshop.ts';
import { addColleagues, signUp } from './accounts.ts';
import { DEMO_END } from './demo-end.ts';
import {
  findPlaces,
  PAGES_OF_ACCOUNTS,
  PAGES_OF_STRANGERS,
  PAGES_WITH_FILES,
  PAGES_WITH_RUNS,
  PAGES_WITHOUT_RUNS,
  type Places,
  show,
} from './pages.ts';

const root = join(import.meta.dirname, '..');
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const THEMES = ['light', 'dark'] as const;
const FOR_README = [
  { name: 'run', theme: 'light', of: 'places' },
  { name: 'project', theme: 'dark', of: 'places' },
  { name: 'result', theme: 'light', of: 'shop' },
] as const;
const QUIET_MS = 1_000;
const README_SIZE = { width: 1280, height: 720 };

type Theme = (typeof THEMES)[number];
type Pages = Readonly<Record<string, string | ((places: Places) => string)>>;

interface Picture {
  readonly file: string;
  readonly path: string;
  readonly theme: Theme;
  readonly size: { readonly width: number; readonly height: number };
}

/** Pictures of all pages into `screenshots/`, or with `--readme` the few that the README shows into `docs/images/`. */
const main = async (): Promise<void> => {
  await buildWebIfStale();
  const executablePath = await findOrInstallChromium();
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  using folder = newFolder();
  await using demo = await startServiceProcess(join(folder.path, 'demo'));
  await fillDemo(demo.client, { until: DEMO_END.getTime(), senders: 1 });
  await sendBookshop(demo.client, demo.url, DEMO_END.getTime());
  const places = await findPlaces(demo);
  const shop = await findPlaces(demo, 'bookshop');
  if (process.argv.includes('--readme')) await takeForReadme(browser, demo, { places, shop });
  else {
    rmSync(join(root, 'screenshots'), { recursive: true, force: true });
    await take(browser, demo, picturesOf('demo', PAGES_WITH_RUNS, places));
    await take(browser, demo, picturesOf('files', PAGES_WITH_FILES, shop));
    await using empty = await startServiceProcess(join(folder.path, 'empty'));
    await take(browser, empty, picturesOf('empty', PAGES_WITHOUT_RUNS, places));
    await using guarded = await startServiceProcess(join(folder.path, 'guarded'), {
      SERVICE_AUTH_ENABLED: 'true',
      SERVICE_AUTH_SECRET: 'only-for-pictures-0123456789-abcdefghijk',
    });
    await take(browser, guarded, picturesOf('accounts', PAGES_OF_STRANGERS, places));
    await take(browser, guarded, picturesOf('accounts', PAGES_OF_ACCOUNTS, places), async (page) => {
      await signUp(page, guarded);
      await addColleagues(page, guarded);
    });
  }
  await browser.close();
};

const picturesOf = (state: string, pages: Pages, places: Places): Picture[] =>
  Object.entries(pages).flatMap(([name, path]) =>
    THEMES.flatMap((theme) =>
      Object.entries(SIZES).map(([width, size]) => ({
        file: join(root, 'screenshots', state, `${name}-${width}-${theme}.png`),
        path: pathOf(path, places),
        theme,
        size,
      })),
    ),
  );

const pathOf = (path: Pages[string], places: Places): string => (typeof path === 'string' ? path : path(places));

const takeForReadme = async (
  browser: Browser,
  demo: StartedService,
  found: Readonly<Record<'places' | 'shop', Places>>,
): Promise<void> => {
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  const pictures = FOR_README.map(({ name, theme, of }) => ({
    file: join(root, 'docs/images', theme === 'dark' ? `${name}-dark.png` : `${name}.png`),
    path: pathOf(PAGES_WITH_RUNS[name], found[of]),
    theme,
    size: README_SIZE,
  }));
  await take(browser, demo, pictures);
};

const take = async (
  browser: Browser,
  service: StartedService,
  pictures: readonly Picture[],
  prepare?: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const quiet = watchRequests(page);
  await page.clock.setFixedTime(DEMO_END);
  await prepare?.(page);
  for (const { file, path, theme, size } of pictures) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(size);
    await show(page, service, path);
    await quiet();
    await page.screenshot({ path: file });
    console.log(file);
  }
  await context.close();
};

/** Waits until nothing has been asked for a moment; live updates are a request that never ends. */
const watchRequests = (page: Page): (() => Promise<void>) => {
  let last = 0;
  const note = (): void => void (last = performance.now());
  page.on('request', note).on('requestfinished', note).on('requestfailed', note);
  return async () => {
    note();
    while (performance.now() - last < QUIET_MS) await sleep(QUIET_MS / 4);
  };
};

await main();
