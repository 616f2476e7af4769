import { AppError } from '../errors.ts';

/** Runs merges one at a time: each takes as much memory as the service itself. */
export interface MergeQueue<T> {
  /**
   * Joins the merge of this key, or queues one. A caller whose signal aborts stops waiting; the merge itself is stopped
   * when nobody waits for it any more. Throws `unavailable` when the queue is full.
   */
  join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops the merge that runs and refuses those that wait. */
  close(): Promise<void>;
}

const MOST_WAITING = 8;
const RETRY_AFTER_SECONDS = 30;

interface Merge<T> {
  readonly key: string;
  readonly aborter: AbortController;
  readonly result: PromiseWithResolvers<T>;
  readonly work: (signal: AbortSignal) => Promise<T>;
  callers: number;
}

export const createMergeQueue = <T>(): MergeQueue<T> => {
  const waiting: Merge<T>[] = [];
  let running: Merge<T> | null = null;
  let runningDone: Promise<void> = Promise.resolve();
  let closed = false;

  const runNext = (): void => {
    const next = running === null ? waiting.shift() : undefined;
    if (!next) return;
    running = next;
    runningDone = next
      .work(next.aborter.signal)
      .then(next.result.resolve, next.result.reject)
      .finally(() => {
        running = null;
        runNext();
      });
  };
  const find = (key: string): Merge<T> | undefined =>
    [running, ...waiting].find((merge) => merge?.key === key && !merge.aborter.signal.aborted) ?? undefined;
  const add = (key: string, work: Merge<T>['work']): Merge<T> => {
    if (closed) throw stopping();
    if (waiting.length >= MOST_WAITING) {
      const message = 'Too many reports are waiting to be merged; try again later';
      throw new AppError('unavailable', message, undefined, RETRY_AFTER_SECONDS);
    }
    const merge: Merge<T> = { key, work, aborter: new AbortController(), result: Promise.withResolvers(), callers: 0 };
    merge.result.promise.catch(() => undefined);
    waiting.push(merge);
    return merge;
  };
  const stop = (merge: Merge<T>, reason: unknown): void => {
    const at = waiting.indexOf(merge);
    if (at >= 0) waiting.splice(at, 1);
    merge.aborter.abort(reason);
    merge.result.reject(reason);
  };

  return {
    async join(key, signal, work) {
      signal.throwIfAborted();
      const merge = find(key) ?? add(key, work);
      merge.callers++;
      const left = Promise.withResolvers<never>();
      const leave = (): void => {
        left.reject(signal.reason);
        if (--merge.callers === 0) stop(merge, signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      runNext();
      try {
        return await Promise.race([merge.result.promise, left.promise]);
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
    async close() {
      closed = true;
      for (const merge of [...waiting, ...(running ? [running] : [])]) stop(merge, stopping());
      await runningDone;
    },
  };
};

const stopping = (): AppError => new AppError('unavailable', 'The service is stopping; try again shortly');
