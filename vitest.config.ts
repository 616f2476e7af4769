import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import type { TestCase } from 'vitest/node';
import { endpointTable } from './packages/web/build/endpoint-table.ts';
import { CHROMIUM_FLAGS, findOrInstallChromium } from './scripts/chromium.ts';

// Threads that tests start from source load it themselves. With this each file is stripped of its types once, not for every
// thread that starts.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'assay-compile-cache');
// There is memory to spare: the garbage collector of the compiler, which tests of packages run, takes much of its time.
process.env['GOGC'] ??= 'off';
process.env['GOMEMLIMIT'] ??= '3GiB';
// Found once for all that need it.
process.env['CHROMIUM_PATH'] ??= await findOrInstallChromium();

const launchOptions = { executablePath: process.env['CHROMIUM_PATH'], args: CHROMIUM_FLAGS };

/** A machine that is busy with the other tests may be slow; a test that needed its second attempt is told at the end. */
const patience = { testTimeout: 240_000, hookTimeout: 120_000, retry: 1, expect: { poll: { timeout: 60_000 } } };

const tellIfFlaky = (test: TestCase): void => {
  const diagnostic = test.diagnostic();
  if (!diagnostic?.flaky) return;
  console.log(`${test.module.relativeModuleId} > ${test.fullName} (retry x${diagnostic.retryCount})`);
};

/**
 * Most of what a test makes is garbage at once. With room for it, in threads of services too, less of it is taken along and
 * marked with all that stays.
 */
const execArgv = ['--min-semi-space-size=16', '--max-semi-space-size=64'];

/** Node loads the files by itself: Vite would rewrite each use of an import, which then costs a look into an object. */
const experimental = { viteModuleRunner: false, nodeLoader: false };

const NODE_TESTS = 'packages/*/{src,test}/**/*.test.ts';
/** What the service answers must be the same from PostgreSQL. */
const TESTS_OF_BOTH = 'packages/server/test/{conformance,live,parts,events,commits}/*.test.ts';
/** They measure the memory of their process. */
const MEMORY_TESTS = 'packages/*/{src,test}/**/memory.test.ts';

export default defineConfig({
  test: {
    // One more would keep the cores a little busier, and compile and optimise everything once more.
    maxWorkers: availableParallelism(),
    globalSetup: ['scripts/test-setup.ts'],
    reporters: ['default', { onTestCaseResult: tellIfFlaky }],
    projects: [
      {
        // Loading modules anew for each file takes longer than most files; no module of ours keeps what a test does.
        test: {
          name: 'node',
          include: [NODE_TESTS],
          exclude: [MEMORY_TESTS],
          setupFiles: ['scripts/property-seed.ts', 'scripts/compare-bytes.ts'],
          isolate: false,
          experimental,
          execArgv,
          ...patience,
        },
      },
      {
        test: {
          name: 'postgres',
          include: [TESTS_OF_BOTH],
          env: { TEST_DATABASE: 'postgres' },
          setupFiles: ['scripts/compare-bytes.ts'],
          isolate: false,
          experimental,
          execArgv,
          ...patience,
        },
      },
      {
        test: { name: 'memory', include: [MEMORY_TESTS], experimental, ...patience },
      },
      {
        plugins: [endpointTable()],
        test: {
          name: 'browser',
          include: ['packages/web/src/**/*.browser.test.tsx'],
          setupFiles: ['packages/web/test/browser-setup.ts'],
          // One page loads the interface once for all files.
          isolate: false,
          testTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions, actionTimeout: 60_000 }),
            viewport: { width: 1200, height: 800 },
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
