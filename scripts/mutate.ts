/** Changes one thing of a source at a time and tells which changes no test notices. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '@assay/testkit';
import { type TestSpecification, type Vitest, createVitest } from 'vitest/node';
import { type Mutant, mutantsOf } from './mutants.ts';

const HELP = `npm run mutate -- [options] FOLDER|FILE…     changes operators, conditions and constants, one at a time

  --tests TEXT  run the tests with this in their path; again for more   (those in the folder)
  --most N      so many of all changes, chosen by the seed              (all)
  --seed N      which ones                                              (1)

It prints each change that no test notices; some of them change nothing that anybody could notice.
Only tests that import the sources see a change: those that start the bundled service do not.
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string', multiple: true },
    most: { type: 'string' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

const root = join(import.meta.dirname, '..');
const FIRST_PATIENCE_MS = 600_000;
const LEAST_PATIENCE_MS = 15_000;
/** So many times as long as without a change; a loop that never ends is noticed by this. */
const PATIENCE = 10;

let current: Mutant | null = null;

const openVitest = (): Promise<Vitest> =>
  createVitest(
    'test',
    {
      root,
      config: false,
      watch: false,
      include: ['packages/*/{src,test}/**/*.test.ts'],
      setupFiles: ['scripts/property-seed.ts'],
      testTimeout: 60_000,
      maxWorkers: 1,
      bail: 1,
      fsModuleCache: false,
      reporters: [{}],
    },
    {
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          transform: (_code, id) => (current && id === current.file ? current.text : null),
        },
      ],
    },
  );

const sourcesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? globSync('**/*.ts', { cwd: path })
        .filter((file) => !/\.test\.ts$|(^|\/)(testing|test)\//.test(file))
        .map((file) => join(path, file))
    : [path];

/** Whether all tests pass; not in time is no. */
const pass = async (
  vitest: Vitest,
  tests: readonly TestSpecification[],
  patienceMs: number,
): Promise<boolean | null> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs);
  });
  const run = vitest
    .runTestSpecifications([...tests], true)
    .then(({ testModules, unhandledErrors }) => unhandledErrors.length === 0 && testModules.every((test) => test.ok()))
    .catch(() => false);
  const passed = await Promise.race([run, late]);
  clearTimeout(timer);
  return passed;
};

/** A worker in a loop that never ends hears of nothing. */
const childrenOf = (pid: number): number[] => {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? (readFileSync(list, 'utf8').match(/\d+/g) ?? []).map(Number) : [];
};

const mutate = async (paths: readonly string[]): Promise<void> => {
  const files = paths.flatMap(sourcesIn).map((file) => join(root, relative(root, file)));
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
  const random = createRandom(`mutants ${options.seed}`);
  const drawn = all.map((mutant) => ({ mutant, place: random.next() })).sort((a, b) => a.place - b.place);
  const chosen = drawn.slice(0, Number(options.most ?? Infinity)).map(({ mutant }) => mutant);
  const filters = options.tests ?? paths.map((path) => relative(root, path));
  let vitest = await openVitest();
  let tests = await vitest.globTestSpecifications(filters);
  const startedAt = performance.now();
  if (!(await pass(vitest, tests, FIRST_PATIENCE_MS))) throw new Error('The tests fail without any change');
  const patienceMs = Math.max(LEAST_PATIENCE_MS, PATIENCE * (performance.now() - startedAt));
  console.log(`${all.length} changes of ${files.length} files, ${chosen.length} tried, ${tests.length} test files`);
  let survived = 0;
  for (const mutant of chosen) {
    current = mutant;
    vitest.invalidateFile(mutant.file);
    const passed = await pass(vitest, tests, patienceMs);
    if (passed === true) {
      survived++;
      console.log(`survived  ${relative(root, mutant.file)}:${mutant.line}  ${mutant.change}`);
    }
    if (passed === null) {
      console.log(`no end    ${relative(root, mutant.file)}:${mutant.line}  ${mutant.change}`);
      for (const worker of childrenOf(process.pid)) process.kill(worker, 'SIGKILL');
      await vitest.close();
      vitest = await openVitest();
      tests = await vitest.globTestSpecifications(filters);
    }
    current = null;
    vitest.invalidateFile(mutant.file);
  }
  console.log(`${chosen.length - survived} of ${chosen.length} noticed`);
  await vitest.close();
};

if (options.help || positionals.length === 0) console.log(HELP);
else await mutate(positionals);
