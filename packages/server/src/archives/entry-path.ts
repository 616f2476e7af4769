import { refusal } from './refusal.ts';

const MAX_PATH_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

/** A leading `./` is what `tar -C folder .` writes, and a folder may end with a slash. */
export const plainPath = (name: string, kind: 'file' | 'folder'): string => {
  const path = name.startsWith('./') ? name.slice(2) : name;
  return kind === 'folder' && path.endsWith('/') ? path.slice(0, -1) : path;
};

/** Why a path cannot be one of a plain file below a folder, or null. */
export const findPathProblem = (path: string): string | null => {
  if (path === '') return 'its path is empty';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `its path is longer than ${MAX_PATH_BYTES} bytes`;
  // U+FFFD is what decoding leaves of a name that is not UTF-8.
  if (path.includes('\u{fffd}')) return 'its path is not valid UTF-8';
  if (/\p{Cc}/u.test(path)) return 'its path has a control character';
  if (path.includes('\\')) return 'its path has a backslash';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'its path is absolute';
  return findSegmentProblem(path.split('/'));
};

const findSegmentProblem = (segments: readonly string[]): string | null => {
  for (const segment of segments) {
    if (segment === '') return 'its path has an empty segment';
    if (segment === '.' || segment === '..') return `its path has the segment "${segment}"`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      return `a segment of its path is longer than ${MAX_SEGMENT_BYTES} bytes`;
  }
  return null;
};

interface Place {
  readonly spelling: string;
  /** What a folder holds; null for a file. */
  readonly inside: Map<string, Place> | null;
}

/** Knows all paths so far. A tree, for the parents of deep paths would cost the square of their length. */
export interface PathTree {
  add(path: string, kind: 'file' | 'folder'): void;
}

export const createPathTree = (): PathTree => {
  const root = new Map<string, Place>();

  return {
    add(path, kind) {
      const segments = path.split('/');
      let inside = root;
      segments.forEach((segment, index) => {
        const isFile = kind === 'file' && index === segments.length - 1;
        const key = withoutCase(segment);
        let place = inside.get(key);
        if (place === undefined) {
          place = { spelling: segment, inside: isFile ? null : new Map() };
          inside.set(key, place);
        } else checkSharing(place, { path, segment, isFile });
        if (place.inside) inside = place.inside;
      });
    },
  };
};

const checkSharing = (
  place: Place,
  { path, segment, isFile }: { path: string; segment: string; isFile: boolean },
): void => {
  if (place.spelling !== segment)
    throw refusal('its path differs from that of another entry in case or Unicode form only', path);
  if (isFile !== (place.inside === null)) throw refusal('a file and a folder have the same path', path);
  if (isFile) throw refusal('another entry has the same path', path);
};

/** To upper case first, for several letters have one capital: ſ and s, ς and σ. */
const withoutCase = (segment: string): string => segment.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
