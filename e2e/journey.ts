import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, test as base } from '@playwright/test';
import { giveNewIdentity } from '../packages/server/test/new-identity.ts';
import { DEMO_END } from './demo-end.ts';
import { type RestartableService, type Service, startInProcess } from './service.ts';

export { expect } from '@playwright/test';

interface Services {
  /** Of all tests of a worker that need none of their own: it has fetched and compiled the interface. */
  readonly sharedContext: { open(): Promise<BrowserContext> };
  /** On three weeks of the demo's runs; tests of one worker share it and change nothing. */
  readonly demo: Service;
}

interface Fixtures {
  /** For tests that give their context options or scripts, or move its clock: these stay until it is closed. */
  readonly ownContext: boolean;
  /** On the demo's runs, for this test alone. */
  readonly ownDemo: RestartableService;
  /** On nothing. */
  readonly empty: Service;
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
    await (ownContext ? context.close() : leaveContext(context));
  },
  demo: [({}, use) => withService('demo', {}, use), { scope: 'worker' }],
  ownDemo: ({}, use) => withService('demo', {}, use),
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
const withSharedContext = async (
  browser: Browser,
  use: (shared: Services['sharedContext']) => Promise<void>,
): Promise<void> => {
  let context: Promise<BrowserContext> | undefined;
  await use({ open: () => (context ??= openContext(browser)) });
  await (await context)?.close();
};

/** Leaves nothing behind but what the browser has fetched and compiled. */
const leaveContext = async (context: BrowserContext): Promise<void> => {
  const [page] = context.pages();
  if (page !== undefined) {
    const devTools = await context.newCDPSession(page);
    await devTools.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'local_storage' });
  }
  await Promise.all(context.pages().map((each) => each.close()));
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
