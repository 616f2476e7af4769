import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oncePerRun } from '@assay/testkit/once-per-run';
import { bundleReporter } from '../../../scripts/build-reporter.ts';

const SOURCES = join(import.meta.dirname, '../src');

/** What each program loads, with all that it needs in a few files: to read a hundred takes longer than most of them run. */
const bundled = (): Promise<string> =>
  oncePerRun('built-reporter', async (folder) => {
    // Runners compile nothing in a folder of that name.
    const dist = join(folder, 'node_modules/@assay/reporter');
    const { version } = await bundleReporter(dist);
    writeFileSync(join(dist, 'package.json'), JSON.stringify({ type: 'module', version }));
    return dist;
  });

/** Whoever watches changes sources while the tests run, and has no bundle of the service either. */
const built = process.env['TESTED_SERVICE'] === undefined ? null : await bundled();
const place = (source: string, file: string): string => (built === null ? join(SOURCES, source) : join(built, file));

export const REPORTERS = {
  jest: place('jest/index.ts', 'jest.cjs'),
  mocha: place('mocha/index.ts', 'mocha.cjs'),
  playwright: place('index.ts', 'index.js'),
  vitest: place('vitest/index.ts', 'vitest.js'),
};

/** The command `assay`. */
export const COMMAND = place('cli/main.ts', 'assay.js');
