import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from '../options/options.ts';
import { hashOf } from './history-run.ts';

/** Which runs of an import are done, so that one that was stopped goes on where it was. */
export interface DoneList {
  has(id: string): boolean;
  /** Never throws: what is sent twice is stored once. */
  add(id: string): void;
}

export const openDoneList = ({ spoolDir, serverUrl, projectName }: Options, source: string): DoneList => {
  const path = join(spoolDir, `history-${hashOf(JSON.stringify([serverUrl, projectName, source]))}.txt`);
  const done = new Set<string>();
  try {
    for (const line of readFileSync(path, 'utf8').split('\n')) done.add(line);
  } catch {
    // Nothing is done.
  }
  return {
    has: (id) => done.has(id),
    add(id) {
      done.add(id);
      try {
        mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
        appendFileSync(path, `${id}\n`, { mode: 0o600 });
      } catch {
        // The next import sends it again.
      }
    },
  };
};
