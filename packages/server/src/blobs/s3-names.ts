import type { SizedBlobName } from './store.ts';

/*
 * blobs/ab12… is a blob as is, blobs/ab12….345.gz one that has 345 bytes compressed. A name says all that readers rely on,
 * so that writing it twice, from two replicas, does no harm. quarantine/<name of the blob>/<milliseconds>-<random> is a
 * blob in quarantine and when it came there.
 */

const BLOBS = 'blobs/';
const QUARANTINE = 'quarantine/';
const FORM = /^(?<hash>[0-9a-f]{64})(?:\.(?<gzipBytes>\d+)\.gz)?$/;
const ENTRY = /^(?<form>[^/]+)\/(?<since>\d+)-[^/]+$/;

export const S3_FOLDERS = { blobs: BLOBS, quarantine: QUARANTINE } as const;

/** How a content is stored, and where. */
export interface S3Form extends SizedBlobName {
  readonly key: string;
}

export interface QuarantinedForm extends S3Form {
  /** Where it was before. */
  readonly liveKey: string;
  readonly since: number;
}

export const keyOf = ({ hash, encoding, storedBytes }: SizedBlobName): string =>
  BLOBS + (encoding === 'gzip' ? `${hash}.${storedBytes}.gz` : hash);

export const quarantineKeyOf = (name: SizedBlobName, now: number, random: string): string =>
  `${QUARANTINE}${keyOf(name).slice(BLOBS.length)}/${now}-${random}`;

/** What begins like this are the forms of a content, and nothing else. */
export const formsOf = (hash: string): { readonly blobs: string; readonly quarantine: string } => ({
  blobs: BLOBS + hash,
  quarantine: QUARANTINE + hash,
});

/** Null for a key that is none of ours. */
export const readKey = (key: string, bytes: number): S3Form | null => {
  const found = FORM.exec(key.slice(BLOBS.length))?.groups;
  if (!key.startsWith(BLOBS) || !found) return null;
  const { hash, gzipBytes } = found;
  if (gzipBytes === undefined) return { key, hash: hash!, encoding: 'identity', storedBytes: bytes };
  return Number(gzipBytes) === bytes ? { key, hash: hash!, encoding: 'gzip', storedBytes: bytes } : null;
};

export const readQuarantineKey = (key: string, bytes: number): QuarantinedForm | null => {
  const found = ENTRY.exec(key.slice(QUARANTINE.length))?.groups;
  if (!key.startsWith(QUARANTINE) || !found) return null;
  const live = readKey(BLOBS + found['form']!, bytes);
  return live && { ...live, key, liveKey: live.key, since: Number(found['since']) };
};
