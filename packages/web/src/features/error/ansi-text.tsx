import { type AnsiLook, readAnsi } from '@assay/contract';
import type { CSSProperties } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './ansi-text.module.css';

/** What a terminal printed, in its colours; each theme moves them to where they can be read. */
export const AnsiText = ({ text }: { readonly text: string }) =>
  readAnsi(text).map(({ text: part, ...look }, at) => (
    <span key={at} className={classOf(look)} style={styleOf(look)}>
      {part}
    </span>
  ));

const classOf = (look: AnsiLook): string | undefined => {
  const { bold, dim, italic, underline, struck, inverse } = look;
  const { colour, background } = layersOf(look);
  return (
    classNames(
      bold && styles['bold'],
      dim && styles['dim'],
      italic && styles['italic'],
      underline && styles['underline'],
      struck && styles['struck'],
      background !== null && styles['filled'],
      inverse && background === null && styles['inverse'],
      background === null && colour !== null && (isNamed(colour) ? styles[colour] : styles['own']),
    ) || undefined
  );
};

/** Behind a colour of its own, text has the colour that was sent, or black or white. */
const styleOf = (look: AnsiLook): CSSProperties | undefined => {
  const { colour, background } = layersOf(look);
  if (background !== null) {
    const fill = hexOf(background);
    return { background: fill, color: colour === null ? contrasting(fill) : hexOf(colour) };
  }
  return colour === null || isNamed(colour) ? undefined : ({ '--own': colour } as CSSProperties);
};

const layersOf = ({ colour, background, inverse }: AnsiLook): Pick<AnsiLook, 'colour' | 'background'> =>
  inverse ? { colour: background, background: colour } : { colour, background };

const isNamed = (colour: string): boolean => !colour.startsWith('#');

/** As terminals of today paint the sixteen. */
const FILLS: Readonly<Record<string, string>> = {
  black: '#24292f',
  red: '#b3202c',
  green: '#1a7f37',
  yellow: '#b58900',
  blue: '#0b5cad',
  magenta: '#8b3fbf',
  cyan: '#147a86',
  white: '#d7dbe0',
  'bright-black': '#6e7781',
  'bright-red': '#f0616d',
  'bright-green': '#4ac26b',
  'bright-yellow': '#e3b341',
  'bright-blue': '#58a6ff',
  'bright-magenta': '#c78bff',
  'bright-cyan': '#39c5cf',
  'bright-white': '#ffffff',
};

const hexOf = (colour: string): string => FILLS[colour] ?? colour;

const contrasting = (fill: string): string => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(fill.slice(at, at + 2), 16));
  return 0.299 * red! + 0.587 * green! + 0.114 * blue! > 140 ? '#000000' : '#ffffff';
};
