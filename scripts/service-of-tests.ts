import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from './bundle-server.ts';

const root = join(import.meta.dirname, '..');

/**
 * Bundles the service, as it is published, for the tests of one run: a service and each of its threads then load a few
 * files, not hundreds whose types must be taken out. `TESTED_SERVICE` says where it is to all processes of the run.
 */
export const bundleForTests = async (folder: string): Promise<void> => {
  if (process.env['TESTED_SERVICE'] !== undefined) return;
  const service = join(folder, 'service');
  await bundleServer(service, { 'reused-writer-thread': '../test/reused-writer-thread.ts' });
  writeFileSync(join(service, 'package.json'), '{ "type": "module" }\n');
  symlinkSync(join(root, 'node_modules'), join(service, 'node_modules'));
  symlinkSync(join(root, 'packages/web/dist'), join(service, 'web'));
  process.env['TESTED_SERVICE'] = service;
};
