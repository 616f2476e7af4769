export interface AnsiLook {
  /** `red`, `bright-blue`, … or `#rrggbb`; null is the colour of the text around. */
  readonly colour: string | null;
  readonly background: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly struck: boolean;
  /** Colour and background change places. */
  readonly inverse: boolean;
}

export interface AnsiPiece extends AnsiLook {
  readonly text: string;
}

const PLAIN: AnsiLook = {
  colour: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  struck: false,
  inverse: false,
};

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const COLOURS = [...NAMES, ...NAMES.map((name) => `bright-${name}`)];
/** The steps of one channel in the cube of 216 colours. */
const CUBE = [0, 95, 135, 175, 215, 255];

/** What a code switches; those with a value of their own are in `applyCodes`. */
const SWITCHES: Readonly<Record<number, Partial<AnsiLook>>> = {
  0: PLAIN,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { struck: false },
  39: { colour: null },
  49: { background: null },
};

// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\u001B(?:\[([\d;:]*)([@-~])|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\^_])/g;

/** The text of a terminal in pieces of one look; what moves a cursor or sets a title is left out. */
export const readAnsi = (text: string): AnsiPiece[] => {
  const pieces: AnsiPiece[] = [];
  let look = PLAIN;
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

const applyCodes = (before: AnsiLook, codes: string): AnsiLook => {
  const look = { ...before };
  // `4:3` is a wavy underline, `4:0` none; with colours the colon stands for a semicolon.
  const numbers = codes
    .replace(/(^|;)4:(\d)/g, (_, start: string, shape: string) => `${start}${shape === '0' ? 24 : 4}`)
    .split(/[;:]/)
    .map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at]!;
    const layer = layerOf(code);
    if (code in SWITCHES) Object.assign(look, SWITCHES[code]);
    else if (code === 38 || code === 48) {
      const { colour, taken } = longColour(numbers.slice(at + 1));
      Object.assign(look, code === 38 ? { colour } : { background: colour });
      at += taken;
    } else if (layer) Object.assign(look, layer);
  }
  return look;
};

/** One of the sixteen colours, in front or behind. */
const layerOf = (code: number): Partial<AnsiLook> | null => {
  const colour = COLOURS[(code % 10) + (code >= 90 ? 8 : 0)]!;
  if (code % 10 > 7) return null;
  const tens = Math.floor(code / 10);
  if (tens === 3 || tens === 9) return { colour };
  return tens === 4 || tens === 10 ? { background: colour } : null;
};

/** A colour of 256, or of red, green and blue, and how many codes it took. */
const longColour = ([kind, ...rest]: readonly number[]): { colour: string | null; taken: number } => {
  if (kind === 5) return { colour: indexedColour(rest[0] ?? 0), taken: 2 };
  if (kind === 2) return { colour: hexOf(rest.slice(0, 3)), taken: 4 };
  return { colour: null, taken: 1 };
};

const indexedColour = (index: number): string => {
  if (index < 16) return COLOURS[index]!;
  if (index > 231) return hexOf(Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
  const cell = index - 16;
  return hexOf([Math.floor(cell / 36), Math.floor(cell / 6) % 6, cell % 6].map((step) => CUBE[step]!));
};

const hexOf = (channels: readonly number[]): string =>
  `#${[0, 1, 2]
    .map((at) =>
      Math.min(255, channels[at] || 0)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
