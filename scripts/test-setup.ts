import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findOrInstallChromium } from './chromium.ts';
import { bundleForTests } from './service-of-tests.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of a Chromium that runs. */
    chromium: string;
    /** A folder that all test files of this run share; it goes away with the run. */
    sharedFolder: string;
  }
}

export default async (project: TestProject): Promise<() => void> => {
  project.provide('chromium', await findOrInstallChromium().catch(endWithOneLine));
  const folder = mkdtempSync(join(tmpdir(), 'assay-tests-'));
  project.provide('sharedFolder', folder);
  // Whoever watches changes sources while the tests run.
  if (!project.vitest.config.watch) await bundleForTests(folder);
  return () => rmSync(folder, { recursive: true, force: true });
};

const endWithOneLine = (error: Error): never => {
  console.error(error.message);
  process.exit(1);
};
