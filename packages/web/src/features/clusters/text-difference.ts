/** A piece of a text, and whether the other text has it too. */
export interface TextPiece {
  readonly text: string;
  readonly isShared: boolean;
}

/** Two short texts word by word: what each has that the other lacks. */
export const compareTexts = (first: string, second: string): readonly [TextPiece[], TextPiece[]] => {
  const some = wordsOf(first);
  const others = wordsOf(second);
  const shared = longestShared(some, others);
  return [piecesOf(some, new Set(shared.map(([at]) => at))), piecesOf(others, new Set(shared.map(([, at]) => at)))];
};

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** The places of the longest sequence of words that both have. */
const longestShared = (some: readonly string[], others: readonly string[]): [number, number][] => {
  const width = others.length + 1;
  const lengths = new Uint16Array((some.length + 1) * width);
  for (let at = some.length - 1; at >= 0; at--) {
    for (let other = others.length - 1; other >= 0; other--) {
      lengths[at * width + other] =
        some[at] === others[other]
          ? lengths[(at + 1) * width + other + 1]! + 1
          : Math.max(lengths[(at + 1) * width + other]!, lengths[at * width + other + 1]!);
    }
  }
  const shared: [number, number][] = [];
  for (let at = 0, other = 0; at < some.length && other < others.length;) {
    if (some[at] === others[other]) shared.push([at++, other++]);
    else if (lengths[(at + 1) * width + other]! >= lengths[at * width + other + 1]!) at++;
    else other++;
  }
  return shared;
};

const piecesOf = (words: readonly string[], shared: ReadonlySet<number>): TextPiece[] => {
  const pieces: { text: string; isShared: boolean }[] = [];
  for (const [at, text] of words.entries()) {
    const last = pieces.at(-1);
    if (last && last.isShared === shared.has(at)) last.text += text;
    else pieces.push({ text, isShared: shared.has(at) });
  }
  return pieces;
};
