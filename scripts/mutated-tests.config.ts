import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { bundleForTests } from './service-of-tests.ts';

// Nothing here that only browser tests need: a run for a mutant is mostly its start.
const sharedFolder = process.env['MUTANT_FOLDER']!;
await bundleForTests(sharedFolder);

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts'],
    setupFiles: ['scripts/property-seed.ts'],
    provide: { sharedFolder },
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 2,
    bail: 1,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['dot'],
  },
});
