import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts } from './text-difference.ts';

const marked = (first: string, second: string): string[] =>
  compareTexts(first, second).map((pieces) =>
    pieces.map(({ text, isShared }) => (isShared ? text : `[${text}]`)).join(''),
  );

describe('two texts word by word', () => {
  it('mark what the other one lacks', () => {
    expect(marked("getByTestId('pay') failed", "getByTestId('buy now') failed")).toEqual([
      "getByTestId('[pay]') failed",
      "getByTestId('[buy now]') failed",
    ]);
    expect(marked('same', 'same')).toEqual(['same', 'same']);
    expect(marked('', 'more')).toEqual(['', '[more]']);
  });

  it('lose nothing, and share the same text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', 'é', '<*>'), maxLength: 30 });
    fc.assert(
      fc.property(text, text, (first, second) => {
        const both = compareTexts(first, second);
        expect(both.map((pieces) => pieces.map((piece) => piece.text).join(''))).toEqual([first, second]);
        const [shared, alsoShared] = both.map((pieces) =>
          pieces.flatMap((piece) => (piece.isShared ? piece.text : [])).join(''),
        );
        expect(shared).toBe(alsoShared);
      }),
    );
  });
});
