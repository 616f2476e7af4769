import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '@assay/testkit';
import { type Mutant, mutantsOf } from './mutants.ts';
import { MUTATED_MODULES, type MutatedModule } from './mutated-modules.ts';
import { type MutatedTree, type TestGroup, copyTree } from './mutated-tree.ts';

const HELP = `npm run mutate -- [options] MODULE|FOLDER|FILE[:LINE]…    mutates an operator, condition, constant or call at a time

  --most N      so many mutants of each, drawn by the seed; 0 for all     (40)
  --seed N      which ones                                                (1)
  --tests TEXT  run the tests with this in their path; again for more     (those of the module, or in the folder)

Modules: ${Object.keys(MUTATED_MODULES).join(', ')}.
It prints each mutant that survives: some behave like the original, the others need a test.
`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true },
    help: { type: 'boolean', default: false },
  },
});

const root = join(import.meta.dirname, '..');
const FIRST_TIMEOUT_MS = 900_000;
const LEAST_TIMEOUT_MS = 45_000;
/** A mutant may take so many times as long as the original. */
const SLOWER = 4;

const findModule = (path: string): MutatedModule => {
  const module =
    MUTATED_MODULES[path] ?? Object.values(MUTATED_MODULES).find(({ source }) => `${path}/`.startsWith(`${source}/`));
  if (options.tests) return { source: module?.source ?? path, tests: [options.tests] };
  return module ?? { source: path, tests: [[path]] };
};

const sourcesIn = (path: string): string[] =>
  statSync(join(root, path)).isDirectory()
    ? globSync('**/*.ts', { cwd: join(root, path) })
        .filter((file) => !/\.test\.ts$|(^|\/)(testing|test)\//.test(file))
        .map((file) => join(path, file))
        .sort()
    : [path];

const draw = (mutants: readonly Mutant[]): Mutant[] => {
  const random = createRandom(`mutants ${options.seed}`);
  const most = Number(options.most) || Infinity;
  const drawn = mutants.map((mutant) => ({ mutant, place: random.next() })).sort((a, b) => a.place - b.place);
  return drawn.slice(0, most).map(({ mutant }) => mutant);
};

const timed = new Map<string, TestGroup>();

/** How long each group of tests takes without a mutant says how long it may take with one. */
const timeGroups = async (tree: MutatedTree, { tests }: MutatedModule): Promise<TestGroup[]> => {
  for (const filters of tests) {
    if (timed.has(String(filters))) continue;
    const startedAt = performance.now();
    const verdict = await tree.test(null, [{ filters, timeoutMs: FIRST_TIMEOUT_MS }]);
    if (verdict !== 'survived') throw new Error(`Without any mutant, ${filters.join(' ')}: ${verdict}`);
    const timeoutMs = Math.max(LEAST_TIMEOUT_MS, SLOWER * (performance.now() - startedAt));
    timed.set(String(filters), { filters, timeoutMs });
  }
  return tests.map((filters) => timed.get(String(filters))!);
};

const mutate = async (tree: MutatedTree, target: string): Promise<void> => {
  const [path = '', line] = target.split(':');
  const module = findModule(relative(root, path));
  const files = sourcesIn(Object.hasOwn(MUTATED_MODULES, path) ? module.source : relative(root, path));
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(tree.folder, file), 'utf8')));
  const chosen = draw(all.filter((mutant) => line === undefined || mutant.line === Number(line)));
  const groups = await timeGroups(tree, module);
  console.log(`${target}: ${chosen.length} of ${all.length} mutants, seed ${options.seed}`);
  const counts = { killed: 0, 'timed out': 0, survived: 0 };
  for (const mutant of chosen) {
    const verdict = await tree.test(mutant, groups);
    counts[verdict]++;
    if (verdict !== 'killed') console.log(`  ${verdict.padEnd(9)}  ${mutant.file}:${mutant.line}  ${mutant.change}`);
  }
  const killed = counts.killed + counts['timed out'];
  console.log(`${target}: ${killed} of ${chosen.length} killed, ${counts['timed out']} of them by timeout`);
};

if (options.help || positionals.length === 0) console.log(HELP);
else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const tree = copyTree();
  process.once('exit', tree.remove);
  for (const target of positionals) await mutate(tree, target);
}
