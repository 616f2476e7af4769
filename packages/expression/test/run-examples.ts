import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeBlock } from './documents.ts';

const SEPARATOR = '--- the next example';
const RUN_EACH = `for (const file of process.argv.slice(2)) {
  await import(file).catch((error) => console.error(file, error));
  console.log('${SEPARATOR}');
}`;

export interface Printed {
  /** The lines of each example. */
  readonly lines: string[][];
  /** What all of them wrote to it. */
  readonly stderr: string;
}

/** Runs examples in a folder, in which they find the package by its name. One process takes less than one for each. */
export const runExamples = (folder: string, examples: readonly CodeBlock[]): Printed => {
  const files = examples.map(({ language, code }, at) => {
    const file = join(folder, `example-${at}.${language === 'ts' ? 'ts' : 'mjs'}`);
    writeFileSync(file, code);
    return file;
  });
  const main = join(folder, 'run-examples.mjs');
  writeFileSync(main, RUN_EACH);
  const { stdout, stderr } = spawnSync(process.execPath, [main, ...files], { encoding: 'utf8' });
  return { lines: stdout.split(`${SEPARATOR}\n`).map((text) => text.trimEnd().split('\n')), stderr };
};
