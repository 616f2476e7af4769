import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTested } from '../ci/source.ts';
import type { Environment } from '../environment.ts';
import type { Options } from '../options/options.ts';

/** What a folder has in it: a run of another build or commit says nothing of it. */
export interface Checkout {
  /** With the attempt of it; null where no CI system names it. */
  readonly build: string | null;
  readonly commit: string | null;
}

/** What became of the run that was last sent from a folder, for `assay gate` in a later step. */
export interface LastRun extends Checkout {
  /** Null when it was not sent. */
  readonly runId: number | null;
  readonly why: string | null;
  /** The run key under which the service shows the results of another sender instead. */
  readonly supersededKey: string | null;
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
export const readCheckout = async (folder: string, env: Environment): Promise<Checkout> => {
  const { ci, commit } = await readTested(folder, env);
  return { build: ci?.build ? `${ci.provider} ${ci.build}, attempt ${ci.attempt}` : null, commit };
};

/** Never rejects. */
export const writeLastRun = async (
  place: Place,
  folder: string,
  env: Environment,
  last: Pick<LastRun, 'runId' | 'why' | 'supersededKey'>,
): Promise<void> => {
  try {
    await mkdir(place.spoolDir, { recursive: true, mode: 0o700 });
    const known: LastRun = { ...last, ...(await readCheckout(folder, env)) };
    await writeFile(fileOf(place, folder), JSON.stringify(known), { mode: 0o600 });
  } catch {
    // Only a later step that does not say which run it means would miss it.
  }
};

/** When a run begins, so that one that never ends is not taken for the one before it. */
export const deleteLastRun = (place: Place, folder: string): void => {
  try {
    rmSync(fileOf(place, folder), { force: true });
  } catch {
    // What it belongs to tells as well.
  }
};

export const readLastRun = async (place: Place, folder: string): Promise<LastRun | null> => {
  try {
    const read = JSON.parse(await readFile(fileOf(place, folder), 'utf8')) as Partial<LastRun>;
    const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    return {
      runId: typeof read.runId === 'number' ? read.runId : null,
      why: textOf(read.why),
      supersededKey: textOf(read.supersededKey),
      build: textOf(read.build),
      commit: textOf(read.commit),
    };
  } catch {
    return null;
  }
};

/** Why a run says nothing of what is checked out now; null when it may. */
export const whyOutdated = (last: Checkout, now: Checkout): string | null => {
  if (now.build !== null && last.build !== now.build) return `of another build (${last.build ?? 'none'})`;
  if (now.commit !== null && last.commit !== null && last.commit !== now.commit) return `of commit ${last.commit}`;
  return null;
};
