import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FilesImported,
  type FoundFile,
  type ImportedRun,
  type Told,
  type TraceFile,
  planParts,
  readReports,
  submissionOf,
} from '@assay/import';
import { hasZipEntry, readZipEntry } from '@assay/import/zip-entry';
import { type ArchiveLimits, type Budget, createBudget } from '../archives/limits.ts';
import { unpackFile } from '../archives/unpack.ts';
import { writePosition } from './position.ts';

export interface ArrivedFile {
  readonly file: string;
  /** As the client called it. */
  readonly name: string;
}

export interface ImportTask {
  readonly files: readonly ArrivedFile[];
  /** A folder of the task's own, empty at first. */
  readonly intoDir: string;
  readonly limits: ArchiveLimits;
  readonly root: string;
  readonly told: Told;
  readonly runKey: string | null;
  readonly shard: ImportedRun['shard'];
  /** Whether to take what can be read of a damaged report. */
  readonly incomplete: boolean;
}

interface FileOfPart {
  readonly file: string;
  readonly hash: string;
  readonly sizeBytes: number;
}

/** One run, or one shard of it, as it is submitted. */
export interface PartRead {
  /** JSON without the cases. */
  readonly testRun: string;
  readonly testCases: { readonly file: string; readonly sizeBytes: number };
  readonly traces: readonly (FileOfPart & { readonly caseIndex: number })[];
  /** The blob report that it was read from. */
  readonly blob: FileOfPart | null;
}

export type ReportsRead =
  | {
      readonly ok: true;
      readonly parts: readonly PartRead[];
      readonly formats: readonly { readonly format: string; readonly files: number }[];
      readonly warnings: readonly string[];
    }
  /** Each problem names a file. */
  | { readonly ok: false; readonly isDamage: boolean; readonly problems: readonly string[] };

/** Reads reports as `assay upload` does, and writes what is to be stored of them into the folder of the task. */
export const readReportFiles = async (task: ImportTask): Promise<ReportsRead> => {
  const found = await findReports(task);
  const names = task.files.map(({ name }) => name);
  const files = await readReports(tellPosition(found, task), names, { root: task.root });
  if (!files.ok) return { ok: false, isDamage: false, problems: files.problems };
  if (files.damage.length > 0 && !task.incomplete) return { ok: false, isDamage: true, problems: files.damage };
  const planned = planParts(files.runs, { shard: task.shard, runKey: task.runKey, buildKey: null });
  if (!planned.ok) return { ok: false, isDamage: false, problems: [PROBLEMS[planned.problem]] };
  const parts: PartRead[] = [];
  for (const [at, run] of files.runs.entries()) {
    parts.push(await writePart(task, run, at, submissionOf(run, files, { ...task.told, ...planned.parts[at] })));
  }
  return { ok: true, parts, formats: formatsOf(files), warnings: files.warnings };
};

const PROBLEMS = {
  'several shards': 'shard names one shard, but these files come from several',
  'no run key': 'shard needs runKey, which is the same for all shards of a run',
};

const formatsOf = ({ formats }: FilesImported): { format: string; files: number }[] =>
  [...formats].map(([format, files]) => ({ format, files }));

interface ReportFile extends FoundFile {
  /** Of the file that arrived with it. */
  readonly arrived: number;
}

/** The files that arrived, and what is in the archives among them. A blob report is an archive that is a report itself. */
const findReports = async ({ files, intoDir, limits }: ImportTask): Promise<ReportFile[]> => {
  const found: ReportFile[] = [];
  for (const [arrived, { file, name }] of files.entries()) {
    writePosition(intoDir, arrived);
    const unpackedDir = join(intoDir, `unpacked-${arrived}`);
    mkdirSync(unpackedDir);
    const isReport = await hasZipEntry(file, BLOB_ENTRY);
    const unpacked = isReport ? null : await unpackFile({ file, intoDir: unpackedDir, limits });
    if (unpacked?.kind !== 'archive') found.push({ path: file, name, isAsked: !name.includes('/'), arrived });
    else {
      for (const entry of unpacked.entries) {
        found.push({ path: entry.file, name: `${name}/${entry.path}`, isAsked: false, arrived });
      }
    }
  }
  return found;
};

const BLOB_ENTRY = 'report.jsonl';

/** The reader takes one file after the other. */
function* tellPosition(found: readonly ReportFile[], { intoDir }: ImportTask): Generator<FoundFile> {
  let last = -1;
  for (const file of found) {
    if (file.arrived !== last) writePosition(intoDir, file.arrived);
    last = file.arrived;
    yield file;
  }
}

const writePart = async (
  { intoDir, limits }: ImportTask,
  run: ImportedRun,
  at: number,
  { testCases, ...testRun }: ReturnType<typeof submissionOf>,
): Promise<PartRead> => {
  const file = join(intoDir, `cases-${at}.json`);
  const [blobFile] = run.blobs;
  return {
    testRun: JSON.stringify(testRun),
    testCases: { file, sizeBytes: writeArray(file, testCases ?? []) },
    traces: await unpackTraces(run.traces, join(intoDir, `trace-${at}`), limits),
    // There is one report of a type in a part.
    blob: run.blobs.length === 1 ? await hashFile(blobFile!) : null,
  };
};

const CASES_PER_WRITE = 500;

/** In pieces: all of it may be longer than a string can be. */
const writeArray = (file: string, items: readonly unknown[]): number => {
  const descriptor = openSync(file, 'wx');
  try {
    let sizeBytes = writeSync(descriptor, '[');
    for (let at = 0; at < items.length; at += CASES_PER_WRITE) {
      const json = JSON.stringify(items.slice(at, at + CASES_PER_WRITE)).slice(1, -1);
      sizeBytes += writeAll(descriptor, Buffer.from(at === 0 ? json : `,${json}`));
    }
    return sizeBytes + writeSync(descriptor, ']');
  } finally {
    closeSync(descriptor);
  }
};

const writeAll = (descriptor: number, bytes: Uint8Array): number => {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  return bytes.length;
};

/** A report may name any file of this machine: only what is inside of an archive that arrived is taken. */
const unpackTraces = async (
  traces: readonly TraceFile[],
  prefix: string,
  limits: ArchiveLimits,
): Promise<PartRead['traces']> => {
  const budgets = new Map<string, Budget>();
  const unpacked: (FileOfPart & { caseIndex: number })[] = [];
  for (const { caseIndex, path, entry } of traces) {
    const stream = entry && (await readZipEntry(path, entry.name));
    if (!stream) continue;
    const budget = budgets.get(path) ?? createBudget(limits, statSync(path).size);
    budgets.set(path, budget);
    const file = `${prefix}-${unpacked.length}`;
    const descriptor = openSync(file, 'wx');
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        sizeBytes += chunk.length;
        budget.spendContent(entry.name, chunk.length, sizeBytes);
        hash.update(chunk);
        writeAll(descriptor, chunk);
      }
    } finally {
      closeSync(descriptor);
    }
    unpacked.push({ caseIndex, file, hash: hash.digest('hex'), sizeBytes });
  }
  return unpacked;
};

const hashFile = async (file: string): Promise<FileOfPart> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return { file, hash: hash.digest('hex'), sizeBytes: statSync(file).size };
};
