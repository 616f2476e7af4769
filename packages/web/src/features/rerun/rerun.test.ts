import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_COMMAND_LENGTH, type Rerunnable, rerun } from './rerun.ts';
import { toolsOf } from './tools.ts';

const ROOT = join(import.meta.dirname, '../../../../..');

/** Titles that a shell or a regular expression would read as something else. */
const TITLES = [
  `it's "quoted" and \\ escaped`,
  'costs $HOME `id` $(id)',
  'a (b) [c] {d} a|b ^x$ .*+?',
  'größer 日本 🦊',
  '!bang #hash ~tilde *glob',
  'new\nline',
];

const result = (title: string, filePath: string, more: Partial<Rerunnable> = {}): Rerunnable => ({
  title,
  filePath,
  line: null,
  browser: null,
  ...more,
});

/** Runs what is installed, as npm would, which takes longer to start than some of it. */
const NPX = 'npx() { "node_modules/.bin/$@"; }';

/** A project whose tests print `ran <title>` as JSON. */
const createProject = (files: Readonly<Record<string, string>>) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-rerun-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const run = (command: string): Promise<string[]> =>
    new Promise((resolve) => {
      const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
      // Plugins that happen to be installed take pytest as long to load as all else.
      const env = { PATH, HOME, NODE_COMPILE_CACHE, PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' };
      const script = `${NPX}\n${command}`;
      execFile('sh', ['-c', script], { cwd: folder, env }, (_, stdout, stderr) => {
        const ran = [...`${stdout}${stderr}`.matchAll(/ran (".*")\n/g)].map(([, text]) => JSON.parse(text!) as string);
        resolve(ran.toSorted());
      });
    });
  return { run, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
};

const ran = (titles: readonly string[]): string => titles.map((title) => bodyOf(title)).join('\n');
const bodyOf = (title: string): string =>
  `test(${JSON.stringify(title)}, () => console.log('ran ' + ${JSON.stringify(JSON.stringify(title))}));`;

test('the command of each of these titles selects that Playwright test alone, and that of some selects those', async () => {
  const file = 'tests/a+(b) c.spec.ts';
  const lines = [...TITLES, ...TITLES.map((title) => `${title} too`)];
  const source = `import { test } from '@playwright/test'; test.describe('cart', () => {\n${ran(lines)}\n});
${bodyOf('unselected')}
for (const n of [1, 10]) {
  test(${JSON.stringify(TITLES[0])} + ' ' + n, { tag: '@slow' }, () => {});
}`;
  using project = createProject({
    'package.json': '{"type": "module"}',
    'playwright.config.ts': `export default { reporter: './selected.js', projects: [{ name: 'Mobile "Safari"' }, { name: 'other' }] };`,
    // What it selects is known without a worker to run it, which takes as long as all else.
    'selected.js': `export default class { onBegin(_, suite) { for (const { title } of suite.allTests()) console.log('ran ' + JSON.stringify(title)); } }`,
    [file]: source,
    'tests/ab.spec.ts': `import { test } from '@playwright/test';\n${bodyOf('elsewhere')}`,
  });
  const browser = 'Mobile "Safari"';
  const tests = lines.map((title, at) => result(`cart › ${title}`, file, { line: at + 2, browser }));
  const some = tests.slice(0, TITLES.length);
  const looped = `${TITLES[0]} 1`;
  const loop = result(looped, file, { line: lines.length + 5, browser });
  const runAll = async (selected: readonly Rerunnable[]): Promise<string[]> => {
    const { commands } = rerun('playwright', selected, tests);
    return project.run(commands.map((command) => `${command} --list`).join('\n'));
  };
  expect(await runAll(some)).toEqual(TITLES.toSorted());
  expect(await runAll([loop]), 'one of two on a line').toEqual([looped]);
  const unlined = [...some, loop].map((one) => ({ ...one, line: null }));
  expect(await runAll(unlined)).toEqual([...TITLES, looped].toSorted());
});

test.for(['vitest', 'jest'] as const)('the commands of %s run the tests of these titles alone', async (tool) => {
  const file = `tests/a (b).spec.${tool === 'jest' ? 'cjs' : 'ts'}`;
  const other = file.replace('a (b)', 'other');
  const head = tool === 'jest' ? '' : `import { describe, test } from 'vitest';\n`;
  const titles = [...TITLES, ...TITLES.map((title) => `${title} too`)];
  using project = createProject({
    'package.json': '{}',
    'vitest.config.ts': `export default { test: { reporters: ['dot'], maxWorkers: 1, projects: [{ test: { name: 'unit', include: ['tests/*'] } }] } };`,
    'jest.config.cjs': `module.exports = { silent: false, haste: { enableSymlinks: false }, testMatch: ['**/tests/*.cjs'], projects: [{ displayName: 'unit', testMatch: ['**/tests/*.cjs'], transform: {} }] };`,
    [file]: `${head}describe('cart', () => {\n${ran(titles)}\n});`,
    [other]: `${head}describe('cart', () => {\n${ran(titles)}\n});\n${bodyOf('only here')}`,
  });
  const all = [file, other].flatMap((name) =>
    titles.map((title) => result(`cart › ${title}`, name, { browser: 'unit' })),
  );
  const only = result('only here', other, { browser: 'unit' });
  const mixed = rerun(tool, [...all.slice(0, TITLES.length), only], [...all, only]).commands;
  expect(mixed).toHaveLength(2);
  expect(await project.run(mixed.join('\n'))).toEqual([...TITLES, 'only here'].toSorted());
});

test('the commands of pytest run the tests of these titles alone, by node ids or by words', async () => {
  const say = `        print("\\nran " + '"' + request.node.name + '"')`;
  using project = createProject({
    'tests/test_cart.py': `import pytest
class TestCart:
    @pytest.mark.parametrize("x", ["it's", "$HOME", "a b"])
    def test_finds(self, request, x):
${say}
    def test_adds(self, request):
${say}
def test_adds(request):
${say.slice(4)}
`,
  });
  const names = ["test_finds[it's]", 'test_finds[$HOME]'];
  const known = names.map((name) => result(`TestCart › ${name}`, 'tests/test_cart.py'));
  const { commands, notes } = rerun('pytest', known);
  expect(notes).toEqual([]);
  const withOutput = commands.join('\n').replaceAll('pytest ', 'pytest -s ');
  // Not everywhere is there a pytest.
  const byIds = await project.run(`${withOutput} || { [ $? != 127 ] || echo 'ran "nothing"'; }`);
  const hasPytest = byIds[0] !== 'nothing';
  if (hasPytest) expect(byIds).toEqual(names.toSorted());
  const unknown = rerun('pytest', [result('test_adds', 'tests.test_cart.TestCart')]);
  expect(unknown.commands).toEqual([`pytest -k 'test_cart and TestCart and test_adds'`]);
  expect(unknown.notes).toHaveLength(1);
  if (hasPytest) {
    expect(await project.run(unknown.commands[0]!.replace('pytest', 'pytest -s'))).toEqual(['test_adds']);
  }
});

test('Go tests run by package, with anchored patterns for each level', () => {
  const selected = [
    result('TestPay/by_card_(a|b)', 'example.com/shop/cart'),
    result('TestAdd', 'example.com/shop/cart'),
    result('example.com/shop/broken', 'example.com/shop/broken'),
  ];
  expect(rerun('go', selected).commands).toEqual([
    String.raw`go test example.com/shop/cart -run '^TestPay$/^by_card_\(a\|b\)$|^TestAdd$'`,
    'go test example.com/shop/broken',
  ]);
});

test('Maven and Gradle take classes and methods; what the report does not name runs with its class', () => {
  const selected = [
    result('addsUp', 'org.shop.CartTest'),
    result('pays(String, int)[2]', 'org.shop.CartTest'),
    result('opens', 'org.shop.CartTest$Inner'),
  ];
  const maven = rerun('maven', selected);
  expect(maven.commands).toEqual([`mvn test '-Dtest=org.shop.CartTest#addsUp+pays,org.shop.CartTest$Inner#opens'`]);
  expect(maven.notes).toEqual(['A method with parameters runs with all of them']);
  expect(rerun('gradle', selected).commands).toEqual([
    `gradle test --tests org.shop.CartTest.addsUp --tests org.shop.CartTest.pays --tests 'org.shop.CartTest$Inner.opens'`,
  ]);
  const shown = rerun('maven', [result('adds two numbers', 'org.shop.CartTest')]);
  expect(shown.commands).toEqual(['mvn test -Dtest=org.shop.CartTest']);
  expect(shown.notes).toHaveLength(1);
});

test('a file that failed as a whole runs whole', () => {
  const broken = result('a.test.ts', 'src/a.test.ts');
  expect(rerun('vitest', [broken, result('adds', 'src/b.test.ts')]).commands).toEqual([
    'npx vitest run src/a.test.ts',
    `npx vitest run src/b.test.ts -t '^adds$'`,
  ]);
});

test('a long selection runs the files whole, and as many of them as fit', () => {
  const many = Array.from({ length: 2_000 }, (_, at) => result(`cart › adds ${at}`, `src/cart-${at % 20}.test.ts`));
  const { commands, notes } = rerun('vitest', many);
  expect(commands[0]).toMatch(/^npx vitest run src\/cart-0\.test\.ts .* src\/cart-19\.test\.ts$/);
  expect(notes).toHaveLength(1);
  const files = Array.from({ length: 5_000 }, (_, at) => result('adds', `src/cart-${at}.test.ts`));
  const cut = rerun('vitest', files);
  expect(cut.commands.join('\n').length).toBeLessThanOrEqual(MAX_COMMAND_LENGTH);
  expect(cut.notes[1]).toMatch(/^Only the first \d+ of 5,000 files fit$/);
});

test('nothing that acts in a terminal gets into a command', () => {
  const hostile = result('a\u001B[201~\n\u0003\u009Brm', 'a.test.ts', { line: 1 });
  for (const tool of ['playwright', 'vitest', 'jest', 'go'] as const) {
    expect(rerun(tool, [hostile]).commands.join('')).not.toMatch(/\p{Cc}/u);
  }
  expect(rerun('gradle', [hostile])).toEqual({
    commands: [],
    notes: ['Left out: 1 test with control characters in the name'],
  });
  expect(rerun('vitest', [{ ...hostile, filePath: 'a\u001B.ts' }]).commands).toEqual([]);
});

test('the tool is known by what its reporter or its report says, and is a choice otherwise', () => {
  expect(toolsOf({ playwright: { version: '1.65.0' } })).toEqual(['playwright']);
  expect(toolsOf({ upload: { formats: ['Go test JSON'] } })).toEqual(['go']);
  expect(toolsOf({ upload: { formats: ['Jest or Vitest JSON'] } })).toEqual(['vitest', 'jest']);
  expect(toolsOf({ upload: { formats: ['JUnit XML'] } })).toHaveLength(7);
  expect(toolsOf(null)).toHaveLength(7);
});
