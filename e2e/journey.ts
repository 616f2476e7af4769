import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type Page, test as base } from '@playwright/test';
import { giveNewIdentity } from '../packages/server/test/new-identity.ts';
import { DEMO_END } from './demo-end.ts';
import { showNext } from './pages.ts';
import { type RestartableService, type Service, startInProcess } from './service.ts';

export { expect } from '@playwright/test';

interface SharedContext {
  open(): Promise<BrowserContext>;
  openDemoPage(): Promise<Page>;
}

interface Services {
  /** Of all tests of a worker that need none of their own: it has fetched and compiled the interface. */
  readonly sharedContext: SharedContext;
  /** On eleven days of the demo's runs; tests of one worker share it and change nothing. */
  readonly demo: Service;
}

interface Fixtures {
  /** For tests that give their context options or scripts, move its clock, or need it to have no other page. */
  readonly ownContext: boolean;
  /** Of all tests of a worker on the demo that take it: `showNext` leads on in it without loading a document. */
  readonly demoPage: Page;
  /** On nothing, for this test alone. */
  readonly empty: RestartableService;
  /** On nothing, with authentication. */
  readonly guarded: Service;
}

const SECRET = 'only-for-tests-0123456789-abcdefghijklmnop';

export const test = base.extend<Fixtures, Services>({
  ownContext: [false, { option: true }],
  sharedContext: [({ browser }, use) => withSharedContext(browser, use), { scope: 'worker' }],
  context: async ({ browser, sharedContext, ownContext }, use) => {
    const context = ownContext ? await openContext(browser) : await sharedContext.open();
    await use(context);
    await (ownContext ? context.close() : leaveContext(context, await sharedContext.openDemoPage()));
  },
  demoPage: async ({ context: _, sharedContext, demo }, use) => {
    const page = await sharedContext.openDemoPage();
    // What the test before opened and typed goes with its page.
    await showNext(page, demo, '/no/such/page');
    await use(page);
    await page.unrouteAll();
  },
  demo: [({}, use) => withService('demo', {}, use), { scope: 'worker' }],
  empty: ({}, use) => withService('new', {}, use),
  guarded: ({}, use) => withService('new', { SERVICE_AUTH_ENABLED: 'true', SERVICE_AUTH_SECRET: SECRET }, use),
});

/** Whether an address is this one of the service. */
export const at =
  (path: string) =>
  ({ pathname, search }: URL): boolean =>
    pathname + search === path;

/** The browser's clock stands at the end of the demo, so that "3 h ago" stays so. */
const openContext = async (browser: Browser): Promise<BrowserContext> => {
  const context = await browser.newContext();
  await context.clock.setFixedTime(DEMO_END);
  return context;
};

/** Opened within a test, because only there the options of the configuration apply. */
const withSharedContext = async (browser: Browser, use: (shared: SharedContext) => Promise<void>): Promise<void> => {
  let context: Promise<BrowserContext> | undefined;
  let demoPage: Promise<Page> | undefined;
  const open = (): Promise<BrowserContext> => (context ??= openContext(browser));
  await use({ open, openDemoPage: () => (demoPage ??= open().then((opened) => opened.newPage())) });
  await (await context)?.close();
};

/** Leaves nothing behind but the page of the demo, and what the browser has fetched and compiled. */
const leaveContext = async (context: BrowserContext, demoPage: Page): Promise<void> => {
  const devTools = await context.newCDPSession(demoPage);
  await devTools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'local_storage' });
  await devTools.detach();
  const others = context.pages().filter((page) => page !== demoPage);
  await Promise.all(others.map((page) => page.close()));
  await context.clearCookies();
  await context.clearPermissions();
};

/** Free ports that services of this worker had: for their addresses the browser has the interface already. */
const usedPorts: number[] = [];

const withService = async (
  data: 'demo' | 'new',
  settings: Readonly<Record<string, string>>,
  use: (service: RestartableService) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(process.env['E2E_FOLDER']!, 'data-'));
  cpSync(join(process.env['E2E_FOLDER']!, data), folder, { recursive: true });
  giveNewIdentity(join(folder, 'assay.db'));
  const service = await startInProcess(folder, settings, usedPorts.pop());
  await use(service);
  await service.stop();
  usedPorts.push(service.port);
  rmSync(folder, { recursive: true, force: true });
};
