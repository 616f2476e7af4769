import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockFile {
  readonly packages: Record<string, { readonly link?: true; readonly integrity?: string }>;
}

/** npm installs an entry without integrity unchecked: whatever the registry answers that day. */
const withoutIntegrity = ({ packages }: LockFile): string[] =>
  Object.entries(packages)
    .filter(([path, { link, integrity }]) => path.includes('node_modules/') && !link && !integrity)
    .map(([path]) => path);

const found = withoutIntegrity(
  JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as LockFile,
);
if (found.length > 0) {
  console.error(
    `package-lock.json: ${found.length} entries have no integrity. The registry lacks them, or lacked them when`,
  );
  console.error('the lock file was written: pin versions that it has for every platform, then `npm install`.');
  for (const path of found) console.error(`  ${path}`);
  process.exitCode = 1;
}
