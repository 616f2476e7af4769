import { defineConfig } from '@playwright/test';

/** How it is run is in scripts/record-bookshop.ts. */
export default defineConfig({
  testDir: '.',
  outputDir: 'results',
  workers: 1,
  retries: 1,
  reporter: [['blob', { outputFile: 'blob.zip' }]],
  projects: [{ name: 'chromium', use: { browserName: 'chromium', viewport: { width: 1000, height: 640 } } }],
  use: {
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'],
      args: process.env['CHROMIUM_FLAGS']?.split(' '),
    },
  },
});
