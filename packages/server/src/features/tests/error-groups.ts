import { type ErrorGroup, LONGEST_ERROR_SAMPLE, errorCause } from '@assay/contract';
import { cutText } from '../../cut-text.ts';
import type { PastPlace } from '../../history/latest-results.ts';
import { presentResultRef } from '../runs/run-refs.ts';

/** The errors of some results, newest first, by their cause; the most frequent first, then the latest. */
export const groupErrors = (places: readonly PastPlace[]): ErrorGroup[] => {
  const groups = new Map<string, ErrorGroup>();
  for (const { runId, index, startTime, result } of places) {
    if (result.error === null) continue;
    const message = errorCause(result.error);
    const seen = presentResultRef(runId, startTime, index);
    const group = groups.get(message);
    if (group) {
      group.count++;
      group.firstSeen = seen;
    } else {
      const sample = cutText(result.error, LONGEST_ERROR_SAMPLE);
      groups.set(message, { message, count: 1, firstSeen: seen, lastSeen: seen, sample });
    }
  }
  // Sorting keeps the order of equals, and the groups are in the order of their latest error.
  return [...groups.values()].sort((a, b) => b.count - a.count);
};
