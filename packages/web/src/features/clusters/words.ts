import type { ClusterLife, ClusterState } from '@assay/contract';
import { countOf, formatCount } from '../../format/number.ts';

export const STATE_LABELS: Readonly<Record<ClusterState, string>> = {
  open: 'Open',
  returned: 'Returned',
  quiet: 'Quiet',
  fixed: 'Fixed',
};

/** What is known of a cluster, in one sentence. */
export const lifeWords = ({ state, runsWithout, returnedAfter }: ClusterLife): string => {
  const latest = runsWithout <= 1 ? 'the latest run' : `the latest ${formatCount(runsWithout)} runs`;
  const missing = `not in ${latest} of its branches`;
  switch (state) {
    case 'open':
      return runsWithout === 0 ? 'in the latest run of its branches' : `${missing}, which says little yet`;
    case 'returned': {
      const back = `back after ${countOf(returnedAfter!, 'run')} without it`;
      return runsWithout === 0 ? back : `${back}; ${missing}, which says little yet`;
    }
    case 'quiet':
      return runsWithout === 0 ? 'its branches had no runs for two weeks' : missing;
    case 'fixed':
      return missing;
  }
};

/** How that is judged. */
export const judgedWords = ({ seenIn, seenOf, runsWithout, chance, returnedAfter }: ClusterLife): string[] => {
  if (seenIn === 0) return ['None of the latest runs shows it.'];
  const since = returnedAfter === null ? 'it was first seen' : 'it returned';
  const seen = `Since ${since}, ${formatCount(seenIn)} of ${countOf(seenOf, 'run')} of its branches had it, up to the last that did.`;
  if (runsWithout === 0) return [seen];
  return [
    seen,
    `${countOf(runsWithout, 'run')} came after that without it. If nothing were fixed, that would happen in ${percent(chance)} of such cases.`,
    'Below 10 % it is called quiet, below 1 % fixed. Runs of only some tests and runs that are not complete do not count.',
  ];
};

const percent = (share: number): string => {
  if (share < 0.001) return 'less than 0.1 %';
  return `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`;
};
