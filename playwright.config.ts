import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findOrInstallChromium } from './scripts/chromium.ts';

// Found once; the processes that run the tests inherit it.
process.env['CHROMIUM_PATH'] ??= await findOrInstallChromium();

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/fill-once.ts',
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // Reports itself to an Assay where one is named.
  reporter: process.env['ASSAY_URL'] ? [['list'], ['@assay/reporter', { projectName: 'assay' }]] : [['list']],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'],
      args: CHROMIUM_FLAGS,
    },
  },
});
