import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';

type Outcome = { ok: true; value: unknown } | { ok: false; error: string };

/**
 * Makes something costly in a folder once for all test files of a run, which have processes of their own: the first that
 * asks makes it, the others wait. What is made must survive JSON.
 */
export const oncePerRun = async <T>(name: string, make: (folder: string) => Promise<T>): Promise<T> => {
  const folder = join(inject('sharedFolder'), name);
  const outcome = isFirst(folder) ? await record(folder, () => make(folder)) : await recorded(folder);
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.value as T;
};

const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

const record = async (folder: string, make: () => Promise<unknown>): Promise<Outcome> => {
  const outcome: Outcome = await make().then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error: String(error) }),
  );
  // Renamed into place, for the others must not read half of it.
  writeFileSync(join(folder, 'outcome.part'), JSON.stringify(outcome));
  renameSync(join(folder, 'outcome.part'), join(folder, 'outcome.json'));
  return outcome;
};

/** Waits as long as the test that asks may take. */
const recorded = async (folder: string): Promise<Outcome> => {
  for (;;) {
    try {
      return JSON.parse(readFileSync(join(folder, 'outcome.json'), 'utf8')) as Outcome;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await delay(50);
    }
  }
};
