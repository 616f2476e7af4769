import type { ExpiredRun, RetentionPreview, RetentionSettings, StorageForecast } from '@assay/contract';
import { countOf, formatBytes, formatCount } from '../../format/number.ts';

export const hasLimits = ({ days, runs, bytes, fileDays }: RetentionSettings): boolean =>
  days !== null || runs !== null || bytes !== null || fileDays !== null;

/** What settings come to, in one sentence. */
export const settingsWords = ({ days, runs, bytes, fileDays, keepBranches }: RetentionSettings): string => {
  const limits = [
    ...(days === null ? [] : [`runs for ${countOf(days, 'day')}`]),
    ...(runs === null ? [] : [`the newest ${countOf(runs, 'run')}`]),
    ...(bytes === null ? [] : [`at most ${formatBytes(bytes)}`]),
    ...(fileDays === null ? [] : [`files for ${countOf(fileDays, 'day')}`]),
  ];
  if (limits.length === 0) return 'Everything is kept.';
  const kept = keepBranches.length > 0 ? ` Runs of ${keepBranches.join(', ')} stay.` : '';
  return `Kept: ${limits.join(', ')}.${kept}`;
};

type Gone = Pick<RetentionPreview, 'runs' | 'results' | 'strippedRuns' | 'reports' | 'traces' | 'attachments'> &
  Pick<RetentionPreview, 'fileBytes' | 'databaseBytes'>;

/** What would go, in one or two sentences. */
export const goneWords = (gone: Gone): string => {
  const { runs, results, strippedRuns, reports, traces, attachments, fileBytes, databaseBytes } = gone;
  if (runs + strippedRuns === 0) return 'Nothing would be deleted now.';
  const deleted = `${countOf(runs, 'run')} with ${countOf(results, 'result')}`;
  const stripped = `the files of ${countOf(strippedRuns, runs > 0 ? 'more run' : 'run')}, whose results stay`;
  const what = [runs > 0 && deleted, strippedRuns > 0 && stripped].filter(Boolean).join(', and ');
  const files = [
    ...(reports > 0 ? [countOf(reports, 'report')] : []),
    ...(traces > 0 ? [countOf(traces, 'trace')] : []),
    ...(attachments > 0 ? [countOf(attachments, 'attachment')] : []),
  ];
  const bytes = [
    ...(databaseBytes > 0 ? [`${formatBytes(databaseBytes)} of results`] : []),
    ...(files.length > 0
      ? [`${formatBytes(fileBytes)} of files (${files.join(', ')}; what other runs share stays)`]
      : []),
  ];
  const inAll = bytes.length > 0 ? ` In all ${bytes.join(' and ')}.` : '';
  return `This would be deleted now: ${what}.${inAll}`;
};

/** Which runs stay though they are beyond a limit; null when there are none. */
export const keptWords = ({ pinned, branch, live }: RetentionPreview['kept']): string | null => {
  const all = pinned + branch + live;
  if (all === 0) return null;
  const reasons = [
    ...(pinned > 0 ? [`${formatCount(pinned)} pinned`] : []),
    ...(branch > 0 ? [`${formatCount(branch)} of kept branches`] : []),
    ...(live > 0 ? [`${formatCount(live)} not complete yet`] : []),
  ];
  return `${countOf(all, 'run')} beyond a limit would stay: ${reasons.join(', ')}.`;
};

export const REASONS: Record<ExpiredRun['reason'], string> = {
  age: 'too old',
  runs: 'beyond the number of runs',
  bytes: 'for space',
  files: 'files only',
};

/** What is said in the place of a date; null when there is a date to say. */
export const noDateWords = (
  { bytesPerDay, fullAt }: Pick<StorageForecast, 'bytesPerDay' | 'fullAt'>,
  recordedDays: number,
): string | null => {
  if (bytesPerDay === null) return `Unknown: ${countOf(recordedDays, 'day')} recorded so far, 7 are needed`;
  if (bytesPerDay <= 0) return 'Not growing';
  return fullAt === null ? 'Not within ten years' : null;
};

export const growthWords = (bytesPerDay: number | null): string | null =>
  bytesPerDay === null
    ? null
    : bytesPerDay < 0
      ? `shrinks by ${formatBytes(-bytesPerDay)} a day`
      : `grows by ${formatBytes(bytesPerDay)} a day`;
