import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@assay/contract';
import { startServiceProcess } from '../packages/server/test/robustness/service-process.ts';
import { buildWebIfStale } from '../scripts/build-web.ts';
import { fillDemo } from '../scripts/fill-demo.ts';
import { bundleForTests } from '../scripts/service-of-tests.ts';
import { DEMO_END } from './demo-end.ts';

/** Builds the interface, and makes the data folders that tests take copies of: a new one, and one with the demo. */
export default async (): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
  await bundleForTests(folder);
  await Promise.all([buildWebIfStale(), makeFolders(folder)]);
  process.env['E2E_FOLDER'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};

const makeFolders = async (folder: string): Promise<void> => {
  await runOnce(join(folder, 'new'), () => Promise.resolve());
  cpSync(join(folder, 'new'), join(folder, 'demo'), { recursive: true });
  // By one sender at a time, so that every run gets the same number every time.
  const demo = { until: DEMO_END.getTime(), senders: 1, days: 11 };
  await runOnce(join(folder, 'demo'), (client) => fillDemo(client, demo));
};

const runOnce = async (dataDir: string, use: (client: Client) => Promise<unknown>): Promise<void> => {
  await using service = await startServiceProcess(dataDir);
  await use(service.client);
  service.signal('SIGTERM');
  await service.exited;
};
