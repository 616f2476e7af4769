import type { Branch } from '@assay/contract';

const STALE_MS = 30 * 86_400_000;

/** The default branch is never stale. */
export const partBranches = (
  branches: readonly Branch[],
  now: Date,
): { readonly active: readonly Branch[]; readonly stale: readonly Branch[] } => {
  const isActive = ({ isDefault, lastActive }: Branch): boolean =>
    isDefault || Date.parse(lastActive) > now.getTime() - STALE_MS;
  return { active: branches.filter(isActive), stale: branches.filter((branch) => !isActive(branch)) };
};

/** How the latest run of a branch stands against the default branch, and with which run of it that was compared. */
export const againstDefaultRun = (
  { isDefault, latestRun, againstDefault }: Branch,
  main: Branch | undefined,
): string => {
  if (isDefault || !main) return '–';
  if (latestRun.status === 'running') return 'still running';
  if (!againstDefault) return 'not compared';
  const { run, by, newHere, alsoFailing, fixedHere } = againstDefault;
  const said = [
    newHere > 0 && `${newHere} new here`,
    alsoFailing > 0 && `${alsoFailing} also fail${alsoFailing === 1 ? 's' : ''} there`,
    fixedHere > 0 && `${fixedHere} fixed here`,
  ].filter((words) => words !== false);
  const words = said.length > 0 ? said.join(', ') : 'nothing fails here';
  return `${words}, against #${run.id}${by === 'commit' ? ' (its base commit)' : ''}`;
};
