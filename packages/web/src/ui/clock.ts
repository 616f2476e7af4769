import { useSyncExternalStore } from 'react';

const TICK_MS = 20_000;

let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // While nobody listened, the time went on.
  if (timer === undefined) now = new Date();
  timer ??= setInterval(() => {
    now = new Date();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The time, a few times a minute. */
export const useNow = (): Date => useSyncExternalStore(subscribe, () => now);
