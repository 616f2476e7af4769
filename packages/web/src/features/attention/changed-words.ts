import type { NewlyFlakyTest, NewlySlowerTest } from '@assay/contract';
import { formatDuration } from '../../format/duration.ts';
import { formatCount } from '../../format/number.ts';
import { durationTitle, placeWords } from '../test/since-words.ts';

/** `Flaky since one of 4 commits: 6 of 20 results were not good at once, before that none of 180`. */
export const flakyWords = ({ place, placeCount, commitCount, before, since }: NewlyFlakyTest): string => {
  const where = placeWords({ places: [place], placeCount, commitCount });
  return `Flaky since ${where}: ${badOf(since)} results were not good at once, before that ${badOf(before)}`;
};

const badOf = ({ passed, flaky, failed }: NewlyFlakyTest['since']): string => {
  const bad = flaky + failed;
  return `${bad === 0 ? 'none' : formatCount(bad)} of ${formatCount(passed + bad)}`;
};

/** `Slower since 3f2a91b, by 40 %: usually 1.7 s, before that 1.2 s`. */
export const slowerWords = ({ place, beforeMs, afterMs, ...change }: NewlySlowerTest): string =>
  `${durationTitle({ ...change, places: [place] })}: usually ${formatDuration(afterMs)}, before that ${formatDuration(beforeMs)}`;
