import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const modules = join(import.meta.dirname, '../node_modules');

const PERMISSIVE = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0']);

interface Manifest {
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as Manifest;

/** The licences of packages whose code becomes part of a bundle, and of what these depend on. */
export const licencesOf = (names: Iterable<string>): string => withTheirs(names).flatMap(licenceOf).join('\n\n');

const withTheirs = (names: Iterable<string>): string[] => {
  const given = [...names].filter((name) => !name.startsWith('@assay/'));
  const theirs = given.flatMap((name) => withTheirs(Object.keys(manifestOf(name).dependencies ?? {})));
  return [...new Set([...given, ...theirs])];
};

const licenceOf = (name: string): string[] => {
  const licence = readdirSync(join(modules, name)).find((file) => /^licen[cs]e/i.test(file));
  if (licence !== undefined) return [`${name}\n\n${readFileSync(join(modules, name, licence), 'utf8')}`];
  const { license = 'none', author } = manifestOf(name);
  // It asks for nothing, not even to be named.
  if (license === 'Unlicense') return [];
  if (!PERMISSIVE.has(license)) throw new Error(`${name} has no licence file, and its licence is ${license}`);
  const holder = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  return [`${name}\n\n${license}, by ${holder}; its package has no licence file.`];
};
