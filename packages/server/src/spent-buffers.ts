import { collectYoung } from './garbage.ts';

const COLLECT_AFTER_BYTES = 16 * 1024 * 1024;

let passedBytes = 0;

/**
 * Counts bytes that were in buffers of their own and are not needed any more. An upload makes so few objects
 * that the young space never fills, and the buffers that it would free with them pile up until the whole heap is collected; so the young
 * space is collected now and then.
 */
export const countSpent = (bytes: number): void => {
  passedBytes += bytes;
  if (passedBytes < COLLECT_AFTER_BYTES) return;
  passedBytes = 0;
  collectYoung();
};
