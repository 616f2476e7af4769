import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { giveNewIdentity } from '../packages/server/test/new-identity.ts';
import { DEMO_END } from './demo-end.ts';
import { type RestartableService, type Service, startInProcess } from './service.ts';

export { expect } from '@playwright/test';

interface Services {
  /** On three weeks of the demo's runs; tests of one worker share it and change nothing. */
  readonly demo: Service;
}

interface Fixtures {
  /** On the demo's runs, for this test alone. */
  readonly ownDemo: RestartableService;
  /** On nothing. */
  readonly empty: Service;
  /** On nothing, with authentication. */
  readonly guarded: Service;
}

const SECRET = 'only-for-tests-0123456789-abcdefghijklmnop';

export const test = base.extend<Fixtures, Services>({
  /** The browser's clock stands at the end of the demo, so that "3 h ago" stays so. */
  page: async ({ page }, use) => {
    await page.clock.setFixedTime(DEMO_END);
    await use(page);
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

const withService = async (
  data: 'demo' | 'new',
  settings: Readonly<Record<string, string>>,
  use: (service: RestartableService) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(process.env['E2E_FOLDER']!, 'data-'));
  cpSync(join(process.env['E2E_FOLDER']!, data), folder, { recursive: true });
  giveNewIdentity(join(folder, 'assay.db'));
  const service = await startInProcess(folder, settings);
  await use(service);
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
};
