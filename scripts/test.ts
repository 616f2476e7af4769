/**
 * `npm test`: the checks, the tests and the journeys, side by side, since each of them waits much of the time. Every line
 * says whose it is; the last ones say how each ended.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { buildWebIfStale } from './build-web.ts';
import { findOrInstallChromium } from './chromium.ts';
import { bundleForTests } from './service-of-tests.ts';
import { openTestFolder } from './test-folder.ts';

interface Part {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A line that says how many there were. */
  readonly count: RegExp;
  /** A line that names what failed, or why. */
  readonly failure: RegExp;
}

interface Outcome {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
  readonly counts: readonly string[];
  readonly failures: readonly string[];
  /** Passed by a second attempt. */
  readonly flaky: readonly string[];
}

/** They are told again at the end, where everybody looks first. */
const MOST_FAILURES = 12;

/** How Vitest and Playwright mark a second attempt. */
const RETRIED = /\(retry (?:x|#)\d/;

const root = join(import.meta.dirname, '..');

const CHECK: Part = {
  name: 'check',
  command: ['npm', 'run', 'check'],
  // The tests need the other cores, and there is memory to spare: garbage collectors would take a third of their time.
  env: { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '3GiB' },
  count: /^Found \d+ warnings/,
  failure: /error|✕|\.ts/,
};
const TESTS: Part = {
  name: 'tests',
  command: [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run'],
  count: /^\s*(Test Files|Tests) /,
  failure: /^\s*FAIL |^\w*Error: /,
};
const JOURNEYS: Part = {
  name: 'journeys',
  // One worker takes about as long as the tests do, and keeps busy what they leave idle while they wait.
  command: [process.execPath, join(root, 'e2e/run.ts'), '--workers=1'],
  count: /^\s+\d+ (passed|failed|flaky|skipped|interrupted|did not run)/,
  failure: /^\s+\d+\) |^\s+(\w*Error: |Test timeout|Expected|Received|Locator:)/,
};

const run = async ({ name, command, env, count, failure }: Part): Promise<Outcome> => {
  const startedAt = performance.now();
  const [program, ...args] = command;
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn(program!, args, {
    cwd: root,
    env: { ...process.env, ...color, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const counts: string[] = [];
  const failures = new Set<string>();
  const flaky = new Set<string>();
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      console.log(`${name.padEnd(8)} | ${line}`);
      const plain = stripVTControlCharacters(line);
      if (count.test(plain)) counts.push(plain.trim().replaceAll(/\s+/g, ' '));
      else if (RETRIED.test(plain)) flaky.add(plain.trim());
      else if (failures.size < MOST_FAILURES && failure.test(plain)) failures.add(plain.trim());
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve).once('error', (error) => {
      console.error(`${name.padEnd(8)} | ${error.message}`);
      resolve(null);
    });
  });
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { name, passed: code === 0, seconds, counts, failures: code === 0 ? [] : [...failures], flaky: [...flaky] };
};

/** What the tests and the journeys both need is made once. */
const prepare = async (folder: string): Promise<void> => {
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compile-cache');
  process.env['CHROMIUM_PATH'] ??= await findOrInstallChromium();
  await Promise.all([buildWebIfStale(), bundleForTests(folder)]);
};

const runAll = async (folder: string): Promise<Outcome[]> => {
  const prepared = prepare(folder);
  const afterwards = async (part: Part): Promise<Outcome> => {
    await prepared;
    return run(part);
  };
  return Promise.all([run(CHECK), afterwards(TESTS), afterwards(JOURNEYS)]);
};

// Ctrl+C reaches all of them by itself; what they say of it is shown too.
process.on('SIGINT', () => {});
using folder = openTestFolder();
process.env['TMPDIR'] = folder.path;
const outcomes = await runAll(folder.path);
console.log();
for (const { name, passed, seconds, counts, failures, flaky } of outcomes) {
  console.log(
    `${passed ? 'passed' : 'FAILED'}  ${name.padEnd(8)}  ${String(seconds).padStart(4)} s  ${counts.join(', ')}`,
  );
  for (const failure of failures) console.log(`          ${failure}`);
  for (const test of flaky) console.log(`  flaky   ${test}`);
}
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
