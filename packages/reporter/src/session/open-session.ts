import { createRequire } from 'node:module';
import { join } from 'node:path';
import { environment } from '../environment.ts';
import type { GivenOptions } from '../options/options.ts';
import { readOptions } from '../options/read-options.ts';
import type { Output } from '../output.ts';
import type { RunnerFacts } from './beginning.ts';
import { type Session, beginSession } from './session.ts';

/** Begins to send a run, or says in one line why it will not be sent. Never throws. */
export const openSession = (given: GivenOptions, facts: RunnerFacts, output: Output): Session | null => {
  try {
    const env = environment();
    const read = readOptions(given, env);
    if (!read.ok) {
      output.say(`Assay: this run will not be sent: ${read.problems.join('; ')}`);
      return null;
    }
    for (const note of read.notes) output.say(`Assay: ${note}`);
    return beginSession(read.options, facts, { env, args: process.argv.slice(2), output });
  } catch (error) {
    output.say(`Assay: this run will not be sent: ${String(error)}`);
    return null;
  }
};

/** Of a package that a project has installed; null when it cannot be told. */
export const versionOf = (name: string, folder: string): string | null => {
  try {
    const { version } = createRequire(join(folder, 'package.json'))(`${name}/package.json`) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
};

/** Whatever goes wrong with one thing that a runner tells does not concern the runner, nor the rest. */
export const orNot = (work: () => void): void => {
  try {
    work();
  } catch {
    // The run is sent without it.
  }
};
