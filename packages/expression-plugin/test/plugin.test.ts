import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Node, parseText } from '@assay/expression';
import { build as buildWithEsbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { build as buildWithVite } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import webpack from 'webpack';
import { buildPlugin } from '../../../scripts/build-plugin.ts';
import { BuildError, buildTrees, expressionPlugin } from '../src/index.ts';

const treeOf = (text: string, captures: readonly string[] = []): Node => {
  const read = parseText(text, { captures });
  if (!read.ok) throw new Error(read.issues[0]?.message);
  return read.tree;
};

/** The one tree of a module. */
const builtFrom = (call: string, file = 'rule.ts'): Node => {
  const { code } = buildTrees(`import { expr } from '@assay/expression';\nexport const rule = ${call};`, file)!;
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the code is that of the plugin
  return new Function(`return ${code.slice(code.indexOf('rule =') + 6)}`)() as Node;
};

describe('a lambda becomes the tree that parseText gives of it', () => {
  test.each([
    ['t => t.retries > 2', 't => t.retries > 2', []],
    ['(t: Test) => t.retries > least', 't => t.retries > least', ['least']],
    ['(t: Test): boolean => (t.owner as Owner | null)!.team === team', '(t) => t.owner.team === team', ['team']],
    [
      '<T,>(t: T, now?: number) => t.tags.some((x: string) => x.startsWith(prefix))',
      '(t, now) => t.tags.some((x) => x.startsWith(prefix))',
      ['prefix'],
    ],
    [
      '(t) => ({ id: t.id, big: 10n, when: undefined, not: [-0, 1e400, "\\u2028"] })',
      '(t) => ({ id: t.id, big: 10n, when: undefined, not: [-0, 1e400, "\\u2028"] })',
      [],
    ],
    ['(t: Test) => { return t.a satisfies number }', '(t) => { return t.a }', []],
    ['(t) => Math.max(t.a, 1) > Number.MAX_SAFE_INTEGER', '(t) => Math.max(t.a, 1) > Number.MAX_SAFE_INTEGER', []],
    ['(t) => limit(t.a) ? `${t.b}` : t?.c ?? null', '(t) => limit(t.a) ? `${t.b}` : t?.c ?? null', ['limit']],
  ])('%s', (lambda, plain, captures) => {
    expect(builtFrom(`expr(${lambda})`)).toStrictEqual(treeOf(plain, captures));
  });
});

test('the marker is found by whatever name it was imported, and nothing else is touched', () => {
  const code = [
    "import { expr as quote, compile } from '@assay/expression';",
    "import * as all from '@assay/expression';",
    'const expr = (x) => x;',
    'export const a = quote((t) => t.a), b = all.expr((t) => t.b), c = expr((t) => t.c), d = quote("t"), e = compile(a);',
  ].join('\n');
  const built = buildTrees(code, 'x.js')!.code;
  expect(built).toContain('c = expr((t) => t.c), d = quote("t"), e = compile(a)');
  expect(built).not.toContain('t.a)');
  const single = (names: string): string =>
    buildTrees(`import { ${names} } from '@assay/expression'; expr((t) => t.a);`, 'x.js')!.code.split(' from')[0]!;
  expect(['expr', 'expr, print', 'print, expr', 'print , expr , check'].map(single)).toEqual([
    'import {  }',
    'import {  print }',
    'import { print,  }',
    'import { print ,  check }',
  ]);
  expect(built).not.toContain('t.b)');
  expect(buildTrees("import { parseText } from '@assay/expression'; parseText('t');", 'x.ts')).toBe(undefined);
});

test('what is no expression is told at its line', () => {
  const code = "import { expr } from '@assay/expression';\n\nexport const rule = expr((t: Test) =>\n  t.count++ > 1);";
  expect(() => buildTrees(code, '/app/rule.ts')).toThrow(BuildError);
  expect(() => buildTrees(code, '/app/rule.ts')).toThrow(
    /^\/app\/rule\.ts:4:\d+: .*\n4 \| {3}t\.count\+\+ > 1\);\n +\^$/,
  );
});

