import { createRandom } from '@assay/testkit';
import { searchFirstBad } from '../../src/cli/bisect-search.ts';

const COMMITS = 40;
const MOST_RUNS = 100;

interface Planted {
  readonly searches: number;
  /** How often the command fails without the bad commit, and with it. */
  readonly before: number;
  readonly after: number;
}

export interface BisectFigures {
  /** The share of searches that end with one commit. */
  readonly ended: number;
  /** The share of these in which it is the right one. */
  readonly right: number;
  /** Runs of the command in the mean, of all searches. */
  readonly runs: number;
}

/** Searches among 40 commits one after another, one of which makes a command fail more often. */
export const measureBisect = async (seed: string, { searches, before, after }: Planted): Promise<BisectFigures> => {
  const random = createRandom(`${seed} ${before} ${after}`);
  let [ended, right, runs, begun] = [0, 0, 0, 0];
  while (begun < searches) {
    const truth = random.integer(0, COMMITS - 1);
    const found = await searchFirstBad({
      range: {
        commits: Array.from({ length: COMMITS }, (_, at) => String(at)),
        contains: (commit, other) => other <= commit,
        prior: Array.from({ length: COMMITS }, () => 1 / COMMITS),
      },
      mostRuns: MOST_RUNS,
      tryAt: async (commit) =>
        random.chance(commit !== 'good' && commit >= truth ? after : before) ? 'failed' : 'passed',
    });
    // Who sees it fail at the good commit, or pass at the bad one, is told so.
    if (found.kind !== 'found') continue;
    begun++;
    runs += found.runs;
    if (found.likely.length > 1) continue;
    ended++;
    if (found.likely[0] === truth) right++;
  }
  return { ended: ended / searches, right: right / ended, runs: runs / searches };
};
