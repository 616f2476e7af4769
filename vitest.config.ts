import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Threads of the service load its sources themselves. With this each file is stripped of its types once, not for every
// thread that starts.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'assay-compile-cache');

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts'],
    globalSetup: ['scripts/test-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
