import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const modules = join(import.meta.dirname, '../node_modules');

/** The licences of packages whose code is part of a bundle. */
export const licencesOf = (packages: readonly string[]): string =>
  packages
    .map((name) => {
      const files = join(modules, name);
      const licence = readdirSync(files).find((file) => /^licen[cs]e/i.test(file));
      if (licence === undefined) throw new Error(`${name} has no licence file`);
      return `${name}\n\n${readFileSync(join(files, licence), 'utf8')}`;
    })
    .join('\n\n');
