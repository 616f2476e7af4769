import { MAX_TEXT_LENGTH } from '@assay/contract/limits';

/** Where a test is, as a format says it. */
export interface Place {
  readonly file: string;
  readonly line?: number | null | undefined;
  readonly column?: number | null | undefined;
}

/** `file:line:column` relative to the repository, with forward slashes, whatever system wrote it. */
export const locationOf = (place: Place | undefined, root: string): string | null => {
  if (place === undefined || place.file.trim() === '') return null;
  const file = relativeTo(root, place.file.trim());
  const line = positive(place.line);
  const column = positive(place.column);
  const location = line === null ? file : column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
  return location.length > MAX_TEXT_LENGTH ? location.slice(-MAX_TEXT_LENGTH) : location;
};

/** A path outside of the root stays what it is; so does every path without one. */
export const relativeTo = (root: string, path: string): string => {
  const file = forward(withoutScheme(path));
  const folder = forward(root).replace(/\/+$/, '');
  const inside =
    folder === ''
      ? false
      : isWindows(folder)
        ? file.toLowerCase().startsWith(`${folder.toLowerCase()}/`)
        : file.startsWith(`${folder}/`);
  return inside ? file.slice(folder.length + 1) : file.replace(/^(?:\.\/)+/, '');
};

/** A path that is relative to some folder, as one from the root of the repository when that folder is in it. */
export const fromFolder = (folder: string, path: string): string =>
  isAbsolute(forward(path)) || folder === '' ? path : `${forward(folder).replace(/\/+$/, '')}/${forward(path)}`;

export const isFile = (text: string): boolean =>
  /^[^\s<>"|?*]+\.(?:[cm]?[jt]sx?|py|rb|php|bats|feature|java|kt|go|rs|cs|vue|svelte|lua|pl|t|sh|dart|swift|exs?|robot)$/i.test(
    text,
  );

const forward = (path: string): string => path.replaceAll('\\', '/');
const isWindows = (path: string): boolean => /^[a-z]:/i.test(path);
const isAbsolute = (path: string): boolean => path.startsWith('/') || isWindows(path);

const withoutScheme = (path: string): string => {
  if (!path.startsWith('file://')) return path;
  try {
    return decodeURIComponent(new URL(path).pathname).replace(/^\/([a-z]:)/i, '$1');
  } catch {
    return path;
  }
};

const positive = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
