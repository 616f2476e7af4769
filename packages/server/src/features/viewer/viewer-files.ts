import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';

export interface ViewerFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  /** The name changes with the content. */
  readonly hashedName: boolean;
}

/** By name. */
export type ViewerFiles = ReadonlyMap<string, ViewerFile>;

const require = createRequire(import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.webmanifest': 'application/manifest+json',
};
/** Playwright's UI mode lives in the same folder; it is of no use without its own server. */
const LEFT_OUT = /^uiMode\./;
const HASHED = /[.-][\w-]{8}\.\w+$/;

/** The files of Playwright's trace viewer by name, or null where this installation has none. */
export const loadViewerFiles = (folder = findViewerFolder()): ViewerFiles | null => {
  if (folder === null || !existsSync(join(folder, 'index.html'))) return null;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'));
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      return type === undefined || LEFT_OUT.test(name)
        ? []
        : [[name, viewerFile(name, type, readFileSync(join(folder, name)))]];
    }),
  );
};

export const viewerFile = (name: string, type: string, bytes: Buffer): ViewerFile => ({
  bytes,
  type,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  hashedName: HASHED.test(name),
});

/** The build copies the folder beside its bundle; from source it is inside of the package. */
const findViewerFolder = (): string | null => {
  const copied = join(import.meta.dirname, 'trace-viewer');
  if (existsSync(copied)) return copied;
  try {
    return join(dirname(require.resolve('playwright-core/package.json')), 'lib/vite/traceViewer');
  } catch {
    return null;
  }
};
