import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

/** A shell draws pages without the rest of a browser, with a third less work. */
const SYSTEM_NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium'];
const VERSION_PATIENCE_MS = 20_000;
const SILENCE_MS = 20_000;
const INSTALL_PATIENCE_MS = 600_000;
const WHAT_TO_DO = 'install chromium, run `npx playwright install --with-deps chromium`, or set CHROMIUM_PATH';

/** For one that works in containers and asks nobody else for anything. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Each renderer takes time to start, and tests close theirs soon.
  '--renderer-process-limit=1',
];

const require = createRequire(import.meta.url);

/** The path of a Chromium that runs here; installs one where there is none. */
export const findOrInstallChromium = async (): Promise<string> => {
  const path = (await findChromium()) ?? (await installChromium());
  if (path === null) throw new Error(`The tests need a Chromium, and none could be installed: ${WHAT_TO_DO}`);
  return path;
};

export const findChromium = async (): Promise<string | null> => {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) {
    if (await runs(chosen)) return chosen;
    throw new Error(`CHROMIUM_PATH names ${chosen}, which does not run`);
  }
  return (await firstThatRuns(systemChromiums())) ?? firstThatRuns([await playwrightChromium()]);
};

const systemChromiums = (): string[] => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...MAC_APPLICATIONS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)];
};

/** Loaded late: it takes half a second, which a Chromium of the system saves. */
const playwrightChromium = async (): Promise<string> => {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
};

const firstThatRuns = async (paths: readonly string[]): Promise<string | null> => {
  for (const path of paths) if (existsSync(path) && (await runs(path))) return path;
  return null;
};

/** A download without the libraries it needs, or a stub that only asks for a snap, does not tell its version. */
const runs = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: VERSION_PATIENCE_MS, killSignal: 'SIGKILL' }, (error, stdout) =>
      resolve(error === null && /\d+\.\d+/.test(stdout)),
    );
  });

/** Debian's first where it may be installed, because it brings the libraries that a bare machine lacks. */
const installChromium = async (): Promise<string | null> => {
  console.log('No Chromium here: installing one for the tests, which takes a minute');
  for (const install of [installFromDebian, installFromPlaywright]) {
    if (await install()) {
      const path = await findChromium();
      if (path !== null) return path;
    }
  }
  return null;
};

const installFromDebian = async (): Promise<boolean> => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20'];
  const aptGet = (...args: string[]): Promise<boolean> =>
    succeeds('/usr/bin/apt-get', [...options, ...args], INSTALL_PATIENCE_MS);
  // One source that does not answer fails the update, though Chromium's may have answered.
  await aptGet('update');
  const install = (name: string): Promise<boolean> => aptGet('install', '-y', '--no-install-recommends', name);
  // Older releases have no package of the shell alone.
  return (await install('chromium-headless-shell')) || install('chromium');
};

const installFromPlaywright = (): Promise<boolean> => {
  const cli = require.resolve('@playwright/test/cli');
  return succeeds(process.execPath, [cli, 'install', '--no-shell', 'chromium'], SILENCE_MS);
};

/** Ends what says nothing for too long, or takes too long altogether. */
const succeeds = (command: string, args: readonly string[], silenceMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const silence = setTimeout(end, silenceMs);
    const patience = setTimeout(end, INSTALL_PATIENCE_MS);
    for (const output of [child.stdout, child.stderr]) output.on('data', () => silence.refresh());
    const finish = (succeeded: boolean): void => {
      clearTimeout(silence);
      clearTimeout(patience);
      resolve(succeeded);
    };
    child.once('error', () => finish(false));
    child.once('close', (code) => finish(code === 0));
  });
