import { type Failure, UNREADABLE } from '../http/failure.ts';
import type { Output } from '../output.ts';
import type { FormFile } from './form.ts';

export interface SizedFile extends FormFile {
  readonly sizeBytes: number;
  /** Whether this many bytes are sent: a folder is compressed on the way. */
  readonly isExact: boolean;
}

/** A file that the results were sent without. */
export interface DroppedFile {
  readonly name: string;
  readonly path: string;
  readonly why: string;
}

/**
 * Whether a refusal is about files. One may be too large or cannot be read, or a report is such that it is not unpacked; a
 * proxy in between answers 413 as well.
 */
export const isAboutFiles = (failure: Failure): boolean =>
  failure.kind === 'refused' && (failure.code === UNREADABLE || [400, 411, 413, 415, 422].includes(failure.status));

/**
 * The files to leave out of the next try, at least one. Where the answer names one it is that one, with all that are at
 * least as large where it was too large. Where it names none, the largest go, until half of the bytes are left: each try
 * sends all of them again.
 */
export const filesToDrop = (files: readonly SizedFile[], failure: Failure): readonly SizedFile[] => {
  const { status, about = [] } = failure.kind === 'refused' ? failure : { status: 0 };
  const largestFirst = [...files].sort((a, b) => b.sizeBytes - a.sizeBytes);
  const named = largestFirst.filter(({ name, path }) => about.includes(name) || about.includes(path));
  const isTooLarge = status === 413;
  if (named.length > 0) {
    // Several traces of one case have one name, and at least the largest of them is too large.
    if (!isTooLarge) return named;
    const [tooLarge] = named as [SizedFile];
    const isAsLarge = ({ sizeBytes, isExact }: SizedFile): boolean =>
      tooLarge.isExact && isExact && sizeBytes >= tooLarge.sizeBytes;
    return files.filter((file) => file === tooLarge || isAsLarge(file));
  }
  // It is about something else of the request.
  if (about.length > 0) return files;
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const dropped: SizedFile[] = [];
  let left = total;
  for (const file of largestFirst) {
    if (dropped.length > 0 && left <= total / 2) break;
    dropped.push(file);
    left -= file.sizeBytes;
  }
  return dropped;
};

const MOST_DROPPED = 5;

/** One line for each file, up to a few. */
export const reportDropped = (dropped: readonly DroppedFile[], output: Output): void => {
  for (const { name, path, why } of dropped.slice(0, MOST_DROPPED)) {
    const what = name.startsWith('report_')
      ? `the ${name.slice('report_'.length)} report`
      : `the ${name.startsWith('trace_') ? 'trace' : 'attachment'}`;
    output.say(`Assay: sent without ${what} ${path}: ${why}`);
  }
  const more = dropped.length - MOST_DROPPED;
  if (more > 0) output.say(`Assay: sent without ${more} more ${more === 1 ? 'file' : 'files'} for such reasons`);
};
