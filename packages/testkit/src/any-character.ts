import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const CODE_POINTS = 0x110000 - SURROGATES.count;

/**
 * Any character, as the unit of a text: what `'binary'` draws, whose table of all characters takes each process a second
 * and 140 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(CODE_POINTS - 1).map(
  (at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count),
  (character) => {
    if (typeof character !== 'string' || !/^\P{Surrogate}$/su.test(character)) throw new Error('Not one character');
    const point = character.codePointAt(0)!;
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);
