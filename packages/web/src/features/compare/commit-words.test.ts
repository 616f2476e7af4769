import type { Commit, CommitsBetween } from '@assay/contract';
import { expect, it } from 'vitest';
import { aboutCommits } from './commit-words.ts';

const HASH = 'a'.repeat(40);
const commit: Commit = {
  hash: HASH,
  parents: [],
  time: '2026-03-01T10:00:00Z',
  author: 'Ada',
  subject: 'x',
  files: [],
};
const commits = (count: number, more: Partial<CommitsBetween> = {}): CommitsBetween => ({
  commits: Array.from({ length: count }, () => commit),
  complete: true,
  endsAt: null,
  shallow: false,
  ...more,
});

it.each<[string, CommitsBetween, CommitsBetween, string]>([
  ['the next commit', commits(1), commits(0), 'This run has 1 commit that the other one does not have.'],
  ['an older run', commits(0), commits(12), 'The other run has 12 commits that this one does not have.'],
  ['two branches', commits(2), commits(1), '2 commits only in this run, 1 commit only in the other one.'],
  ['one commit under two names', commits(0), commits(0), 'Both runs have the same commits.'],
  [
    'commits that nobody told',
    commits(0, { complete: false }),
    commits(0, { complete: false }),
    'Which commits only one of the runs has is not known: nobody told them. The reporters do, from a checkout with git.',
  ],
  ['years of work', commits(1_000, { complete: false }), commits(0), 'More than 1,000 commits lie between the runs.'],
  [
    'a shallow clone',
    commits(1, { complete: false, endsAt: HASH, shallow: true }),
    commits(0),
    'Which commits only one of the runs has is not known in full: the history that was told ends at aaaaaaa, where the clone was shallow. A deeper clone in CI tells more.',
  ],
  [
    'a history that ends on the other side',
    commits(1),
    commits(3, { complete: false, endsAt: HASH }),
    'Which commits only one of the runs has is not known in full: the history that was told ends at aaaaaaa.',
  ],
])('of %s', (_, here, there, words) => {
  expect(aboutCommits(here, there)).toBe(words);
});
