import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { createPathTree, findPathProblem } from './entry-path.ts';

const path = fc.string({ unit: fc.constantFrom('a', 'A', 'ß', 's', '.', '..', '/', '\\', 'C:', '\0', ' ', 'é') });
const FOLDER = '/data/report';

describe('a path that has no problem', () => {
  it('stays below the folder that it is joined to, on every system', () => {
    fc.assert(
      fc.property(path, (path) => {
        if (findPathProblem(path) !== null) return;
        expect(posix.join(FOLDER, path)).toBe(`${FOLDER}/${path}`);
        expect(win32.join(FOLDER, path)).toBe(`${FOLDER}/${path}`.replaceAll('/', '\\'));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Paths that would be one file, or a file and a folder, where case does not count. */
const collide = (one: string, other: string): boolean => {
  const [a, b] = [`${one.toUpperCase()}/`, `${other.toUpperCase()}/`];
  return a.startsWith(b) || b.startsWith(a);
};

describe('a tree of paths', () => {
  it('takes no two files that collide when case is ignored, and takes others that share no folder', () => {
    const segment = fc.constantFrom('a', 'A', 'b', 'straße', 'STRASSE');
    const paths = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
    fc.assert(
      fc.property(paths, paths, (one, other) => {
        const tree = createPathTree();
        tree.add(one, 'file');
        const sameStart = one[0]!.toUpperCase() === other[0]!.toUpperCase();
        if (collide(one, other)) expect(() => tree.add(other, 'file')).toThrow(AppError);
        else if (!sameStart) expect(() => tree.add(other, 'file')).not.toThrow();
      }),
      { numRuns: 2_000 },
    );
  });
});
