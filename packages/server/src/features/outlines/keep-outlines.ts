import { extname } from 'node:path';
import { openBackgroundThread } from '../../background-thread.ts';
import type { DatabaseAddress, Queries } from '../../db/database.ts';
import type { Events } from '../../events.ts';
import type { Writer } from '../../writer/writer.ts';
import { outlineCommands } from './commands.ts';
import type { OutlinesFound } from './find-outlines.ts';
import type { FromThread, OutlinesTask } from './outlines-thread.ts';

const MEMORY_MB = 512;
/** How many times as long after the first change, however many follow. */
const LONGEST_WAIT_FACTOR = 12;

export interface KeepOutlinesOptions {
  readonly queries: Queries;
  readonly writer: Writer;
  readonly events: Events;
  readonly database: DatabaseAddress;
  /** How long nothing must have changed, so that storing many runs comes first. */
  readonly quietMs: number;
  readonly onFault: (fault: unknown) => void;
}

export interface OutlineKeeper {
  /** Says that runs of a project have changed, where no event does. */
  touch(projectId: number): void;
  stop(): Promise<void>;
}

/** Makes the outlines that runs lack: of all projects when it starts, then of those in which something has changed. */
export const keepOutlines = (options: KeepOutlinesOptions): OutlineKeeper => {
  const { queries, writer, events, database, quietMs, onFault } = options;
  const thread = openBackgroundThread<OutlinesTask, FromThread>({ file: threadFile, memoryMb: MEMORY_MB });
  const stopping = new AbortController();
  const changed = new Set<number>();
  let isAllDone = false;
  let isWaiting = false;
  let changedSince: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();

  const outline = async (projectIds: readonly number[]): Promise<void> => {
    for (let left = projectIds; left.length > 0;) {
      const found: FromThread = await thread.ask({ database, projectIds: left }, stopping.signal);
      if ('fault' in found) throw found.fault;
      stopping.signal.throwIfAborted();
      if (isWorthStoring(found)) await writer.execute(outlineCommands.storeOutlines, found);
      ({ left } = found);
    }
  };
  const work = async (): Promise<void> => {
    isWaiting = false;
    changedSince = null;
    const some = [...changed];
    changed.clear();
    try {
      const projectIds = isAllDone ? some : await listProjects(queries);
      await outline(projectIds);
      isAllDone = true;
    } catch (error) {
      if (stopping.signal.aborted) return;
      // The next change comes with another try.
      for (const id of some) changed.add(id);
      onFault(error);
    }
  };
  const schedule = (): void => {
    // What waits for its turn has not looked yet at what has changed.
    if (isWaiting) return;
    const now = Date.now();
    changedSince ??= now;
    clearTimeout(timer);
    const wait = Math.max(0, Math.min(quietMs, changedSince + LONGEST_WAIT_FACTOR * quietMs - now));
    timer = setTimeout(() => {
      isWaiting = true;
      working = working.then(work);
    }, wait).unref();
  };
  const touch = (projectId: number): void => {
    changed.add(projectId);
    schedule();
  };
  const unsubscribe = events.subscribe(({ projectId }) => touch(projectId));
  schedule();
  return {
    touch,
    async stop() {
      unsubscribe();
      clearTimeout(timer);
      stopping.abort();
      await working;
      await thread.close();
    },
  };
};

const isWorthStoring = ({ packs, empty }: OutlinesFound): boolean => packs.length + empty.length > 0;

const listProjects = async (queries: Queries): Promise<number[]> => {
  const projects = await queries.selectFrom('projects').select('id').orderBy('active_at', 'desc').execute();
  return projects.map(({ id }) => id);
};

/** The thread runs from source in the repository and from the build elsewhere. */
const threadFile = new URL(`./outlines-thread${extname(import.meta.url)}`, import.meta.url);
