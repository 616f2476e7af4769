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

/** How the latest run of a branch stands against the latest of the default branch, by the number of failures alone. */
export const againstDefaultRun = ({ isDefault, latestRun }: Branch, main: Branch | undefined): string => {
  if (isDefault || !main) return '–';
  if (latestRun.status === 'running') return 'still running';
  const more = latestRun.failedTests - main.latestRun.failedTests;
  if (more === 0) return latestRun.failedTests === 0 ? 'nothing fails on either' : 'as many failures';
  return `${Math.abs(more)} ${more > 0 ? 'more' : 'fewer'} ${Math.abs(more) === 1 ? 'failure' : 'failures'}`;
};
