import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  type AttachmentFile,
  DEFAULT_ATTACHMENT_RULES,
  type FilesImported,
  type FindAttached,
  type FoundFile,
  type ImportedRun,
  type Told,
  type TraceFile,
  chooseAttachments,
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

type AttachmentOfPart = FileOfPart & Pick<AttachmentFile, 'caseIndex' | 'attempt' | 'name' | 'contentType'>;

/** One run, or one shard of it, as it is submitted. */
export interface PartRead {
  /** JSON without the cases. */
  readonly testRun: string;
  readonly testCases: { readonly file: string; readonly sizeBytes: number };
  readonly traces: readonly (FileOfPart & { readonly caseIndex: number })[];
  readonly attachments: readonly AttachmentOfPart[];
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
  const context = { root: task.root, findAttached: findArrived(found) };
  const files = await readReports(tellPosition(found, task), names, context);
  if (!files.ok) return { ok: false, isDamage: false, problems: files.problems };
  if (files.damage.length > 0 && !task.incomplete) return { ok: false, isDamage: true, problems: files.damage };
  const planned = planParts(files.runs, { shard: task.shard, runKey: task.runKey, buildKey: null });
  if (!planned.ok) return { ok: false, isDamage: false, problems: [PROBLEMS[planned.problem]] };
  const parts: PartRead[] = [];
  for (const [at, run] of files.runs.entries()) {
    const { cases, attachments } = chooseAttachments(run, DEFAULT_ATTACHMENT_RULES);
    const submission = submissionOf({ ...run, cases }, files, { ...task.told, ...planned.parts[at] });
    parts.push(await writePart(task, { ...run, attachments }, at, submission));
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
  run: Pick<ImportedRun, 'traces' | 'blobs'> & { readonly attachments: readonly AttachmentFile[] },
  at: number,
  { testCases, ...testRun }: ReturnType<typeof submissionOf>,
): Promise<PartRead> => {
  const file = join(intoDir, `cases-${at}.json`);
  const [blobFile] = run.blobs;
  const unpacker = createUnpacker(join(intoDir, `file-${at}`), limits);
  return {
    testRun: JSON.stringify(testRun),
    testCases: { file, sizeBytes: writeArray(file, testCases ?? []) },
    traces: await unpackTraces(run.traces, unpacker),
    attachments: await unpackAttachments(run.attachments, unpacker),
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

interface Unpacker {
  unpack(path: string, entryName: string): Promise<FileOfPart | null>;
  write(body: Uint8Array): Promise<FileOfPart>;
}

/** Writes single files of the archives that arrived into the folder of the task, as far as the limits of each archive allow. */
const createUnpacker = (prefix: string, limits: ArchiveLimits): Unpacker => {
  const budgets = new Map<string, Budget>();
  let files = 0;
  const write = async (content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<FileOfPart> => {
    const file = `${prefix}-${files++}`;
    const descriptor = openSync(file, 'wx');
    const hash = createHash('sha256');
    let sizeBytes = 0;
    try {
      for await (const chunk of content) {
        sizeBytes += chunk.length;
        hash.update(chunk);
        writeAll(descriptor, chunk);
      }
    } finally {
      closeSync(descriptor);
    }
    return { file, hash: hash.digest('hex'), sizeBytes };
  };
  return {
    async unpack(path, entryName) {
      const stream = await readZipEntry(path, entryName);
      if (!stream) return null;
      const budget = budgets.get(path) ?? createBudget(limits, statSync(path).size);
      budgets.set(path, budget);
      return write(spending(stream, budget, entryName));
    },
    write: (body) => write([body]),
  };
};

async function* spending(stream: AsyncIterable<Buffer>, budget: Budget, name: string): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.length;
    budget.spendContent(name, chunk.length, sizeBytes);
    yield chunk;
  }
}

/** A report may name any file of this machine: only what is inside of an archive that arrived is taken. */
const unpackTraces = async (traces: readonly TraceFile[], unpacker: Unpacker): Promise<PartRead['traces']> => {
  const unpacked: (FileOfPart & { caseIndex: number })[] = [];
  for (const { caseIndex, path, entry } of traces) {
    const file = entry && (await unpacker.unpack(path, entry.name));
    if (file) unpacked.push({ caseIndex, ...file });
  }
  return unpacked;
};

/** Their paths are those of files that arrived: `findArrived` has found them. */
const unpackAttachments = async (
  attachments: readonly AttachmentFile[],
  unpacker: Unpacker,
): Promise<PartRead['attachments']> => {
  const unpacked: AttachmentOfPart[] = [];
  for (const { path, entry, body, ...attachment } of attachments) {
    const file = entry ? await unpacker.unpack(path, entry.name) : await (body ? unpacker.write(body) : hashFile(path));
    if (file) unpacked.push({ ...attachment, ...file });
  }
  return unpacked;
};

/** What a report calls by a path is looked for among the files that arrived, and nowhere else. */
const findArrived = (found: readonly FoundFile[]): FindAttached => {
  const byName = new Map(found.map(({ name, path }) => [name, path]));
  return (path, report) => {
    const name = posix.join(posix.dirname(report.name), path.replaceAll('\\', '/'));
    const file = byName.get(name);
    return file === undefined ? 'not among the files that were sent' : { path: file, sizeBytes: statSync(file).size };
  };
};

const hashFile = async (file: string): Promise<FileOfPart> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return { file, hash: hash.digest('hex'), sizeBytes: statSync(file).size };
};