test('what is published loads in modules and in scripts', async () => {
  const dist = dirname(dirname(await buildPlugin()));
  const use = `console.log(expressionPlugin.vite().name, buildTrees('', 'a.ts'))`;
  const run = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: dist, encoding: 'utf8' });
  const name = '@assay/expression-plugin';
  const module = `import { buildTrees, expressionPlugin } from '${name}'; ${use}`;
  expect(run('--input-type=module', '--eval', module)).toBe('assay-expression undefined\n');
  expect(run('--eval', `const { buildTrees, expressionPlugin } = require('${name}'); ${use}`)).toBe(
    'assay-expression undefined\n',
  );
});

describe('in bundlers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-plugin-'));
  const entry = join(folder, 'rule.ts');
  const expected = treeOf('(t) => t.retries > least && t.title.includes("a")', ['least']);

  beforeAll(() => {
    mkdirSync(join(folder, 'node_modules/@assay'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../expression'), join(folder, 'node_modules/@assay/expression'));
    writeFileSync(
      entry,
      `import { expr } from '@assay/expression';
const least = 1;
export const rule = expr((t: { retries: number; title: string }) => t.retries > least && t.title.includes('a'));`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const load = async (file: string): Promise<unknown> =>
    ((await import(pathToFileURL(file).href)) as { readonly rule: unknown }).rule;

  test('Rolldown', async () => {
    const bundle = await rolldown({ input: entry, plugins: [expressionPlugin.rolldown()], external: [/^@assay/] });
    const { output } = await bundle.write({ file: join(folder, 'rolldown.mjs'), sourcemap: true });
    await bundle.close();
    expect(await load(join(folder, 'rolldown.mjs'))).toStrictEqual(expected);
    expect(output[0].map?.sources).toEqual(['rule.ts']);
  });

  test('Vite', async () => {
    await buildWithVite({
      root: folder,
      logLevel: 'silent',
      plugins: [expressionPlugin.vite()],
      build: {
        lib: { entry, formats: ['es'], fileName: 'vite' },
        rolldownOptions: { external: [/^@assay/] },
        outDir: join(folder, 'vite'),
      },
    });
    expect(await load(join(folder, 'vite/vite.mjs'))).toStrictEqual(expected);
  });

  test('esbuild', async () => {
    const outfile = join(folder, 'esbuild.mjs');
    const plugins = [expressionPlugin.esbuild()];
    const external = ['@assay/*'];
    await buildWithEsbuild({ entryPoints: [entry], outfile, bundle: true, format: 'esm', external, plugins });
    expect(await load(outfile)).toStrictEqual(expected);
  });

  test('webpack, without types', async () => {
    const script = join(folder, 'rule.js');
    writeFileSync(
      script,
      `import { expr } from '@assay/expression';
const least = 1;
export const rule = expr((t) => t.retries > least && t.title.includes('a'));`,
    );
    const compiler = webpack({
      mode: 'production',
      entry: script,
      experiments: { outputModule: true },
      externals: [/^@assay/],
      externalsType: 'module',
      output: { path: folder, filename: 'webpack.mjs', library: { type: 'module' } },
      plugins: [expressionPlugin.webpack()],
    });
    const stats = await new Promise<webpack.Stats>((resolve, reject) => {
      compiler.run((error, made) => (error ? reject(error) : resolve(made!)));
    });
    await new Promise((resolve) => compiler.close(resolve));
    expect(stats.compilation.errors).toEqual([]);
    expect(await load(join(folder, 'webpack.mjs'))).toStrictEqual(expected);
  });

  test('the example of the README', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
    const example = /```ts\n(.*?)```/s.exec(readme)![1]!;
    const input = join(folder, 'example.ts');
    writeFileSync(input, example);
    const bundle = await rolldown({ input, plugins: [expressionPlugin.rolldown()], platform: 'node' });
    const file = join(folder, 'example.mjs');
    await bundle.write({ file });
    await bundle.close();
    const printed = [...example.matchAll(/ \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual(printed);
  });

  test('a mistake stops the build, and says where', async () => {
    const wrong = join(folder, 'wrong.ts');
    writeFileSync(wrong, "import { expr } from '@assay/expression';\nexport const rule = expr((t) => t.a = 1);");
    const bundle = await rolldown({ input: wrong, plugins: [expressionPlugin.rolldown()], external: [/^@assay/] });
    await expect(bundle.generate()).rejects.toThrow(/wrong\.ts:2:\d+: /);
    await bundle.close();
  });
});
