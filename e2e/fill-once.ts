import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '../packages/server/test/robustness/service-process.ts';
import { buildWebIfStale } from '../scripts/build-web.ts';
import { fillDemo } from '../scripts/fill-demo.ts';
import { bundleForTests } from '../scripts/service-of-tests.ts';
import { DEMO_END } from './demo-end.ts';

/** Builds the interface and fills one data folder with the demo, of which every test takes a copy. */
export default async (): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
  await bundleForTests(folder);
  await Promise.all([buildWebIfStale(), fill(join(folder, 'demo'))]);
  process.env['E2E_FOLDER'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};

/** By one sender at a time, so that every run gets the same number every time. */
const fill = async (dataDir: string): Promise<void> => {
  await using service = await startServiceProcess(dataDir);
  await fillDemo(service.client, { until: DEMO_END.getTime(), senders: 1, days: 21 });
  service.signal('SIGTERM');
  await service.exited;
};
