import { copyOf } from './texts.ts';

/** What an attempt printed at once, or a note in the place of what was left out. */
export interface OutputPiece {
  readonly stream: 'stdout' | 'stderr' | 'note';
  readonly text: string;
}

type Stream = 'stdout' | 'stderr';

/** What an attempt prints, in order, of which only so much is kept as is told. */
export interface GrowingOutput {
  add(stream: Stream, text: string): void;
  /** In at most so many characters: more of the end than of the beginning, with a note between them. */
  pieces(length?: number): OutputPiece[];
}

/** Of one attempt, and of one that passed; in characters. */
const MAX_ORDERED_OUTPUT = 64 * 1024;
export const MAX_PASSED_OUTPUT = 16 * 1024;

/** The end tells more than the beginning. */
const endOf = (length: number): number => Math.floor((length * 3) / 4);

export const growOutput = (most = MAX_ORDERED_OUTPUT): GrowingOutput => {
  let pieces: OutputPiece[] = [];
  let kept = 0;
  let dropped = 0;
  /** How many of the pieces are of the beginning, once something between it and the end was dropped. */
  let beginning = 0;

  const drop = (): void => {
    const cut = cutMiddle(pieces, kept, most, beginning);
    ({ pieces, kept, beginning } = cut);
    dropped += cut.dropped;
  };

  return {
    add(stream, text) {
      if (text === '') return;
      const last = pieces.length > beginning ? pieces.at(-1) : undefined;
      if (last?.stream === stream) pieces[pieces.length - 1] = { stream, text: last.text + text };
      else pieces.push({ stream, text });
      kept += text.length;
      // Cut only when it has doubled, so that many small pieces stay cheap.
      if (kept > 2 * most) drop();
    },
    pieces(length = most) {
      const cut = kept > length ? cutMiddle(pieces, kept, length, beginning) : { pieces, beginning, dropped: 0 };
      const missing = dropped + cut.dropped;
      if (missing === 0) return cut.pieces.map(copied);
      return [
        ...cut.pieces.slice(0, cut.beginning).map(copied),
        { stream: 'note', text: `… ${missing.toLocaleString('en-US')} characters left out …` },
        ...cut.pieces.slice(cut.beginning).map(copied),
      ];
    },
  };
};

const copied = ({ stream, text }: OutputPiece): OutputPiece => ({ stream, text: copyOf(text) });

interface Cut {
  readonly pieces: OutputPiece[];
  readonly kept: number;
  readonly beginning: number;
  readonly dropped: number;
}

/** Where the middle was cut before, the beginning ends there. */
const cutMiddle = (pieces: readonly OutputPiece[], kept: number, length: number, beginning: number): Cut => {
  const end = endOf(length);
  const first = take(beginning > 0 ? pieces.slice(0, beginning) : pieces, length - end, upTo);
  const last = take((beginning > 0 ? pieces.slice(beginning) : pieces).toReversed(), end, from).toReversed();
  const left = lengthOf(first) + lengthOf(last);
  return { pieces: [...first, ...last], kept: left, beginning: first.length, dropped: kept - left };
};

const lengthOf = (pieces: readonly OutputPiece[]): number => pieces.reduce((sum, { text }) => sum + text.length, 0);

const take = (
  pieces: readonly OutputPiece[],
  length: number,
  part: (text: string, length: number) => string,
): OutputPiece[] => {
  const taken: OutputPiece[] = [];
  let room = length;
  for (const { stream, text } of pieces) {
    if (room <= 0) break;
    const fits = text.length <= room ? text : part(text, room);
    if (fits !== '') taken.push({ stream, text: fits });
    room = text.length <= room ? room - text.length : 0;
  }
  return taken;
};

/** A line that ends nearby is kept whole, and with it the escape sequences and pairs of characters in it. */
const NEARBY = 1_000;

const upTo = (text: string, length: number): string => {
  const lineEnd = text.lastIndexOf('\n', length - 1) + 1;
  return text.slice(0, lineEnd > Math.max(0, length - NEARBY) ? lineEnd : withoutHalf(text, length));
};

const from = (text: string, length: number): string => {
  const start = text.length - length;
  const lineEnd = text.indexOf('\n', start - 1) + 1;
  return text.slice(lineEnd > 0 && lineEnd < start + NEARBY ? lineEnd : withoutHalf(text, start));
};

/** Not between the two halves of one character. */
const withoutHalf = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at);
