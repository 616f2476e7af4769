import { draws } from '@assay/testkit';
import { anyCharacter } from '@assay/testkit/any-character';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeArbitrary, WORDS } from '../../test/arbitrary-tree.ts';
import { build, type Node, parseSearch, parseText, print } from '../index.ts';

/** Random trees nest lambdas more deeply than strangers may. */
const limits = { lambdaNesting: 100, depth: 1000 };

function read(text: string, captures?: readonly string[]): Node {
  const result = parseText(text, { limits, captures });
  if (!result.ok) throw new Error(`${text}\n${JSON.stringify(result.issues)}`);
  return result.tree;
}

const HOSTILE = [...WORDS, '#', '$0', '${', '`', '//', '*/', '\r\n'];
const hostile = fc
  .oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: anyCharacter }), fc.string())
  .filter((name) => name !== '__proto__');

describe('reading what was printed', () => {
  it('gives the same tree', () => {
    fc.assert(
      fc.property(treeArbitrary, (tree) => {
        expect(read(print(tree))).toEqual(tree);
      }),
      { numRuns: draws(300, 5_000) },
    );
  });

  it('gives the same tree for every name and text', () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const trees = [
          build.param(a),
          build.capture(a),
          build.constant(a),
          build.member(build.param(b), a),
          build.template([a, b], [build.constant(b)]),
          build.lambda([a], build.binary('+', build.param(a), build.capture(a))),
          build.lambda(['Math'], build.call(build.member(build.global('Math'), a), [build.param('Math')])),
          build.objectLit([build.property(a, build.param(a)), build.property(b, build.constant({ [a]: b }))]),
          build.constant(new RegExp(a.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))),
        ];
        for (const tree of trees) expect(read(print(tree))).toEqual(tree);
      }),
      { numRuns: draws(125, 2_000) },
    );
  });

  it('gives the same tree for a parameter named by any word, beside each constant', () => {
    const values = [true, false, null, undefined, Number.NaN, -1, [1], new Date(0), /a/, 'a'].map(build.constant);
    for (const word of WORDS) {
      const uses = [build.param(word), build.capture(word), build.unary('typeof', build.param(word))];
      const body = build.arrayLit([...uses, build.isIn(build.param(word), build.param('of')), ...values]);
      for (const tree of [body, build.lambda([word], body), build.lambda(['a', word], build.lambda([word], body))])
        expect(read(print(tree))).toEqual(tree);
    }
  });

  it('gives the same tree where both are told the same captures', () => {
    fc.assert(
      fc.property(treeArbitrary, (tree) => {
        const captures = ['t', 'x', 'Math', 'length', 'undefined'];
        expect(read(print(tree, { captures }), captures)).toEqual(tree);
      }),
      { numRuns: draws(60, 1_000) },
    );
  });

  it('is a fixed point of printing', () => {
    fc.assert(
      fc.property(treeArbitrary, (tree) => {
        const text = print(tree);
        expect(print(read(text))).toBe(text);
      }),
      { numRuns: draws(60, 1_000) },
    );
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    ...'( ) [ ] { } , : ? ?. . ... => = === && || ?? ! - + ** / ` ${ } " \' a t 1 2n 0x .5 \\ \n of in typeof new Date const @ @@ # /* // __proto__ OR AND NOT status: >2s'.split(
      ' ',
    ),
  );
  const soup = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' ')),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
  );

  const parseSearchLine = (text: string, options?: { readonly spans: boolean }) =>
    parseSearch(text, { fields: { status: { type: 'string' } } }, options);

  it('gives a tree or issues within the text, and a tree that prints as itself', () => {
    fc.assert(
      fc.property(soup, fc.constantFrom(parseText, parseSearchLine), (text, parse) => {
        const result = parse(text, { spans: true });
        if (result.ok) {
          const tree = parse(text);
          expect(read(print(result.tree))).toEqual(tree.ok && tree.tree);
          return;
        }
        expect(result.issues.length).toBeGreaterThan(0);
        for (const { span, code, path } of result.issues) {
          expect(code).toMatch(/^[a-z]+\.[a-zA-Z]+$/);
          expect(path).toBe('');
          expect(span!.start).toBeGreaterThanOrEqual(0);
          expect(span!.end).toBeGreaterThanOrEqual(span!.start);
          expect(span!.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: draws(300, 5_000) },
    );
  });
});
