import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  CODES,
  DASHBOARD_LIMITS,
  EVAL_CODES,
  ExpressionError,
  type EvaluateOptions,
  GLOBALS,
  LIBRARY_LIMITS,
  type Node,
  TEXT_CODES,
  type Value,
  build,
  evaluate,
} from '../src/index.ts';
import { readDocument, tableBelow } from './documents.ts';

const DOCUMENTS = ['../../docs/expression.md', '../../docs/expression-text.md', '../../docs/expression-sql.md'];
const semantics = readDocument(DOCUMENTS[0]!);

const plain = (cell: string): string => cell.replaceAll('`', '');
const words = (cell: string): string[] => (cell === 'none' ? [] : plain(cell).split(' '));

const vectorNames = (file: string): string[] =>
  (JSON.parse(readDocument(`../expression-vectors/vectors/${file}.json`)) as { name: string }[]).map(
    ({ name }) => name,
  );

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readDocument(document);

  test('names vectors that exist', () => {
    const links = [...text.matchAll(/\[((?:[^[\]\\]|\\.)+)\]\([^)]*vectors\/(\w+)\.json\)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const [, shown, file] of links) {
      if (shown === `vectors/${file}.json`) continue;
      const [named, ...rest] = shown!.replaceAll(/\\(.)/g, '$1').split(': ');
      const name = rest.join(': ');
      const names = vectorNames(file!);
      expect(named).toBe(file);
      if (name.endsWith('…')) expect(names.filter((one) => one.startsWith(name.slice(0, -1))).length, name).not.toBe(0);
      else expect(names, name).toContain(name);
    }
  });

  test('has links that lead somewhere', () => {
    const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!.toLowerCase().replaceAll(' ', '-'),
    );
    for (const [, path, anchor] of text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)) {
      const target = fileURLToPath(new URL(path!, new URL(`../${document}`, import.meta.url)));
      expect(existsSync(target), path).toBe(true);
      if (path === '') expect(headings).toContain(anchor);
    }
  });
});

/** Whether a call is more than `call.denied`, with everything allowed that a host can allow. */
const isAllowed = (callee: Node): boolean => {
  const options: EvaluateOptions = { regexps: true, clock: () => 0 };
  try {
    evaluate(build.call(callee), options);
    return true;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return error.code !== 'call.denied';
  }
};

const SAMPLES: Readonly<Record<string, Value>> = {
  string: 'a',
  array: [1],
  number: 1,
  date: new Date(0),
  regexp: /a/,
  bigint: 1n,
  boolean: true,
};

const namesOf = (...objects: object[]): string[] => [
  ...new Set(objects.flatMap((object) => Object.getOwnPropertyNames(object)).filter((name) => name !== '__proto__')),
];

test('the table of methods is what may be called', () => {
  const table = Object.fromEntries(
    tableBelow(semantics, '### Methods').map(([type, methods]) => [type, words(methods!).toSorted()]),
  );
  const allowed = Object.entries(SAMPLES).map(([type, value]) => {
    const names = namesOf(Object.getPrototypeOf(value) as object, Object.prototype, { foo: 1 });
    return [type, names.filter((name) => isAllowed(build.member(build.constant(value), name))).toSorted()];
  });
  expect(table).toEqual(Object.fromEntries(allowed));
});

test('the table of globals is what may be called', () => {
  const table = tableBelow(semantics, '### Globals').map(([name, callable, functions]) => [
    plain(name!),
    callable === 'yes',
    words(functions!).toSorted(),
  ]);
  const objects = GLOBALS.filter((name) => typeof globalThis[name] !== 'number' && name !== 'undefined');
  const allowed = objects.map((name) => {
    const names = namesOf(globalThis[name] as object, Object.prototype, Function.prototype);
    const functions = names.filter((prop) => isAllowed(build.member(build.global(name), prop)));
    return [name, isAllowed(build.global(name)), functions.toSorted()];
  });
  expect(table).toEqual(allowed);
});

test.each([
  ['### Read and write codes', CODES],
  ['### Evaluation codes', EVAL_CODES],
  ['### Text codes', TEXT_CODES],
])('%s are all of them, with what they say', (heading, codes) => {
  const table = tableBelow(semantics, heading).map(([code, says]) => [plain(code!), plain(says!)]);
  expect(table).toEqual(Object.entries(codes).map(([code, says]) => [code, plain(says).replace(/\.$/, '')]));
});

test.each([
  ['docs/expression.md', semantics],
  ['README.md', readDocument('README.md')],
])('the limits in %s are those of the library', (_, document) => {
  const table = tableBelow(document, '## Limits').map(([name, ...limits]) => [
    plain(name!).split(':')[0],
    ...limits.map((limit) => Number(limit.replaceAll(',', ''))),
  ]);
  const limits = Object.keys(LIBRARY_LIMITS) as (keyof typeof LIBRARY_LIMITS)[];
  expect(table).toEqual(limits.map((name) => [name, LIBRARY_LIMITS[name], DASHBOARD_LIMITS[name]]));
});
