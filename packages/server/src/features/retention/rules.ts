import type { ExpiredRun, RetentionSettings } from '@assay/contract';

const DAY_MS = 24 * 60 * 60 * 1000;

export type Reason = ExpiredRun['reason'];
/** Why a run stays that is beyond a limit. */
export type Kept = 'live' | 'pinned' | 'branch';

/** A run as far as the rules look at it. */
export interface RetainedRun {
  readonly id: number;
  readonly startTime: number;
  readonly createdAt: number;
  readonly branch: string | null;
  readonly isPinned: boolean;
  /** More of it may come. */
  readonly isLive: boolean;
  /** Whether it has reports, traces or attachments. */
  readonly hasFiles: boolean;
  readonly bytes: number;
}

/** What the settings come to for one project at one moment. */
export interface Bounds {
  readonly now: number;
  /** Runs from before are too old; likewise files. */
  readonly runsSince: number | null;
  readonly filesSince: number | null;
  /** The oldest of the newest runs that stay; null when there are no more than those. */
  readonly oldestOfNewest: Pick<RetainedRun, 'id' | 'startTime'> | null;
  /** What the project stores above its limit. */
  readonly excessBytes: number;
  /** The newest run that is not live: a limit that is smaller than one run would leave nothing. */
  readonly newestId: number | null;
  readonly keepBranches: readonly string[];
}

export const NO_LIMITS: RetentionSettings = { days: null, runs: null, bytes: null, fileDays: null, keepBranches: [] };

export const hasLimits = ({ days, runs, bytes, fileDays }: RetentionSettings): boolean =>
  days !== null || runs !== null || bytes !== null || fileDays !== null;

export const sinceDays = (days: number | null, now: number): number | null =>
  days === null ? null : now - days * DAY_MS;

/** In this order: what is deleted or stripped anyway leaves less to delete for the sake of bytes. */
export const PHASES = ['limits', 'files', 'bytes'] as const;
export type Phase = (typeof PHASES)[number];

export interface Choice<Run> {
  readonly expired: readonly { readonly run: Run; readonly reason: Reason }[];
  readonly kept: readonly { readonly run: Run; readonly why: Kept }[];
}

/** Which of some runs, oldest first, are deleted, or in the phase of files lose theirs. */
export const chooseExpired = <Run extends RetainedRun>(
  phase: Phase,
  runs: readonly Run[],
  bounds: Bounds,
): Choice<Run> => {
  const expired: { run: Run; reason: Reason }[] = [];
  const kept: { run: Run; why: Kept }[] = [];
  let excess = bounds.excessBytes;
  for (const run of runs) {
    const reason = phase === 'bytes' ? (excess > 0 ? 'bytes' : null) : reasonOf(phase, run, bounds);
    if (reason === null) continue;
    const why = whyKept(run, bounds.keepBranches);
    if (why !== null) {
      kept.push({ run, why });
      continue;
    }
    if (reason === 'bytes' && run.id === bounds.newestId) continue;
    if (reason === 'bytes') excess -= run.bytes;
    expired.push({ run, reason });
  }
  return { expired, kept };
};

const reasonOf = (phase: 'limits' | 'files', run: RetainedRun, bounds: Bounds): Reason | null => {
  const time = datedTime(run, bounds.now);
  if (phase === 'files') return run.hasFiles && bounds.filesSince !== null && time < bounds.filesSince ? 'files' : null;
  if (bounds.runsSince !== null && time < bounds.runsSince) return 'age';
  const { oldestOfNewest: oldest } = bounds;
  const isBefore =
    oldest !== null && (run.startTime < oldest.startTime || (run.startTime === oldest.startTime && run.id < oldest.id));
  return isBefore ? 'runs' : null;
};

/** A run whose sender's clock is ahead is as old as its arrival. */
const datedTime = ({ startTime, createdAt }: RetainedRun, now: number): number =>
  startTime > now ? createdAt : startTime;

const whyKept = ({ isLive, isPinned, branch }: RetainedRun, keepBranches: readonly string[]): Kept | null => {
  if (isLive) return 'live';
  if (isPinned) return 'pinned';
  return branch !== null && keepBranches.some((pattern) => matchesPattern(pattern, branch)) ? 'branch' : null;
};

/** `*` stands for any text. In time of both lengths multiplied, whatever the pattern. */
export const matchesPattern = (pattern: string, text: string): boolean => {
  let [at, inText, star, resumeAt] = [0, 0, -1, 0];
  while (inText < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      resumeAt = inText;
    } else if (pattern[at] === text[inText]) {
      at++;
      inText++;
    } else if (star >= 0) {
      at = star + 1;
      inText = ++resumeAt;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
};
