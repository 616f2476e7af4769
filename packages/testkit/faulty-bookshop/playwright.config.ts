import { defineConfig } from '@playwright/test';
import { FAULTS, HEALTHY_RUNS } from './faults.ts';

const healthy = Array.from({ length: HEALTHY_RUNS }, (_, at) => `healthy ${at + 1}`);

/** How it is run is in scripts/record-faults.ts. */
export default defineConfig({
  testDir: '.',
  outputDir: 'results',
  workers: 2,
  timeout: 8_000,
  expect: { timeout: 2_000 },
  projects: [...healthy, ...Object.keys(FAULTS)].map((name) => ({ name, use: { browserName: 'chromium' } })),
  use: {
    // Requests are recorded with snapshots.
    trace: { mode: 'on', screenshots: false, snapshots: true, sources: false },
    actionTimeout: 2_000,
    navigationTimeout: 4_000,
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'],
      args: process.env['CHROMIUM_FLAGS']?.split(' '),
    },
  },
});
