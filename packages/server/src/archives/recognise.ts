import { BLOCK_BYTES, isZeros, looksLikeTar } from './tar-header.ts';

export type FileKind = 'zip' | 'gzip' | 'tar' | 'zeros' | 'html' | 'other';

/** How much of the beginning is looked at. */
export const HEAD_BYTES = 16 * 1024;

/** Of an entry, of the end of an empty archive, and of the first part of several. */
const ZIP_BEGINNINGS = new Set(['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08']);
const GZIP_BEGINNING = '\x1f\x8b\x08';

/** What a file is by its beginning; its name is the word of a stranger. */
export const recogniseFile = (head: Buffer): FileKind => {
  if (ZIP_BEGINNINGS.has(head.toString('latin1', 0, 4))) return 'zip';
  if (head.toString('latin1', 0, 3) === GZIP_BEGINNING) return 'gzip';
  return recogniseTar(head.subarray(0, BLOCK_BYTES)) ?? (isHtml(head) ? 'html' : 'other');
};

/** An empty tar is nothing but zeros, and so are other files, for a while. */
export const recogniseTar = (block: Buffer): 'tar' | 'zeros' | null => {
  if (block.length < BLOCK_BYTES) return null;
  if (isZeros(block)) return 'zeros';
  return looksLikeTar(block) ? 'tar' : null;
};

const isHtml = (head: Buffer): boolean => {
  let text = head
    .toString('utf8')
    .replace(/^\u{feff}/u, '')
    .trimStart();
  for (;;) {
    const end = text.startsWith('<!--') ? '-->' : text.startsWith('<?xml') ? '?>' : null;
    if (end === null) return /^<(?:!doctype\s+html|html)[\s>]/i.test(text);
    const at = text.indexOf(end);
    if (at === -1) return false;
    text = text.slice(at + end.length).trimStart();
  }
};
