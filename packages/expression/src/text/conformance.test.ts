import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  canonical,
  type Catalogue,
  CODES,
  type Limits,
  type Node,
  parseEnvelope,
  parseSearch,
  parseText,
  print,
  TEXT_CODES,
} from '../index.ts';

interface TextVector {
  readonly name: string;
  readonly surface: 'js' | 'search';
  readonly text: string;
  readonly catalogue?: Catalogue;
  readonly captures?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly now?: string;
  readonly expect:
    | { readonly root: unknown }
    | { readonly codes: readonly string[]; readonly spans: readonly unknown[] };
}

interface PrintVector {
  readonly name: string;
  readonly print: unknown;
  readonly expect: { readonly text: string };
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../expression-vectors/vectors/text.json', import.meta.url), 'utf8'),
) as (TextVector | PrintVector)[];

function read(root: unknown): Node {
  const result = parseEnvelope({ v: 1, root });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.tree;
}

describe('conformance: text', () => {
  it.each(vectors.filter((vector) => 'text' in vector))('$name', (vector) => {
    const { surface, catalogue, captures, limits, expect: expected } = vector;
    const now = vector.now === undefined ? undefined : new Date(vector.now);
    const parse = (spans?: boolean) =>
      surface === 'search'
        ? parseSearch(vector.text, catalogue ?? { fields: {} }, { limits, now, spans })
        : parseText(vector.text, { captures, limits, spans });
    const result = parse();
    if (result.ok) {
      expect({ root: canonical(result.tree) }).toEqual(
        'root' in expected ? { root: canonical(read(expected.root)) } : expected,
      );
      const again = parseText(print(result.tree));
      expect(again.ok && again.tree).toEqual(result.tree);
    } else {
      const codes = result.issues.map(({ code }) => code);
      expect({ codes, spans: result.issues.map(({ span }) => [span?.start, span?.end]) }).toEqual(expected);
      for (const code of codes) expect(Object.hasOwn(CODES, code) || Object.hasOwn(TEXT_CODES, code)).toBe(true);
    }
    expect(parse(true).ok).toBe(result.ok);
  });

  it.each(vectors.filter((vector) => 'print' in vector))('$name', (vector) => {
    const tree = read(vector.print);
    expect(print(tree)).toBe(vector.expect.text);
    const again = parseText(vector.expect.text);
    expect(again.ok && again.tree).toEqual(tree);
  });
});

describe('a text without end or bottom', () => {
  it.each([
    '(',
    '[',
    '-',
    '!',
    'a(',
    'x=>',
    '{a:',
    '`${',
    'a?',
    'a**',

    'a?b:',
    'a||(',
    'a.b[',
    '...',
    '({a:{',
  ])('a million of %s are refused by their depth or number', (piece) => {
    for (const limits of [{}, { textBytes: 1e8 }, { textBytes: 1e8, depth: 1e6, nodes: 1e7, lambdaNesting: 1e6 }]) {
      const result = parseText(piece.repeat(1_000_000 / piece.length), { limits });
      expect(result.ok).toBe(false);
      const codes = result.ok ? [] : result.issues.map(({ code }) => code);
      if (piece !== '...') expect(codes.at(-1)).toMatch(/^limit\.(?:depth|nodes|lambdaNesting)$/);
    }
  });

  it('a million parentheses of a search are refused by their depth', () => {
    for (const piece of ['(', '-', 'NOT ']) {
      const result = parseSearch(piece.repeat(1_000_000), { fields: {} }, { limits: { textBytes: 1e8 } });
      expect(!result.ok && result.issues.map(({ code }) => code)).toEqual(['limit.depth']);
    }
  });

  it('a tree of any depth prints', () => {
    let tree: Node = { kind: 'Param', name: 'a' };
    for (let i = 0; i < 100_000; i++) tree = { kind: 'Unary', op: '!', operand: tree };
    expect(print(tree)).toBe(`${'!'.repeat(100_000)}a`);
  });

  it('nests in the text as deep as the tree may be', () => {
    let narrow: Node = { kind: 'Param', name: 'a' };
    for (let i = 0; i < 255; i++)
      narrow = { kind: 'Binary', op: i % 2 ? '+' : '*', left: { kind: 'Param', name: 'a' }, right: narrow };
    const result = parseText(print(narrow));
    expect(result.ok && result.tree).toEqual(narrow);
  });
});

describe('names that patterns make', () => {
  it('are none that the text has, in time that grows with the text alone', () => {
    const taken = Array.from({ length: 400 }, (_, length) => `$0${'_'.repeat(length)}`).join(' ');
    const row = `[${Array(150).fill('({a})=>a').join()}]`;
    const result = parseText(`/* ${taken} */ [${Array(10).fill(row).join()}]`);
    expect(result.ok && JSON.stringify(result.tree).includes(`"$0${'_'.repeat(400)}"`)).toBe(true);
  });

  it('differ from those of the lambdas around', () => {
    const result = parseText('({a}) => ({b}) => a + b + $1');
    expect(result.ok && result.tree).toMatchObject({ params: ['$0'], body: { params: ['$0_'] } });
  });

  it('are as many as a list may have items', () => {
    const names = Array.from({ length: 30_000 }, (_, nth) => `a${nth}`).join();
    const result = parseText(`({${names}})=>1`);
    expect(result.ok ? [] : result.issues.map(({ code }) => code)).toEqual(['limit.items']);
  });
});
