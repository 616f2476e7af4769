import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHROMIUM_FLAGS, findOrInstallChromium } from './chromium.ts';
import { BOOKSHOP_BLOB, BOOKSHOP_ROOT } from './send-bookshop.ts';

const root = join(import.meta.dirname, '..');

/** Runs the small project of `packages/testkit/bookshop` in a real browser and keeps its blob report for the demo. */
const main = async (): Promise<void> => {
  rmSync(BOOKSHOP_ROOT, { recursive: true, force: true });
  cpSync(join(root, 'packages/testkit/bookshop'), BOOKSHOP_ROOT, { recursive: true });
  writeFileSync(join(BOOKSHOP_ROOT, 'package.json'), '{"type": "module"}');
  // Traces name the files of Playwright: a copy has the same place on every machine.
  for (const name of ['@playwright/test', 'playwright', 'playwright-core']) {
    cpSync(join(root, 'node_modules', name), join(BOOKSHOP_ROOT, 'node_modules', name), { recursive: true });
  }
  const cli = join(BOOKSHOP_ROOT, 'node_modules/@playwright/test/cli.js');
  // One test fails, so the exit code says nothing.
  spawnSync(process.execPath, [cli, 'test'], {
    cwd: BOOKSHOP_ROOT,
    env: { ...process.env, CHROMIUM_PATH: await findOrInstallChromium(), CHROMIUM_FLAGS: CHROMIUM_FLAGS.join(' ') },
    stdio: 'inherit',
  });
  copyFileSync(join(BOOKSHOP_ROOT, 'blob.zip'), BOOKSHOP_BLOB);
  rmSync(BOOKSHOP_ROOT, { recursive: true });
};

await main();
