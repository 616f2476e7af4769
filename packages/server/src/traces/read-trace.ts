import type { SubmittedStep } from '@assay/contract';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type LineLimits, type LinesRead, readLines } from './lines.ts';
import { createTraceFile, type KeptLimits, type TraceContents } from './trace-file.ts';

export type { TraceContents } from './trace-file.ts';

export type TraceReading = { ok: true; contents: TraceContents } | { ok: false; reason: string };

export interface TraceLimits extends KeptLimits {
  readonly maxEntries: number;
  readonly maxTraceFiles: number;
  readonly maxEntryBytes: number;
  readonly maxTotalBytes: number;
  readonly maxLineBytes: number;
  readonly maxLines: number;
}

const MiB = 2 ** 20;

export const TRACE_LIMITS: TraceLimits = {
  maxEntries: 100_000,
  maxTraceFiles: 1_000,
  maxEntryBytes: 128 * MiB,
  maxTotalBytes: 256 * MiB,
  maxLineBytes: MiB,
  maxLines: 1_000_000,
  maxRequests: 10_000,
  maxSteps: 5_000,
  maxConsoleMessages: 1_000,
};

export const NOT_A_ZIP = 'The trace is not a zip file, or it was cut off.';
const NO_TRACE = 'The zip file holds no Playwright trace.';
const TOO_MANY_ENTRIES = 'The trace has too many files in it.';
const ENCRYPTED = 'The trace is encrypted.';
const DAMAGED = 'The trace is damaged and cannot be read.';

const RUNNER_FILE = 'test.trace';
/** Attachments of the same kind lie in folders. */
const TRACE_FILE = /^[^/]+\.(?:trace|network)$/;

/**
 * Never throws because of what the file holds. What can be read of a damaged trace, or of one beyond the limits, is what it holds; it fails when
 * that is nothing.
 */
export const readTrace = async (file: string, limits: TraceLimits = TRACE_LIMITS): Promise<TraceReading> => {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(unlessSystemFault);
  if (zip === null) return failure(NOT_A_ZIP);
  zip.on('error', () => undefined);
  try {
    return await readZip(zip, limits);
  } catch {
    return failure(DAMAGED);
  } finally {
    zip.close();
  }
};

/** That a file cannot be opened says nothing about the trace in it. */
const unlessSystemFault = (error: NodeJS.ErrnoException): null => {
  if (error.syscall !== undefined) throw error;
  return null;
};

const failure = (reason: string): TraceReading => ({ ok: false, reason });

const readZip = async (zip: ZipFile, limits: TraceLimits): Promise<TraceReading> => {
  if (zip.entryCount > limits.maxEntries) return failure(TOO_MANY_ENTRIES);
  const entries = await findTraceEntries(zip, limits.maxTraceFiles);
  const contents: TraceContents = { requests: [], steps: [], console: [] };
  let bytesLeft = limits.maxTotalBytes;
  let linesLeft = limits.maxLines;
  let takesSteps = true;
  let understood = false;
  let reason = NO_TRACE;
  for (const entry of entries) {
    if (bytesLeft <= 0 || linesLeft <= 0) break;
    const file = createTraceFile(limitsLeft(limits, contents, takesSteps));
    const maxBytes = Math.min(bytesLeft, limits.maxEntryBytes);
    const { bytesRead, linesRead, intact } = await readEntry(
      zip,
      entry,
      { ...limits, maxBytes, maxLines: linesLeft },
      file.addLine,
    );
    if (!intact) reason = entry.isEncrypted() ? ENCRYPTED : DAMAGED;
    bytesLeft -= bytesRead;
    linesLeft -= linesRead;
    understood ||= file.isTrace();
    addContents(contents, file.contents());
    if (entry.fileName === RUNNER_FILE) takesSteps = contents.steps.length === 0;
  }
  return understood ? { ok: true, contents: inTimeOrder(contents) } : failure(reason);
};

/** The runner's file first, because the calls of the others are steps only where there is none. */
const findTraceEntries = async (zip: ZipFile, maxTraceFiles: number): Promise<Entry[]> => {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === RUNNER_FILE) entries.unshift(entry);
    else if (TRACE_FILE.test(entry.fileName)) entries.push(entry);
    if (entries.length === maxTraceFiles) break;
  }
  return entries;
};

const readEntry = async (
  zip: ZipFile,
  entry: Entry,
  limits: LineLimits,
  onLine: (line: Buffer) => void,
): Promise<LinesRead> => {
  const stream = await zip.openReadStreamPromise(entry).catch(() => null);
  return stream === null ? { bytesRead: 0, linesRead: 0, intact: false } : readLines(stream, limits, onLine);
};

const limitsLeft = (
  limits: KeptLimits,
  { requests, steps, console }: TraceContents,
  takesSteps: boolean,
): KeptLimits => ({
  maxRequests: limits.maxRequests - requests.length,
  maxSteps: takesSteps ? limits.maxSteps - countSteps(steps) : 0,
  maxConsoleMessages: limits.maxConsoleMessages - console.length,
});

const countSteps = (steps: readonly SubmittedStep[]): number =>
  steps.reduce((count, step) => count + 1 + countSteps(step.steps ?? []), 0);

const addContents = (contents: TraceContents, more: TraceContents): void => {
  contents.requests = contents.requests.concat(more.requests);
  contents.steps = contents.steps.concat(more.steps);
  contents.console = contents.console.concat(more.console);
};

const inTimeOrder = ({ requests, steps, console }: TraceContents): TraceContents => ({
  requests: sortByTime(requests),
  steps: sortByTime(steps),
  console: sortByTime(console),
});

/** What has no time stays behind what came before it in the file. */
const sortByTime = <T extends { startTime?: unknown }>(items: readonly T[]): T[] => {
  let latest = '';
  return items
    .map((item) => ({ item, time: (latest = typeof item.startTime === 'string' ? item.startTime : latest) }))
    .sort((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
    .map(({ item }) => item);
};
