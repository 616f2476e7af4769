import type { Readable } from 'node:stream';
import type { BlobEncoding } from '../db/tables.ts';

/** A file in staging whose content was hashed on its way there. */
export interface StagedFile {
  readonly file: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** A staged file, and how it may be stored. */
export interface IncomingFile extends StagedFile {
  readonly compressible: boolean;
  /**
   * Where something may be put into it when it is sent, told by its first `LONGEST_SEARCHED_BYTES` or all of it; null
   * for nowhere.
   */
  readonly findSeam?: ((start: Uint8Array, isWhole: boolean) => number | null) | undefined;
}

export const LONGEST_SEARCHED_BYTES = 64 * 1024;

export interface BlobName {
  readonly hash: string;
  readonly encoding: BlobEncoding;
}

export interface StoredBlob extends BlobName {
  readonly sizeBytes: number;
  readonly storedBytes: number;
}

export interface ByteRange {
  /** First and last byte. */
  readonly start: number;
  readonly end: number;
}

/**
 * Contents under their hashes. Only a transaction that names a content makes it last: until then whoever brought it
 * holds it, and what nobody holds and no transaction names may be removed at any time.
 */
export interface BlobStore {
  /** Makes staged files durable and holds them; of a content that is already there, the staged file is dropped. */
  hold(files: readonly IncomingFile[]): Promise<StoredBlob[]>;
  release(hashes: readonly string[]): void;
  /** Removes a content unless it is held or named; returns the bytes that this freed. */
  remove(hash: string, isNamed: () => Promise<boolean>): Promise<number>;
  /** Reads a content as it is stored; a range counts stored bytes. */
  read(name: BlobName, range?: ByteRange): Promise<Readable>;
  /** The whole of a small content, as it is stored. */
  readAll(name: BlobName): Promise<Buffer>;
  /** Lends a content as a plain file that must not be changed. */
  withFile<T>(name: BlobName, work: (file: string) => Promise<T>): Promise<T>;
  /** All contents that are stored, some at a time. */
  list(): AsyncGenerator<string[]>;
}
