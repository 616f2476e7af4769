/** `npm run publish-packages`: builds and publishes all packages; arguments such as `--dry-run` are for `npm publish`. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Each before those that depend on it. */
const PUBLISHED = ['expression', 'expression-vectors', 'expression-plugin', 'reporter', 'server'];

const run = (...args: readonly string[]): void => {
  const { status } = spawnSync('npm', args, { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

run('run', 'build');
for (const name of PUBLISHED) run('publish', `./packages/${name}/dist`, ...process.argv.slice(2));
