import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@assay/contract';
import { readConfig, startService } from '@assay/server';
import { createWorld } from '@assay/testkit';

const SEED = 7;
const NEXT_RUN_MS = 20_000;
const SENDERS = 3;

/** Starts the service on 60 days of made-up runs that end now, and lets another run arrive every so often. */
const main = async (): Promise<void> => {
  const dataDir = join(import.meta.dirname, '../.demo');
  rmSync(dataDir, { recursive: true, force: true });
  const config = { ...readConfig(process.env), dataDir, logLevel: 'warn' as const };
  const service = await startService(config);
  const client = createClient({ baseUrl: service.url });
  console.log(`  ${service.url} fills with 60 days of runs`);
  const world = createWorld({ seed: SEED, until: Date.now() });

  const submissions = world.submissions();
  let sent = 0;
  const sendAll = async (): Promise<void> => {
    for (const body of submissions) {
      await client.submitRun({ body });
      sent++;
      if (process.stdout.isTTY) process.stdout.write(`\r  ${sent} runs`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sendAll));
  const { totalProjects, totalRunsCases } = await client.getStats();
  console.log(
    `\r  ${sent} runs of ${totalProjects} projects with ${totalRunsCases} results; another run arrives every ${NEXT_RUN_MS / 1000} s`,
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
