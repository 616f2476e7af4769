import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Pieces } from './bytes.ts';
import { createPathTree, findPathProblem, plainPath } from './entry-path.ts';
import type { Budget } from './limits.ts';
import { refusal } from './refusal.ts';

export interface UnpackedEntry {
  readonly path: string;
  /** Where the content is; the same for entries of the same content. */
  readonly file: string;
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** Collects the entries of one archive. Every format announces an entry before it stores its content. */
export interface Contents {
  readonly entries: readonly UnpackedEntry[];
  readonly budget: Budget;
  /** Checks the name of an entry against all others; returns the path that it stands for. */
  announce(name: string, kind: 'file' | 'folder'): string;
  store(path: string, sizeBytes: number, pieces: Pieces): Promise<void>;
}

const UNFINISHED = 'unfinished';

export const createContents = (intoDir: string, budget: Budget): Contents => {
  const entries: UnpackedEntry[] = [];
  const hashes = new Set<string>();
  const paths = createPathTree();
  const unfinished = join(intoDir, UNFINISHED);

  const write = async (path: string, pieces: Pieces): Promise<{ hash: string; writtenBytes: number }> => {
    const hash = createHash('sha256');
    const descriptor = openSync(unfinished, 'wx');
    let writtenBytes = 0;
    try {
      for await (const piece of pieces) {
        writtenBytes += piece.length;
        budget.spendContent(path, piece.length, writtenBytes);
        hash.update(piece);
        for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at);
      }
    } finally {
      closeSync(descriptor);
    }
    return { hash: hash.digest('hex'), writtenBytes };
  };

  return {
    entries,
    budget,
    announce(name, kind) {
      budget.spendEntry();
      const path = plainPath(name, kind);
      // The folder itself, as tar lists it.
      if (kind === 'folder' && (name === './' || name === '.')) return '';
      const problem = findPathProblem(path);
      if (problem !== null) throw refusal(problem, name);
      paths.add(path, kind);
      return path;
    },
    async store(path, sizeBytes, pieces) {
      // Nothing is inflated that says itself that it is too large; what it says is checked below.
      budget.spendContent(path, 0, sizeBytes);
      const { hash, writtenBytes } = await write(path, pieces);
      if (writtenBytes !== sizeBytes)
        throw refusal(`it was said to have ${sizeBytes} bytes but has ${writtenBytes}`, path);
      const file = join(intoDir, hash);
      if (hashes.has(hash)) rmSync(unfinished);
      else renameSync(unfinished, file);
      hashes.add(hash);
      entries.push({ path, file, hash, sizeBytes });
    },
  };
};
