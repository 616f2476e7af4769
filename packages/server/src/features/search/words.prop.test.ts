import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasAllWords, likePattern, wordsOf } from './words.ts';

const database = new DatabaseSync(':memory:');
const like = database.prepare("SELECT ? LIKE ? ESCAPE '\\' AS found");
const isLike = (text: string, pattern: string): boolean => like.get(text, pattern)!['found'] === 1;

const character = fc.oneof(
  fc.constantFrom(
    'a',
    'K',
    'k',
    's',
    'S',
    '%',
    '_',
    '\\',
    'é',
    'É',
    'e\u0301',
    'ß',
    'ẞ',
    'İ',
    'ı',
    '\u212a',
    '\u037e',
    '\u1fef',
    'ſ',
    'Σ',
    'ς',
    'Ж',
    '中',
    '👩‍👩‍👧',
    ' ',
    '.',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);
const text = fc.array(character, { maxLength: 8 }).map((characters) => characters.join('').replaceAll('\u0000', ''));

describe('the pattern of a word', () => {
  it('finds every text that has the word', () => {
    fc.assert(
      fc.property(text, text, text, (before, middle, after) => {
        const found = before + middle + after;
        for (const word of wordsOf(middle)) {
          if (hasAllWords([word], [found])) expect(isLike(found, likePattern(word)), word).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('has no wildcard of its own for ASCII that is none', () => {
    expect(isLike('100 of them', likePattern('100%'))).toBe(false);
    expect(isLike('axb', likePattern('a_b'))).toBe(false);
    expect(isLike('a_b', likePattern('a_b'))).toBe(true);
  });
});

describe('words', () => {
  it('are found whatever their case and the form of their accents', () => {
    expect(hasAllWords(wordsOf('ZÜRICH cafe\u0301'), ['Das Café', 'in zürich'])).toBe(true);
    expect(hasAllWords(wordsOf('zürich bern'), ['Das Café', 'in zürich'])).toBe(false);
  });
});
