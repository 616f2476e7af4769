import type { SubmittedCase } from '@assay/contract';
import { MAX_RESULTS_PER_RUN } from '@assay/contract/limits';
import { outcomeOf, worstStatus } from '@assay/contract/outcome';
import { type AttachmentOfRun, findAttachments, findFileOf } from './attached.ts';
import { joinTries } from './build-case.ts';
import { type FoundFile, findFiles } from './find-files.ts';
import { type ImportContext, type Imported, type TraceFile, nothingImported, problem } from './imported.ts';
import { messageOf, timeOf } from './json.ts';
import { isArchive } from './playwright-blob.ts';
import { type Format, type Recognised, recognise } from './recognise.ts';
import { withoutRepeats } from './repeated-reports.ts';
import { type Source, openSource, printable } from './source.ts';
import { durationOf, emptySpan, joinSpans } from './spans.ts';

/** What several files say of one run, or of one shard of it. */
export interface ImportedRun {
  readonly cases: readonly SubmittedCase[];
  readonly startTime: string;
  readonly durationMs: number | null;
  readonly status: string;
  readonly shard: Imported['shard'];
  readonly errors: readonly string[];
  readonly traces: readonly TraceFile[];
  readonly attachments: readonly AttachmentOfRun[];
  /** The archives that it was read from and that are reports themselves. */
  readonly blobs: readonly string[];
}

export interface FilesImported {
  readonly runs: readonly ImportedRun[];
  readonly formats: ReadonlyMap<Format, number>;
  /** What a person should know, each with its file. */
  readonly warnings: readonly string[];
  /** Those of the warnings that tell of a report that is broken or breaks off. */
  readonly damage: readonly string[];
}

export type FilesRead =
  | ({ readonly ok: true } & FilesImported)
  | { readonly ok: false; readonly problems: readonly string[] };

interface ReadFile {
  readonly format: Format;
  readonly name: string;
  readonly path: string;
  readonly modifiedMs: number;
  readonly isArchive: boolean;
  readonly imported: Imported;
  readonly attachments: readonly AttachmentOfRun[];
}

/** Files and folders of one call make one run; those of different shards make one part for each. */
export const importFiles = async (paths: readonly string[], context: ImportContext): Promise<FilesRead> => {
  const found = findFiles(paths);
  return found.ok ? readReports(found.files, paths, context) : found;
};

/** What files say that were found in `places`, which are named when there is no report among them. */
export const readReports = async (
  found: Iterable<FoundFile>,
  places: readonly string[],
  context: ImportContext,
): Promise<FilesRead> => {
  const problems: string[] = [];
  const unread: string[] = [];
  const read: ReadFile[] = [];
  const formats = new Map<Format, number>();
  for (const one of found) {
    const file = await readFile(one, context);
    if (!file.ok) {
      // In a folder there may be anything; a file that is named must be a report.
      if (one.isAsked) problems.push(`${printable(one.name)} is not a report: it is ${file.seen}`);
      else if (REPORT_NAME.test(one.name)) unread.push(`${printable(one.name)} was left out: it is ${file.seen}`);
      continue;
    }
    read.push(file);
    formats.set(file.format, (formats.get(file.format) ?? 0) + 1);
  }
  if (problems.length > 0) return { ok: false, problems };
  if (read.length === 0) {
    return { ok: false, problems: [`no report was found in ${places.map(printable).join(', ')}`, ...someOf(unread)] };
  }
  const { files, repeats } = withoutRepeats(read);
  const damage = read.flatMap(({ name, imported }) => damageOf(name, imported));
  const warnings = [
    ...damage,
    ...repeats.map(({ name, of }) => `${name} was left out: it repeats ${of}`),
    ...someOf(unread),
  ];
  const runs = byShard(files).map(joinFiles);
  const total = runs.reduce((sum, { cases }) => sum + cases.length, 0);
  if (total === 0 && warnings.length > 0) return { ok: false, problems: warnings };
  if (total > MAX_RESULTS_PER_RUN) {
    return { ok: false, problems: [`a run may have ${MAX_RESULTS_PER_RUN} results, but these files have ${total}`] };
  }
  return { ok: true, runs, formats, warnings, damage };
};

/** What a person takes for a report, and would miss. */
const REPORT_NAME = /\.(?:xml|trx|tap|subunit)$|(?:report|results?)[^/]*\.json$/i;
const MOST_UNREAD = 5;

const someOf = (unread: readonly string[]): string[] =>
  unread.length <= MOST_UNREAD
    ? [...unread]
    : [...unread.slice(0, MOST_UNREAD), `${unread.length - MOST_UNREAD} more files were left out`];

type FileRead = ({ readonly ok: true } & ReadFile) | { readonly ok: false; readonly seen: string };

