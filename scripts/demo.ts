import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@assay/contract';
import { manageHeap, readConfig, startService } from '@assay/server';
import { buildWebIfStale } from './build-web.ts';
import { fillDemo } from './fill-demo.ts';
import { sendBookshop } from './send-bookshop.ts';

const NEXT_RUN_MS = 20_000;
const SENDERS = 3;

/** Starts the service on 60 days of made-up runs that end now, and lets another run arrive every so often. */
const main = async (): Promise<void> => {
  manageHeap();
  await buildWebIfStale();
  const dataDir = join(import.meta.dirname, '../.demo');
  rmSync(dataDir, { recursive: true, force: true });
  const config = { ...readConfig(process.env), dataDir, logLevel: 'warn' as const };
  const service = await startService(config);
  const client = createClient({ baseUrl: service.url });
  console.log(`  ${service.url} fills with 60 days of runs`);
  const world = await fillDemo(client, {
    until: Date.now(),
    senders: SENDERS,
    onSent(sent) {
      if (process.stdout.isTTY) process.stdout.write(`\r  ${sent} runs`);
    },
  });
  await sendBookshop(client, service.url, Date.now());
  const { totalProjects, totalRuns, totalRunsCases } = await client.getStats();
  console.log(
    `\r  ${totalRuns} runs of ${totalProjects} projects with ${totalRunsCases} results; another run arrives every ${NEXT_RUN_MS / 1000} s`,
  );

  let next = 0;
  const timer = setInterval(() => {
    client.submitRun({ body: world.next(next++, Date.now()) }).catch((error: unknown) => console.error(String(error)));
  }, NEXT_RUN_MS);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      clearInterval(timer);
      void service.stop().then(() => process.exit(0));
    });
  }
};

await main();
