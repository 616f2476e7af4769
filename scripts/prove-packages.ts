import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeBlocks, readDocument } from '../packages/expression/test/documents.ts';
import { buildExpression } from './build-expression.ts';
import { buildPlugin } from './build-plugin.ts';
import { buildReporter } from './build-reporter.ts';
import { buildVectors } from './build-vectors.ts';

const NODES = ['20', '22', '24'];

/** Bundlers are installed only here; the tests of the plugin have those that the workspace has anyway. */
const BUNDLERS: Readonly<Record<string, { readonly install: string; readonly script: string }>> = {
  Rollup: {
    install: 'rollup@4',
    script: `import { rollup } from 'rollup';
const bundle = await rollup({ input: 'rule.js', plugins: [expressionPlugin.rollup()], external: [/^@assay/] });
await bundle.write({ file: 'Rollup.out.mjs' });`,
  },
  Rspack: {
    install: '@rspack/core@2',
    script: `import { rspack } from '@rspack/core';
const compiler = rspack({
  mode: 'production',
  entry: './rule.js',
  externals: [/^@assay/],
  externalsType: 'module',
  output: { module: true, path: process.cwd(), filename: 'Rspack.out.mjs', library: { type: 'module' } },
  plugins: [expressionPlugin.rspack()],
});
const stats = await new Promise((resolve, reject) => compiler.run((error, made) => (error ? reject(error) : resolve(made))));
if (stats.hasErrors()) throw new Error(stats.toString());`,
  },
  Vite: {
    install: 'vite@8',
    script: `import { build } from 'vite';
await build({
  logLevel: 'silent',
  plugins: [expressionPlugin.vite()],
  build: {
    lib: { entry: 'rule.js', formats: ['es'], fileName: () => 'Vite.out.mjs' },
    rolldownOptions: { external: [/^@assay/] },
    outDir: '.',
    emptyOutDir: false,
  },
});`,
  },
};

const RULE = `import { expr } from '@assay/expression';
const least = 1;
export const rule = expr((t) => t.retries > least && t.title.includes('a'));
`;

/** Compares the tree in a bundle with the one that `parseText` gives. */
const compareCode = (name: string): string => `
const { equals, parseText } = await import('@assay/expression');
const { rule } = await import('./${name}.out.mjs');
const { tree } = parseText('(t) => t.retries > least && t.title.includes("a")', { captures: ['least'] });
if (!equals(rule, tree)) throw new Error(JSON.stringify(rule));`;

/** Packs what is published, and uses it as a stranger would: on each Node that it is for, and in bundlers. */
export const provePackages = async (): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-packages-'));
  const app = join(folder, 'app');
  const run = (command: string, args: readonly string[], cwd = app): string =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  let isProven = true;
  const prove = (what: string, check: () => void): void => {
    try {
      check();
      console.log(`holds  ${what}`);
    } catch (error) {
      isProven = false;
      console.log(`FAILS  ${what}\n${String((error as { stderr?: unknown }).stderr || error)}`);
    }
  };
  try {
    const built = { expression: buildExpression, vectors: buildVectors, plugin: buildPlugin, reporter: buildReporter };
    for (const [name, build] of Object.entries(built)) {
      await build(join(folder, name));
      run('npm', ['pack', '--pack-destination', folder], join(folder, name));
    }
    mkdirSync(app);
    writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module", "allowScripts": { "node": true } }');
    run('npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--omit=peer',
      ...readdirSync(folder)
        .filter((name) => name.endsWith('.tgz'))
        .map((name) => join(folder, name)),
      ...NODES.map((version) => `node-${version}@npm:node@${version}`),
      ...Object.values(BUNDLERS).map(({ install }) => install),
    ]);
    for (const version of NODES) {
      const node = join(app, `node_modules/node-${version}/bin/node`);
      proveNode(run(node, ['--version']).trim(), (...args) => run(node, args), app, prove);
    }
    writeFileSync(join(app, 'rule.js'), RULE);
    for (const [name, { script }] of Object.entries(BUNDLERS)) {
      const use = `import { expressionPlugin } from '@assay/expression-plugin';\n`;
      writeFileSync(join(app, `${name}.mjs`), `${use}${script}${compareCode(name)}`);
      prove(`the plugin in ${name} ${versionOf(app, name)}`, () => run(process.execPath, [`${name}.mjs`]));
    }
    return isProven;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const versionOf = (app: string, bundler: string): string => {
  const name = BUNDLERS[bundler]!.install.replace(/@\d+$/, '');
  const manifest = readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
};

const proveNode = (
  version: string,
  node: (...args: string[]) => string,
  app: string,
  prove: (what: string, check: () => void) => void,
): void => {
  const gives = (said: string, expected: string): void => {
    if (said !== expected) throw new Error(`It prints ${said} and not ${expected}`);
  };
  prove(`the examples of the README on Node ${version}`, () => {
    for (const { language, code, prints } of codeBlocks(readDocument('README.md'))) {
      if (language !== 'js') continue;
      writeFileSync(join(app, 'example.mjs'), code);
      gives(node('example.mjs'), `${prints.join('\n')}\n`);
    }
  });
  prove(`a script that requires it on Node ${version}`, () => {
    const code = `const { compile, parseText } = require('@assay/expression');
      console.log(compile(parseText('t => t.a * 2').tree)({ t: { a: 21 } }));`;
    writeFileSync(join(app, 'script.cjs'), code);
    gives(node('script.cjs'), '42\n');
  });
  prove(`all conformance vectors on Node ${version}`, () => {
    const vectors = join(app, 'node_modules/@assay/expression-vectors/lib');
    node(join(vectors, 'run.js'), '--', node('--print', 'process.execPath').trim(), join(vectors, 'serve.js'));
  });
  prove(`the plugin and the reporter on Node ${version}`, () => {
    writeFileSync(join(app, 'plugin.cjs'), `console.log(require('@assay/expression-plugin').buildTrees('', 'a.ts'))`);
    gives(node('plugin.cjs'), 'undefined\n');
    if (!node(join(app, 'node_modules/.bin/assay'), '--help').includes('assay upload')) throw new Error('No help');
  });
};
