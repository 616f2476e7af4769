import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts'],
    globalSetup: ['scripts/test-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
