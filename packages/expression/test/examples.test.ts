import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { codeBlocks, readDocument } from './documents.ts';

/** Inside of the package, so that the examples find it by its name. */
const folder = mkdtempSync(fileURLToPath(new URL('../.examples-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = ['README.md', 'docs/api.md', '../../docs/expression.md'].flatMap((document) =>
  codeBlocks(readDocument(document)).map((block, at) => ({ document, at, ...block })),
);

test('the README has examples', () => {
  expect(examples.filter(({ document }) => document === 'README.md').length).toBeGreaterThan(5);
});

test.each(examples)(
  '$document, $heading: example $at prints what it says',
  ({ document, at, language, code, prints }) => {
    const file = join(folder, `${document.replaceAll(/\W/g, '-')}-${at}.${language === 'ts' ? 'ts' : 'mjs'}`);
    writeFileSync(file, code);
    const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(prints);
    expect(prints.length).toBeGreaterThan(0);
  },
);
