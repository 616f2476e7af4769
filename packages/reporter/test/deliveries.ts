import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Delivery } from '../src/delivery/delivery.ts';
import type { GivenOptions, Options } from '../src/options/options.ts';
import { readOptions } from '../src/options/read-options.ts';
import type { Output } from '../src/output.ts';
import { listSpool } from '../src/spool/entry.ts';
import { flushNow } from '../src/spool/flush-now.ts';
import type { Flushed } from '../src/spool/flush.ts';

export const PICTURE = randomBytes(3_000);
export const NOTE = Buffer.from('a note in memory');

/** A folder with what a run left behind, and a spool. */
export interface Workspace {
  readonly folder: string;
  readonly spoolDir: string;
  delivery(projectName: string, sizes?: { readonly traceBytes?: number; readonly errorBytes?: number }): Delivery;
  options(serverUrl: string, more?: GivenOptions): Options;
  /** As CI does before the next run. */
  clean(): void;
  [Symbol.dispose](): void;
}

export const createWorkspace = (): Workspace => {
  const top = mkdtempSync(join(tmpdir(), 'assay-delivery-'));
  const folder = join(top, 'workspace');
  const spoolDir = join(top, 'spool');
  return {
    folder,
    spoolDir,
    delivery(projectName, { traceBytes = 1_000, errorBytes = 10 } = {}) {
      const id = randomUUID();
      const report = join(folder, id, 'report');
      mkdirSync(join(report, 'data'), { recursive: true });
      writeFileSync(join(report, 'index.html'), '<!doctype html><title>Report</title>');
      writeFileSync(join(report, 'data', 'picture.png'), randomBytes(5_000));
      const trace = join(folder, id, 'trace.zip');
      writeFileSync(trace, randomBytes(traceBytes));
      const picture = join(folder, id, 'picture.png');
      writeFileSync(picture, PICTURE);
      return {
        submission: {
          projectName,
          status: 'failed',
          startTime: new Date().toISOString(),
          totalTests: 2,
          passedTests: 1,
          failedTests: 1,
          skippedTests: 0,
          testCases: [
            { title: 'pays', status: 'passed', location: 'a.spec.ts:1:1' },
            { title: 'refunds', status: 'failed', location: 'a.spec.ts:2:1', error: 'x'.repeat(errorBytes) },
          ],
        },
        idempotencyKey: id,
        reports: [{ type: 'html', path: report }],
        traces: [{ caseIndex: 1, path: trace }],
        attachments: [
          { caseIndex: 1, attempt: 0, name: 'screenshot', contentType: 'image/png', path: picture },
          { caseIndex: 1, attempt: 0, name: 'käse "1".txt', contentType: 'text/plain', path: 'note', body: NOTE },
        ],
      };
    },
    options(serverUrl, more = {}) {
      const read = readOptions({ serverUrl, projectName: 'shop', timeoutMs: 120_000, spoolDir, ...more }, {});
      if (!read.ok) throw new Error(read.problems.join('; '));
      return read.options;
    },
    clean: () => rmSync(folder, { recursive: true, force: true }),
    [Symbol.dispose]: () => rmSync(top, { recursive: true, force: true }),
  };
};

/** Names of what a spool keeps, whatever state it is in. */
export const keptIn = async (spoolDir: string): Promise<string[]> =>
  (await listSpool(spoolDir)).map(({ name }) => name);

/** As `assay flush` does. */
export const flushSpool = async (serverUrl: string, spoolDir: string): Promise<Flushed> => {
  const read = readOptions({ serverUrl, projectName: 'any', spoolDir }, {});
  if (!read.ok) throw new Error(read.problems.join('; '));
  return flushNow(read.options, listen());
};

export interface Listener extends Output {
  readonly said: string[];
}

export const listen = (): Listener => {
  const said: string[] = [];
  return { said, say: (line) => void said.push(line), progress: () => undefined };
};
