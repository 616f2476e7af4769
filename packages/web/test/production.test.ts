import { join } from 'node:path';
import { resolveConfig } from 'vite';
import { afterEach, expect, it, vi } from 'vitest';

const CONFIG = join(import.meta.dirname, '../vite.config.ts');

afterEach(() => vi.unstubAllEnvs());

it.each(['test', 'development', ''])('is built for production where NODE_ENV is %j', async (environment) => {
  vi.stubEnv('NODE_ENV', environment);
  const { isProduction } = await resolveConfig({ configFile: CONFIG, logLevel: 'silent' }, 'build');
  expect(isProduction).toBe(true);
});
