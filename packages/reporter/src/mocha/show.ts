import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { MochaReporterClass } from './types.ts';

const isReporter = (value: unknown): value is MochaReporterClass => typeof value === 'function';

/**
 * The reporter that prints, since Mocha has only one at a time: one of Mocha's own by its name, or a module of the project.
 * Mocha is the one whose program runs, which is in its folder `bin`, or the one that the project has.
 */
export const findReporter = (name: string, folder: string, program: string | undefined): MochaReporterClass | null => {
  const load = createRequire(join(folder, 'package.json')) as (id: string) => unknown;
  const places = [...(program ? [() => load(dirname(dirname(program)))] : []), () => load('mocha')];
  for (const loadMocha of places) {
    try {
      const { reporters } = loadMocha() as { readonly reporters: Readonly<Record<string, unknown>> };
      if (Object.hasOwn(reporters, name) && isReporter(reporters[name])) return reporters[name];
    } catch {
      // The other place may have it.
    }
  }
  try {
    const found = load(name);
    return isReporter(found) ? found : null;
  } catch {
    return null;
  }
};