const readFile = async ({ path, name }: FoundFile, context: ImportContext): Promise<FileRead> => {
  let source: Source;
  let recognised: Recognised;
  try {
    source = openSource(path, name);
    recognised = await recognise(source);
  } catch (error) {
    return { ok: false, seen: `a file that cannot be read: ${messageOf(error)}` };
  }
  if (!recognised.ok) return recognised;
  const { format } = recognised;
  // The source itself is not kept: the beginnings of thousands of files would fill the memory.
  const file = { ok: true as const, format, path, name: source.name, modifiedMs: source.modifiedMs };
  try {
    const { attachments: told = [], ...imported } = await recognised.read(context);
    const attachments = findAttachments(told, { path, name }, context.findAttached ?? findFileOf(context.root));
    return { ...file, isArchive: isArchive(source), imported, attachments };
  } catch (error) {
    const imported = nothingImported([problem(`it cannot be read: ${messageOf(error)}`)]);
    return { ...file, isArchive: false, imported, attachments: [] };
  }
};

const damageOf = (name: string, { problems, cases }: Imported): string[] =>
  problems.map(({ message, line }) => {
    const where = line === null ? name : `${name}:${line}`;
    return `${where}: ${message}${cases.length > 0 ? `; ${cases.length} ${cases.length === 1 ? 'test' : 'tests'} could be read` : ''}`;
  });

const byShard = (files: readonly ReadFile[]): ReadFile[][] => {
  const groups = new Map<string, ReadFile[]>();
  for (const file of files) {
    const { shard } = file.imported;
    const key = shard === null ? '' : `${shard.index}/${shard.total}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return [...groups.values()];
};

const joinFiles = (all: readonly ReadFile[]): ImportedRun => {
  const files = joinTriesOfFiles(all);
  const cases = files.flatMap(({ imported }) => imported.cases);
  const statuses = new Set(cases.map(({ status }) => runStatusOf(status)));
  for (const { imported } of files) if (imported.status !== null) statuses.add(imported.status);
  const span = files.reduce(
    (all, { imported }) =>
      joinSpans(all, { startMs: imported.startTimeMs, durationMs: durationOf(imported.durationMs) }),
    emptySpan,
  );
  const durationMs = durationOf(span.durationMs === null ? null : Math.round(span.durationMs));
  // A format that knows no time was written when its run ended.
  const writtenMs = files.reduce((latest, { modifiedMs }) => Math.max(latest, modifiedMs), 0);
  const startMs = span.startMs ?? timeOf(writtenMs - (durationMs ?? 0)) ?? writtenMs;
  return {
    cases,
    startTime: new Date(Math.round(startMs)).toISOString(),
    durationMs,
    status: worstStatus(['skipped', ...statuses]),
    shard: files[0]!.imported.shard,
    errors: files.flatMap(({ imported }) => imported.errors),
    traces: inRun(files, ({ imported }) => imported.traces ?? []),
    attachments: inRun(files, ({ attachments }) => attachments),
    blobs: files.flatMap(({ format, path, isArchive }) => (format === 'Playwright blob' && isArchive ? path : [])),
  };
};

/** Tries of one test become one case, in the place of the first. */
const joinTriesOfFiles = (files: readonly ReadFile[]): readonly ReadFile[] => {
  const keys = new Set<string>();
  const tries = new Map<string, ReadFile[]>();
  for (const { imported } of files) {
    const key = imported.tryOf?.key;
    if (key !== undefined && keys.has(key)) tries.set(key, []);
    else if (key !== undefined) keys.add(key);
  }
  if (tries.size === 0) return files;
  for (const file of files) tries.get(file.imported.tryOf?.key ?? '')?.push(file);
  return files.flatMap((file) => {
    const ofTest = tries.get(file.imported.tryOf?.key ?? '');
    if (ofTest === undefined) return [file];
    if (ofTest[0] !== file) return [];
    const inOrder = ofTest.toSorted((a, b) => a.imported.tryOf!.startMs - b.imported.tryOf!.startMs);
    const joined = joinTries(inOrder.flatMap(({ imported }) => imported.cases));
    const attachments = inOrder.flatMap((one, attempt) => one.attachments.map((each) => ({ ...each, attempt })));
    return [{ ...file, attachments, imported: { ...file.imported, cases: [joined] } }];
  });
};

/** The cases of each file come behind those of the ones before it. */
const inRun = <T extends { readonly caseIndex: number }>(
  files: readonly ReadFile[],
  itemsOf: (file: ReadFile) => readonly T[],
): T[] => {
  let before = 0;
  return files.flatMap((file) => {
    const first = before;
    before += file.imported.cases.length;
    return itemsOf(file).map((item) => ({ ...item, caseIndex: first + item.caseIndex }));
  });
};

/** What a case says about its run. */
const runStatusOf = (caseStatus: string): string => {
  if (caseStatus === 'interrupted') return 'interrupted';
  const outcome = outcomeOf(caseStatus);
  return outcome === 'other' ? 'passed' : outcome;
};
