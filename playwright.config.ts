import { type ReporterDescription, defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findOrInstallChromium } from './scripts/chromium.ts';

// Found once; the processes that run the tests inherit it.
process.env['CHROMIUM_PATH'] ??= await findOrInstallChromium();

const OWN_REPORTER: ReporterDescription = ['@assay/reporter', { projectName: 'assay' }];
const summaryFile = process.env['E2E_SUMMARY'];
const summary: ReporterDescription | undefined = summaryFile ? ['json', { outputFile: summaryFile }] : undefined;

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/fill-once.ts',
  // Node takes the types out itself, for less than Babel; the service is bundled already.
  build: { external: ['**/service/*.js', '**/*.ts'] },
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 180_000,
  // The machine may be busy with the other tests; a journey that needed its second attempt is counted as flaky.
  retries: 1,
  expect: { timeout: 45_000 },
  // `npm run test:e2e` names an Assay to report to, and compares what arrives with the summary.
  reporter: [['list'], ...(process.env['ASSAY_URL'] ? [OWN_REPORTER] : []), ...(summary ? [summary] : [])],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    // Recording takes a third of a journey's work, so only the second attempt has a trace.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'],
      args: CHROMIUM_FLAGS,
    },
  },
});
