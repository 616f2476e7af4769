export interface Piece {
  readonly text: string;
  /** `red`, `bright-blue`, …; none is the colour of the text around. */
  readonly colour: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
}

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\u001B(?:\[([\d;:]*)([@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\^_])/g;

/** The text of a terminal in pieces of one look; what moves a cursor or sets a title is left out. */
export const readAnsi = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  let look: Omit<Piece, 'text'> = { colour: null, bold: false, dim: false };
  let from = 0;
  const take = (to: number): void => {
    if (to > from) pieces.push({ text: text.slice(from, to), ...look });
  };
  for (const match of text.matchAll(SEQUENCE)) {
    take(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') look = applyCodes(look, match[1]!);
  }
  take(text.length);
  return pieces;
};

export const withoutAnsi = (text: string): string => text.replace(SEQUENCE, '');

const applyCodes = (before: Omit<Piece, 'text'>, codes: string): Omit<Piece, 'text'> => {
  let look = before;
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at]!;
    if (code === 0) look = { colour: null, bold: false, dim: false };
    else if (code === 1) look = { ...look, bold: true };
    else if (code === 2) look = { ...look, dim: true };
    else if (code === 22) look = { ...look, bold: false, dim: false };
    else if (code >= 30 && code <= 37) look = { ...look, colour: COLOURS[code - 30]! };
    else if (code >= 90 && code <= 97) look = { ...look, colour: `bright-${COLOURS[code - 90]!}` };
    else if (code === 39) look = { ...look, colour: null };
    // Colours of 256 and of true colour take the codes behind them; they are shown in the colour of the text.
    else if (code === 38 || code === 48) at += numbers[at + 1] === 5 ? 2 : 4;
  }
  return look;
};
