import type { DurationChange, TestChange, TestSince } from '@assay/contract';
import { countOf, formatShare } from '../../format/number.ts';
import { shortCommit } from '../revision/short-commit.ts';

type Kind = 'broken' | 'flaky';

/** More likely than not, it was so before the first result. */
export const isFromStart = ({ fromStart }: TestChange): boolean => fromStart >= 0.5;

/** `Broken since 3f2a91b`, `Perhaps flaky since one of 4 commits`. */
export const changeTitle = (change: TestChange, kind: Kind): string => {
  const state = change.sure ? kind : `perhaps ${kind}`;
  if (isFromStart(change)) return `${capital(state)} from the first result on`;
  return `${capital(state)} since ${placeWords(change)}${change.fromStart > 0.05 ? ', or from the first result on' : ''}`;
};

type Somewhere = Pick<TestChange, 'places' | 'placeCount' | 'commitCount'>;

/** `Slower since one of 4 commits, by 40 %`, `Slower since 3f2a91b, 3 times as long`. */
export const durationTitle = (change: Somewhere & Pick<DurationChange, 'factor'>): string => {
  const { factor } = change;
  const by = factor >= 2 ? `${Number(factor.toPrecision(2))} times as long` : `by ${formatShare(Math.abs(factor - 1))}`;
  return `${factor > 1 ? 'Slower' : 'Faster'} since ${placeWords(change)}, ${by}`;
};

export const placeWords = ({ places, placeCount, commitCount }: Somewhere): string => {
  const [first] = places;
  if (commitCount === 1 && first?.commits[0]) return shortCommit(first.commits[0].hash);
  if (commitCount !== null && commitCount > 0) return `one of ${countOf(commitCount, 'commit')}`;
  if (placeCount === 1 && first) return `run #${first.run.id}`;
  return `one of ${countOf(placeCount, 'run')}`;
};

export const untestedWords = ({ untested }: TestChange): string => {
  if (untested === null) return 'Which commits are between is not known.';
  if (untested === 0) return '';
  return `${countOf(untested, 'commit')} between ${untested === 1 ? 'was' : 'were'} not tested.`;
};

/** What the answer rests on, and what was left out. */
export const basisWords = ({ results, orderedBy, unplaced, outages, branch }: TestSince): string =>
  [
    `From the latest ${countOf(results, 'result')}${branch === null ? '' : ` on ${branch}`}, in the order of ${
      orderedBy === 'commits' ? 'their commits' : 'their start, as the history of their commits is not known'
    }.`,
    unplaced > 0 &&
      `${countOf(unplaced, 'result')} left out, as ${unplaced === 1 ? 'its commit is' : 'their commits are'} not in the history of the newest.`,
    outages.length > 0 &&
      `${countOf(outages.length, 'failure')} left out, as far more than usual failed in the run and the test passed afterwards.`,
  ]
    .filter(Boolean)
    .join(' ');

export const countsWords = ({ passed, flaky, failed }: TestChange['before']): string =>
  [
    passed > 0 && `passed ${passed} ${times(passed)}`,
    flaky > 0 && `passed on a retry ${flaky} ${times(flaky)}`,
    failed > 0 && `failed ${failed} ${times(failed)}`,
  ]
    .filter(Boolean)
    .join(', ') || 'did not run';

const times = (count: number): string => (count === 1 ? 'time' : 'times');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
