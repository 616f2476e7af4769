import type { FailedTest, RunComparison } from '@assay/contract';
import { countOf } from '../../format/number.ts';

/** What the default branch says of a failure here. */
export const onDefaultWords = ({ onDefault }: Pick<FailedTest, 'onDefault'>, branch: string | null): string | null => {
  if (onDefault === null || branch === null) return null;
  switch (onDefault.outcome) {
    case 'failed':
      return `also fails on ${branch}${onDefault.failingSince ? ` since #${onDefault.failingSince.id}` : ''}`;
    case 'passed':
      return `passes on ${branch}`;
    case 'notRun':
      return `did not run on ${branch}`;
    case 'other':
      return `neither passed nor failed on ${branch}`;
  }
};

/** One sentence on a run of another branch; null when there is no run of the default branch to hold it against. */
export const againstDefault = ({
  defaultRun,
  defaultRunBy,
  failures,
  fixedHere,
}: Pick<RunComparison, 'defaultRun' | 'defaultRunBy' | 'failures' | 'fixedHere'>): string | null => {
  if (defaultRun === null) return null;
  const branch = defaultRun.branch ?? 'the default branch';
  const also = failures.filter(({ onDefault }) => onDefault?.outcome === 'failed').length;
  const here = failures.length - also;
  const said = [
    here > 0 && `${countOf(here, 'test')} fail${here === 1 ? 's' : ''} only here`,
    also > 0 && `${also} also fail${also === 1 ? 's' : ''} on ${branch}`,
    fixedHere.length > 0 && `${fixedHere.length} fixed here`,
  ].filter((words) => words !== false);
  const which = defaultRunBy === 'commit' ? 'its base commit' : `the latest ${branch} before it`;
  return `${said.length === 0 ? 'Nothing fails here' : said.join(', ')}, against #${defaultRun.id} (${which})`;
};
