import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '../packages/server/test/robustness/service-process.ts';
import { buildWebIfStale } from '../scripts/build-web.ts';
import { fillDemo } from '../scripts/fill-demo.ts';
import { DEMO_END } from './demo-end.ts';

/** Builds the interface and fills one data folder with the demo, of which every test takes a copy. */
export default async (): Promise<() => void> => {
  await buildWebIfStale();
  const folder = mkdtempSync(join(tmpdir(), 'assay-e2e-'));
  const service = await startServiceProcess(join(folder, 'demo'));
  await fillDemo(service.client, { until: DEMO_END.getTime(), senders: 1 });
  service.signal('SIGTERM');
  await service.exited;
  process.env['E2E_FOLDER'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
};
