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
  /** Whether it is lent as a file soon after it is stored. */
  readonly readSoon?: boolean;
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

/** With the size that it must have in the store: one that has another is refused. */
export interface SizedBlobName extends BlobName {
  readonly storedBytes: number;
}

export interface StoredBlob extends SizedBlobName {
  readonly sizeBytes: number;
}

/** What is stored under the name of a content is not what was stored. */
export class WrongSizeError extends Error {
  override name = 'WrongSizeError';
}

/** Which of some contents are named. */
export type FindNamed = (hashes: readonly string[]) => Promise<ReadonlySet<string>>;

export interface Removed {
  readonly count: number;
  readonly freedBytes: number;
}

export interface AnswerHeaders {
  readonly contentType: string;
  readonly contentDisposition?: string | undefined;
}

export interface ByteRange {
  /** First and last byte. */
  readonly start: number;
  readonly end: number;
}

/**
 * Content-addressed store. An upload holds its blobs until a transaction references them. A blob that is neither held nor
 * referenced is deleted if it is known to be garbage, and otherwise moved to quarantine, because the database that
 * references it may be missing. Holding or reading a blob takes it out of quarantine.
 */
export interface BlobStore {
  /**
   * Makes staged files durable and holds them; of a content that is already there, the staged file is dropped. Tells
   * `onNew` which contents were not there, also when it fails.
   */
  hold(files: readonly IncomingFile[], onNew?: (hash: string) => void): Promise<StoredBlob[]>;
  /** Returns the blobs that are no longer held and whose deletion was requested while they were. */
  release(hashes: readonly string[]): string[];
  /** Removes a content unless it is held or named; returns the bytes that this freed. */
  remove(hash: string, isNamed: () => Promise<boolean>): Promise<number>;
  /** Moves a content into quarantine unless it is held or named; returns whether it did. */
  quarantine(hash: string, isNamed: () => Promise<boolean>): Promise<boolean>;
  /** Takes a content out of quarantine; false when it is not there. */
  restore(hash: string): Promise<boolean>;
  /** Removes the contents that came into quarantine before a time, many at once, except those that are named. */
  purge(before: number, findNamed: FindNamed): Promise<Removed>;
  /** Reads a content as it is stored; a range counts stored bytes. */
  read(name: SizedBlobName, range?: ByteRange): Promise<Readable>;
  /**
   * An address from which anyone can read a content for some minutes, with these headers; null where there is none, and
   * the service has to send it.
   */
  addressOf?(name: SizedBlobName, answer: AnswerHeaders): Promise<string | null>;
  /** The whole of a small content, as it is stored. */
  readAll(name: SizedBlobName): Promise<Buffer>;
  /** Lends a content as a plain file that must not be changed. */
  withFile<T>(name: SizedBlobName, work: (file: string) => Promise<T>): Promise<T>;
  /** All contents that are stored, some at a time; those in quarantine apart. */
  list(): AsyncGenerator<string[]>;
  listQuarantined(): AsyncGenerator<string[]>;
  /** Ends uploads into the store that began before a time and never ended; returns how many there were. */
  abandonUploads(before: number): Promise<number>;
  /** Why nothing can be stored or read, or null. */
  findProblem(): Promise<string | null>;
}
