import { outcomeOf } from '@assay/contract';

/** The term for all that counts as failed, with the statuses that are there. */
export const failedTerm = (statuses: Iterable<string>): string => {
  const failing = [...new Set(statuses)].filter((status) => outcomeOf(status) === 'failed').sort();
  return `status:${failing.length > 0 ? failing.join(',') : 'failed'}`;
};
