import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { Insertion } from '../../blobs/seamed-gzip.ts';
import { LONGEST_START_BYTES, findScriptPlace, isByteText } from './html-start.ts';
import { reportShim } from './report-shim.ts';

/** As much of the start of a document as a browser reads to find its encoding. */
export const REPORT_START_BYTES = 1024;

/**
 * Scripts run, but without an origin: nothing of the session is in reach. No `frame-ancestors`: a report may frame its
 * own pages, and a page without an origin matches no source.
 */
const PAGE_SANDBOX =
  'sandbox allow-scripts allow-downloads allow-modals allow-forms allow-popups allow-popups-to-escape-sandbox';

/** How a page of a report is served. */
export interface ServedPage {
  readonly headers: Readonly<Record<string, string>>;
  /** Names what is put into the document. */
  readonly version: string;
  /** What is put into the document on its way out. */
  readonly injected: Insertion | null;
  /** A stream that the whole document, from its first byte, goes through to get it. */
  createStream(): Transform;
}

/**
 * How to serve the HTML of a report, decided by its first `REPORT_START_BYTES`; `key` is that of `reportKey`. Ranges are
 * not supported: the client's offsets refer to the page with its shim.
 */
export const sandboxedReport = (start: Uint8Array, key: string): ServedPage => {
  const injects = isByteText(start);
  const shim = reportShim(key);
  return {
    headers: {
      // The shim may push the document's own declaration beyond what a browser searches.
      'content-type': injects ? `text/html; charset=${declaredCharset(start) ?? 'utf-8'}` : 'text/html',
      'content-security-policy': PAGE_SANDBOX,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'accept-ranges': 'none',
    },
    version: injects ? createHash('sha256').update(shim.plain).digest('base64url').slice(0, 12) : 'plain',
    injected: injects ? shim : null,
    createStream: () => (injects ? createInjection(shim.plain) : new Transform({ transform: passOn })),
  };
};

/** How the HTML of a report is served from a host name of its own: that origin has nothing but reports. */
export const openReport = (): ServedPage => ({
  headers: {
    'content-type': 'text/html',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'accept-ranges': 'none',
  },
  version: 'plain',
  injected: null,
  createStream: () => new Transform({ transform: passOn }),
});

/**
 * The headers of every other stored file. A bare `sandbox` keeps SVG and XML from running anything. PDF goes without:
 * a browser shows none in a sandbox, and its own viewer has no access to the origin of the file.
 */
export const storedFileHeaders = (contentType: string): Record<string, string> => ({
  'content-type': contentType,
  ...(/^application\/pdf\b/i.test(contentType) ? {} : { 'content-security-policy': 'sandbox' }),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
});

const declaredCharset = (start: Uint8Array): string | null => {
  const text = Buffer.from(start.subarray(0, REPORT_START_BYTES)).toString('latin1');
  if (text.startsWith('\xef\xbb\xbf')) return 'utf-8';
  const charset = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*(?<charset>[\w-]{1,40})/i.exec(text)?.groups?.['charset'];
  // A document that says so in single bytes cannot mean it.
  return charset === undefined || /^utf-16/i.test(charset) ? null : charset.toLowerCase();
};

const passOn = (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void => done(null, chunk);

const createInjection = (shim: Buffer): Transform => {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let searchedBytes = 0;
  let isDone = false;

  const inject = (stream: Transform, isWhole: boolean): void => {
    searchedBytes = heldBytes;
    const start = Buffer.concat(held);
    const place = findScriptPlace(start, isWhole);
    if (place === null) return;
    stream.push(start.subarray(0, place));
    stream.push(shim);
    stream.push(start.subarray(place));
    held = [];
    isDone = true;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isDone) return done(null, chunk);
      held.push(chunk);
      heldBytes += chunk.length;
      // Searched again only when it has doubled, so that many small chunks cost no more than a few large ones.
      if (heldBytes >= Math.min(2 * searchedBytes, LONGEST_START_BYTES)) inject(this, false);
      done();
    },
    flush(done) {
      if (!isDone) inject(this, true);
      done();
    },
  });
};
