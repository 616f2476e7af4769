import type { Issue } from '@assay/contract';

const MAX_DEPTH = 100;

/** Free-form values are stored as they are, so their depth is bounded for everyone who reads them. */
export const depthIssue = (path: string, value: unknown): Issue | null =>
  isDeeperThan(value, MAX_DEPTH) ? { path, message: `must not be nested deeper than ${MAX_DEPTH} levels` } : null;

const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return children.some((child) => isDeeperThan(child, levels - 1));
};
