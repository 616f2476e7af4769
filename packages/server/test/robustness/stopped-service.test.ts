import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { submission } from '../conformance/build.ts';
import { configOfTests } from '../migrated-database.ts';
import { type Config, startService } from '../tested-service.ts';
import { newFolder, until } from './service-process.ts';

const textOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

it('leaves nothing in the memory of its process', async () => {
  using folder = newFolder();
  const config = await runAndStop(folder.path);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await until('nothing holds its settings', () => {
    collect();
    return config.deref() === undefined;
  });
});

/** All that a service has leads to its settings. */
const runAndStop = async (dataDir: string): Promise<WeakRef<Config>> => {
  const config = { ...configOfTests(), dataDir };
  const service = await startService(config);
  await service.ready;
  await fetch(`${service.url}/api/test-runs/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(submission()),
  });
  await textOf(service.url);
  await service.stop();
  return new WeakRef(config);
};

it('shares the metrics of the process with others in it, and has its own of what it stores', async () => {
  using folders = new DisposableStack();
  const start = () => startService({ ...configOfTests(), dataDir: folders.use(newFolder()).path });
  const [busy, idle] = await Promise.all([start(), start()]);
  try {
    const response = await fetch(`${busy.url}/api/test-runs/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(submission()),
    });
    expect(response.status).toBe(200);
    const [ofBusy, ofIdle] = [await textOf(busy.url), await textOf(idle.url)];
    for (const text of [ofBusy, ofIdle]) expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(ofBusy).toMatch(/^assay_stored_runs_total 1$/m);
    expect(ofIdle).toMatch(/^assay_stored_runs_total 0$/m);
  } finally {
    await Promise.all([busy.stop(), idle.stop()]);
  }
});
