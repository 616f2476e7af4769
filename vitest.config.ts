import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { endpointTable } from './packages/web/build/endpoint-table.ts';
import { CHROMIUM_FLAGS, findOrInstallChromium } from './scripts/chromium.ts';

// Threads of the service load its sources themselves. With this each file is stripped of its types once, not for every
// thread that starts.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'assay-compile-cache');
// Found once for all that need it.
process.env['CHROMIUM_PATH'] ??= await findOrInstallChromium();

const launchOptions = { executablePath: process.env['CHROMIUM_PATH'], args: CHROMIUM_FLAGS };

export default defineConfig({
  test: {
    // Most tests wait for a process or a disk: with one worker, as it would be on two cores, one of them idles.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'node',
          include: ['packages/*/{src,test}/**/*.test.ts'],
          globalSetup: ['scripts/test-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
      {
        plugins: [endpointTable()],
        test: {
          name: 'browser',
          include: ['packages/web/src/**/*.browser.test.tsx'],
          setupFiles: ['packages/web/test/browser-setup.ts'],
          testTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions, actionTimeout: 15_000 }),
            viewport: { width: 1200, height: 800 },
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
