import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { SubmittedRequest, SubmittedStep, ConsoleMessage } from '@assay/contract';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import type { TraceReading } from '../../src/traces/read-trace.ts';

export type Entries = Readonly<Record<string, string | Buffer>>;

export interface Folder {
  readonly path: string;
  [Symbol.dispose](): void;
}

export const newFolder = (): Folder => {
  const path = mkdtempSync(join(tmpdir(), 'assay-traces-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
};

/** Writes a zip file and answers its path. */
export const writeZip = async (folder: Folder, entries: Entries, compress = true): Promise<string> => {
  const file = join(folder.path, 'trace.zip');
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name, { compress });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  return file;
};

/** The entries that say something: no pictures, no sources. */
export const readTraceEntries = async (file: string): Promise<Entries> => {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const entries: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry()) {
    if (/\.(?:trace|network)$/.test(entry.fileName)) {
      entries[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
    }
  }
  zip.close();
  return entries;
};

export const jsonLines = (...events: readonly unknown[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

const Contents = Compile(
  Type.Object({
    requests: Type.Array(SubmittedRequest),
    steps: Type.Array(SubmittedStep),
    console: Type.Array(ConsoleMessage),
  }),
);

/** Throws unless it is a reading that may be stored and shown. */
export const checkReading = (reading: TraceReading): void => {
  if (reading.ok ? Contents.Check(reading.contents) : /^[A-Z].{10,80}\.$/.test(reading.reason)) return;
  throw new Error(`No reading of a trace: ${JSON.stringify(reading).slice(0, 2_000)}`);
};
