import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleServer } from './bundle-server.ts';

const root = join(import.meta.dirname, '..');
const ENTRY = join(root, 'packages/server/src/index.ts');
const TESTS = join(root, 'packages/server/test/');

/**
 * Bundles the service, as it is published, for the tests of one run: a service and each of its threads then load a few
 * files, not hundreds whose types must be taken out. `TESTED_SERVICE` says where it is to all processes of the run.
 */
export const bundleForTests = async (folder: string): Promise<void> => {
  if (process.env['TESTED_SERVICE'] !== undefined) return;
  const service = join(folder, 'service');
  await bundleServer(service);
  writeFileSync(join(service, 'package.json'), '{ "type": "module" }\n');
  symlinkSync(join(root, 'node_modules'), join(service, 'node_modules'));
  symlinkSync(join(root, 'packages/web/dist'), join(service, 'web'));
  process.env['TESTED_SERVICE'] = service;
};

/** Gives tests that import the entry of the service the bundle, if there is one. */
export const serviceOfTests = (): Plugin => ({
  name: 'service-of-tests',
  enforce: 'pre',
  // Loaded by Node itself: Vitest would rewrite each access to what a module imports, and read the maps of its sources.
  config: () => ({ test: { server: { deps: { external: [/\/service\/[^/]+\.js$/] } } } }),
  // What Vitest keeps of a file between runs has the address of a bundle in it, which a run that was killed leaves behind.
  configureVitest({ defineCacheKeyGenerator }) {
    defineCacheKeyGenerator(({ id, sourceCode }) =>
      id.startsWith(TESTS) && sourceCode.includes('/src/index.ts') ? false : null,
    );
  },
  async resolveId(source, importer, options) {
    const service = process.env['TESTED_SERVICE'];
    if (service === undefined || !importer?.startsWith(TESTS) || !source.endsWith('/src/index.ts')) return null;
    const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
    return resolved?.id === ENTRY ? { id: join(service, 'index.js'), external: true } : null;
  },
});
