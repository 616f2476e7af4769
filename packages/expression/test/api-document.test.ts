import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as library from '../src/index.ts';
import { readDocument } from './documents.ts';

const index = new URL('../src/index.ts', import.meta.url);

/** The names that a module exports, types too; what it passes on from all of another is read there. */
const exportsOf = (module: URL): string[] => {
  const source = readFileSync(module, 'utf8');
  const passed = [...source.matchAll(/^export \* from '(.+)';$/gm)].flatMap(([, path]) =>
    exportsOf(new URL(path!, module)),
  );
  const named = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')
          .at(-1)!,
      )
      .filter((name) => name !== ''),
  );
  const declared = [
    ...source.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:\* as|const|let|function\*?|class|interface|type|enum) (\w+)/gm,
    ),
  ].map(([, name]) => name!);
  return [...passed, ...named, ...declared];
};

const documented = [...readDocument('docs/api.md').matchAll(/^(?:### |\| )`(\w+)`(?: \||$)/gm)].map(
  ([, name]) => name!,
);

test('every export is documented once, and nothing else is', () => {
  expect(documented.toSorted()).toEqual(exportsOf(index).toSorted());
});

test('the exports that were found are those of the module', () => {
  expect(exportsOf(index)).toEqual(expect.arrayContaining(Object.keys(library)));
});

test('every constructor of nodes is documented', () => {
  const names = [...readDocument('docs/api.md').matchAll(/`build\.(\w+)\(/g)].map(([, name]) => name!);
  expect(names.toSorted()).toEqual(Object.keys(library.build).toSorted());
});
