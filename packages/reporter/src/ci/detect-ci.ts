import type { Environment } from '../environment.ts';
import type { Ci } from './ci.ts';
import { PROVIDERS } from './providers.ts';

const UNKNOWN: Omit<Ci, 'provider'> = {
  job: null,
  link: null,
  build: null,
  attempt: 1,
  branch: null,
  commit: null,
  defaultBranch: null,
  baseCommit: null,
  pullRequest: null,
  author: null,
  message: null,
};

/** The CI system that runs this, as far as its environment tells; null on anybody's own machine. */
export const detectCi = (env: Environment): Ci | null => {
  for (const { name, marker, read } of PROVIDERS) {
    if (!env[marker]) continue;
    const said = Object.entries(read((variable) => env[variable]?.trim() || null)).filter(
      ([, value]) => value !== null,
    );
    return { provider: name, ...UNKNOWN, ...Object.fromEntries(said) };
  }
  return env['CI'] && env['CI'] !== 'false' ? { provider: 'CI', ...UNKNOWN } : null;
};
