/** The words of a query, each in the one form in which texts are compared. */
export const wordsOf = (query: string): string[] => [
  ...new Set(
    fold(query)
      .split(/\s+/)
      .filter((word) => word !== ''),
  ),
];

/** Capital and small letters, and letters with separate and with joined accents, are the same. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

export const hasAllWords = (words: readonly string[], texts: readonly (string | null)[]): boolean => {
  const folded = texts.map((text) => (text === null ? '' : fold(text)));
  return words.every((word) => folded.some((text) => text.includes(word)));
};

/**
 * A pattern for LIKE, which knows only the ASCII letters as capital and small: it finds all texts with the word, and
 * for other letters some without. The escape is a backslash.
 */
export const likePattern = (word: string): string =>
  // What a dotted capital I, the Kelvin sign, the Greek question mark and the Greek grave accent become.
  `%${word.replace(/[%_\\]/g, '\\$&').replace(/\P{ASCII}+|[ik;`]/gu, '%')}%`;
