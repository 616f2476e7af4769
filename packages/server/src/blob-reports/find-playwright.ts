import { createRequire } from 'node:module';
import { dirname } from 'node:path';

export interface Playwright {
  /** The script of its command line. */
  readonly cli: string;
  /** The folders of its packages. */
  readonly folders: readonly string[];
}

const require = createRequire(import.meta.url);

/** Playwright is optional; an operator who wants reports of shards merged installs it beside the service. */
export const findPlaywright = (): Playwright | null => {
  try {
    const test = require.resolve('@playwright/test/package.json');
    const runner = createRequire(test).resolve('playwright/package.json');
    const core = createRequire(runner).resolve('playwright-core/package.json');
    return { cli: require.resolve('@playwright/test/cli'), folders: [test, runner, core].map((file) => dirname(file)) };
  } catch {
    return null;
  }
};
