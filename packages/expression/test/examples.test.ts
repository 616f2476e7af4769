import { mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeBlocks, readDocument } from './documents.ts';
import { type Printed, runExamples } from './run-examples.ts';

/** Inside of the package, so that the examples find it by its name. */
const folder = mkdtempSync(fileURLToPath(new URL('../.examples-', import.meta.url)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = ['README.md', 'docs/api.md', '../../docs/expression.md'].flatMap((document) =>
  codeBlocks(readDocument(document)).map((block, at) => ({ document, at, ...block })),
);

let printed: Printed;
beforeAll(() => {
  printed = runExamples(folder, examples);
});

test('the README has examples', () => {
  expect(examples.filter(({ document }) => document === 'README.md').length).toBeGreaterThan(5);
});

test('no example fails or warns', () => {
  expect(printed.stderr).toBe('');
});

test.each(examples.map((example, nth) => ({ ...example, nth })))(
  '$document, $heading: example $at prints what it says',
  ({ nth, prints }) => {
    expect(printed.lines[nth]).toEqual(prints);
    expect(prints.length).toBeGreaterThan(0);
  },
);
