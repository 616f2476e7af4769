import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from '../options/options.ts';

/** What became of the run that was last sent from a folder, for `assay gate` in a later step. */
export interface LastRun {
  /** Null when it was not sent. */
  readonly runId: number | null;
  readonly why: string | null;
}

type Place = Pick<Options, 'spoolDir' | 'serverUrl'>;

/** Beside what waits to be sent: that folder can be written to, and lasts. */
const fileOf = ({ spoolDir, serverUrl }: Place, folder: string): string => {
  const name = createHash('sha256')
    .update(JSON.stringify([serverUrl, folder]))
    .digest('hex')
    .slice(0, 24);
  return join(spoolDir, `last-run-${name}.json`);
};

/** Never rejects. */
export const writeLastRun = async (place: Place, folder: string, last: LastRun): Promise<void> => {
  try {
    await mkdir(place.spoolDir, { recursive: true, mode: 0o700 });
    await writeFile(fileOf(place, folder), JSON.stringify(last), { mode: 0o600 });
  } catch {
    // Only a later step that does not say which run it means would miss it.
  }
};

export const readLastRun = async (place: Place, folder: string): Promise<LastRun | null> => {
  try {
    const { runId, why } = JSON.parse(await readFile(fileOf(place, folder), 'utf8')) as Partial<LastRun>;
    return { runId: typeof runId === 'number' ? runId : null, why: typeof why === 'string' ? why : null };
  } catch {
    return null;
  }
};
