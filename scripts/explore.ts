import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HELP = `npm run explore -- [options]        all property tests, again and again, with other seeds

  --minutes N  stop after so long               (10)
  --only TEXT  only files with this in their path
  --seed N     the first seed                   (by chance)

It stops at the first that fails and prints its seed: run it again by --only FILE --seed N --minutes 0.
`;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', default: false },
  },
});

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

/** Also those that take their properties from another file, and fuzzers that draw by themselves. */
const isPropertyTest = (path: string): boolean =>
  path.endsWith('.prop.test.ts') || /from 'fast-check'|\bdraws\(/.test(readFileSync(path, 'utf8'));

const explore = (): void => {
  const files = globSync('packages/*/{src,test}/**/*.test.{ts,tsx}')
    .filter((path) => path.includes(options.only))
    .filter(isPropertyTest);
  const until = Date.now() + Number(options.minutes) * 60_000;
  let seed = Number(options.seed);
  do {
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', '--reporter=default', ...files], {
      // A browser sees only names that begin so.
      env: { ...process.env, ASSAY_SEED: String(seed), VITE_ASSAY_SEED: String(seed) },
      encoding: 'utf8',
      maxBuffer: Infinity,
    });
    console.log(`${status === 0 ? 'holds' : 'fails'}  seed ${seed}, ${files.length} files`);
    if (status !== 0) {
      console.log(stdout + stderr);
      process.exitCode = 1;
      return;
    }
    seed += 1;
  } while (Date.now() < until);
};

if (options.help) console.log(HELP);
else explore();
