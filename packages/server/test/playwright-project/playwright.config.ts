import { defineConfig } from '@playwright/test';

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
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
