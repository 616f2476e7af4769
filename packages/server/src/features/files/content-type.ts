const TEXT = '; charset=utf-8';

/**
 * Content types of the files in reports, by extension; everything else is `application/octet-stream`. Not `mime`: it has
 * no charsets, and hundreds of types whose handling by browsers has not been reviewed.
 */
const CONTENT_TYPES = new Map(
  Object.entries({
    html: `text/html${TEXT}`,
    htm: `text/html${TEXT}`,
    xhtml: `application/xhtml+xml${TEXT}`,
    js: `text/javascript${TEXT}`,
    mjs: `text/javascript${TEXT}`,
    css: `text/css${TEXT}`,
    txt: `text/plain${TEXT}`,
    log: `text/plain${TEXT}`,
    md: `text/markdown${TEXT}`,
    csv: `text/csv${TEXT}`,
    yml: `text/plain${TEXT}`,
    yaml: `text/plain${TEXT}`,
    json: 'application/json',
    jsonl: 'application/x-ndjson',
    ndjson: 'application/x-ndjson',
    map: 'application/json',
    har: 'application/json',
    webmanifest: 'application/manifest+json',
    xml: `text/xml${TEXT}`,
    svg: 'image/svg+xml',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    ico: 'image/x-icon',
    bmp: 'image/bmp',
    woff: 'font/woff',
    woff2: 'font/woff2',
    ttf: 'font/ttf',
    otf: 'font/otf',
    mp4: 'video/mp4',
    webm: 'video/webm',
    ogg: 'audio/ogg',
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    pdf: 'application/pdf',
    wasm: 'application/wasm',
    zip: 'application/zip',
    gz: 'application/gzip',
    tar: 'application/x-tar',
  }),
);

const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

export const contentTypeOf = (path: string): string =>
  CONTENT_TYPES.get(extensionOf(path)) ?? 'application/octet-stream';

/** Whether it is a document in which scripts of its own run. */
export const isPage = (contentType: string): boolean => /^(?:text\/html|application\/xhtml\+xml)\b/.test(contentType);

const COMPRESSIBLE = /^text\/|json|xml|\/wasm$|\/(?:ttf|otf|bmp|wav|x-icon|x-tar)$/;

/** Whether a content of this type is likely to become smaller. */
export const isCompressibleType = (contentType: string): boolean => COMPRESSIBLE.test(contentType);

export const isCompressible = (path: string): boolean => isCompressibleType(contentTypeOf(path));
