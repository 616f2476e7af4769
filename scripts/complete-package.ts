import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Adds what all published packages have: how they are published, where their source is, licence and changelog. */
export const completePackage = (dist: string, manifest: object): void => {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { repository?: unknown };
  const published = { ...manifest, repository, publishConfig: { access: 'public', provenance: true } };
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  for (const name of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, name), join(dist, name));
};
