import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../../../../scripts/chromium.ts';

/** Reporters and folders come from the environment: see playwright-reports.ts. */
export default defineConfig({
  testDir: '.',
  outputDir: process.env['OUTPUT_DIR'],
  workers: 1,
  retries: 1,
  timeout: 30_000,
  reporter: JSON.parse(process.env['REPORTERS'] ?? '[["list"]]'),
  metadata: { branch: 'main' },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
  use: {
    trace: 'on',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'],
      args: CHROMIUM_FLAGS,
    },
  },
});
