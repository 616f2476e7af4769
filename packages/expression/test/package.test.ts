import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { buildExpression } from '../../../scripts/build-expression.ts';
import { buildVectors } from '../../../scripts/build-vectors.ts';
import { publishDryRun } from '../../../scripts/publish-dry-run.ts';
import { codeBlocks, readDocument } from './documents.ts';
import { runExamples } from './run-examples.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-package-'));
const app = join(folder, 'app');
const installed = join(app, 'node_modules/@assay/expression');

/** What is published, installed as anyone would install it. */
beforeAll(async () => {
  await buildExpression(join(folder, 'dist'));
  await buildVectors(join(folder, 'vectors'));
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"private": true}');
  // By which npm packs what it installs.
  const options = ['--install-links', '--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, '../dist', '../vectors'], { cwd: app, stdio: 'pipe' });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bundle = async (code: string): Promise<{ code: string; imports: readonly string[] }> => {
  const input = join(app, 'entry.mjs');
  writeFileSync(input, code);
  const built = await rolldown({ input, cwd: app, platform: 'browser' });
  const { output } = await built.generate({ format: 'esm', codeSplitting: false });
  await built.close();
  return { code: output[0].code, imports: output[0].imports };
};

test('it installs alone, with types, licence and schemas', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: '@assay/expression', type: 'module', sideEffects: false, license: 'MIT' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@assay']);
  for (const name of ['LICENSE', 'README.md', 'lib/index.d.ts', 'docs/api.md', 'schema/v1.strict.json'])
    expect(existsSync(join(installed, name)), name).toBe(true);
});

test('it may be published, with its vectors', async () => {
  writeFileSync(join(folder, 'package.json'), '{"private": true, "workspaces": ["dist", "vectors"]}');
  const { files, corrections } = await publishDryRun(folder, '--workspaces');
  expect(files).toEqual(expect.arrayContaining(['lib/index.js', 'lib/run.js']));
  expect(corrections).toEqual([]);
});

test('the examples of its README run on plain Node', () => {
  const examples = codeBlocks(readDocument('README.md')).filter(({ language }) => language === 'js');
  const { lines, stderr } = runExamples(app, examples);
  expect(stderr).toBe('');
  for (const [at, { prints }] of examples.entries()) expect(lines[at]).toEqual(prints);
});

test('the links of its documents lead to files of the package', () => {
  const documents = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  expect(documents.length).toBeGreaterThan(4);
  for (const name of documents) {
    const text = readFileSync(join(installed, name), 'utf8');
    for (const [, link] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(existsSync(join(installed, dirname(name), link!)), `${name}: ${link}`).toBe(true);
  }
});

const PROGRAM = `
  const read = parseText('t => t.a');
  export const tree: Node = read.ok ? read.tree : where((t: Expr<{ a: number }>) => t.a.gt(0));
  // @ts-expect-error a number is no text
  where((t: Expr<{ a: number }>) => t.a.includes('x'));
  export const run: (params?: Readonly<Record<string, unknown>>) => unknown = compile(tree);`;

test('its types hold in modules and scripts of someone else', () => {
  const names = 'compile, type Expr, parseText, type Node, where';
  writeFileSync(join(app, 'program.mts'), `import { ${names} } from '@assay/expression';${PROGRAM}`);
  writeFileSync(join(app, 'program.cts'), `import { ${names} } from '@assay/expression';${PROGRAM}`);
  const tsc = join(import.meta.dirname, '../../../node_modules/.bin/tsc');
  const options = ['--strict', '--noEmit', '--module', 'node16', '--target', 'es2022', '--types', ''];
  const files = ['program.mts', 'program.cts'];
  expect(execFileSync(tsc, ['--singleThreaded', ...options, ...files], { cwd: app, encoding: 'utf8' })).toBe('');
});

test('a script loads it', () => {
  const script = `const { compile, parseText } = require('@assay/expression');
    console.log(compile(parseText('t => t.a * 2').tree)({ t: { a: 21 } }), require('@assay/expression/package.json').name);`;
  // Such Nodes load no module by `require`.
  const options = ['--no-experimental-require-module', '--eval', script];
  expect(execFileSync(process.execPath, options, { cwd: app, encoding: 'utf8' })).toBe('42 @assay/expression\n');
});

test('the vectors install beside it, and their runner runs', () => {
  const vectors = join(app, 'node_modules/@assay/expression-vectors');
  const args = ['--only', 'shape,sql', '--', process.execPath, join(vectors, 'lib/serve.js')];
  const output = execFileSync(process.execPath, [join(vectors, 'lib/run.js'), ...args], { cwd: app, encoding: 'utf8' });
  expect(output).toMatch(/^sql +meaning +\d+ +0 +0$/m);
  expect(existsSync(join(app, 'node_modules/.bin/expression-vectors'))).toBe(true);
});

test('bundled for browsers it needs nothing, and what is not used is left out', async () => {
  const whole = await bundle(`export * from '@assay/expression';`);
  expect(whole.imports).toEqual([]);
  expect(whole.code).not.toMatch(/["']node:|\brequire\(|\bprocess\./);
  const part = await bundle(`export { parseEnvelope } from '@assay/expression';`);
  expect(part.code.length).toBeLessThan(whole.code.length / 3);
  expect(part.code).not.toContain('IS NOT DISTINCT FROM');
});

test('it runs in a browser whose policy forbids code made from text', async () => {
  const { code } = await bundle(`import { compile, parseText } from '@assay/expression';
    const { tree } = parseText('t => t.list.filter((x) => x > 1).map((x) => x * 2)');
    let forbidden = false;
    try { new Function(''); } catch { forbidden = true; }
    document.title = JSON.stringify({ forbidden, value: compile(tree)({ t: { list: [1, 2, 3] } }) });`);
  const browser = await chromium.launch({ executablePath: inject('chromium'), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.route('**/*', (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript', body: code })
        : route.fulfill({
            contentType: 'text/html',
            headers: { 'content-security-policy': "script-src 'self'" },
            body: '<script type="module" src="/program.js"></script>',
          }),
    );
    await page.goto('http://localhost/');
    await expect.poll(() => page.title()).toBe('{"forbidden":true,"value":[4,6]}');
  } finally {
    await browser.close();
  }
});
