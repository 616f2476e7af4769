import { type AnsiLook, readAnsi } from '@assay/contract';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For content and for quoted attributes. Half a surrogate pair, as of a text that was cut, cannot be sent. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replaceAll('\0', '\uFFFD');

/** Text of a person, whatever direction it is written in. */
export const isolated = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

/** What a terminal printed, in classes: the policy of the file allows no styles of elements. */
export const coloured = (text: string): string =>
  readAnsi(text)
    .map(({ text: part, ...look }) => {
      const names = classesOf(look);
      return names.length === 0 ? escapeHtml(part) : `<span class="${names.join(' ')}">${escapeHtml(part)}</span>`;
    })
    .join('');

const STYLES = ['bold', 'dim', 'italic', 'underline', 'struck'] as const;

const classesOf = (look: AnsiLook): string[] => {
  const [front, behind] = look.inverse ? [look.background, look.colour] : [look.colour, look.background];
  const fill = behind ?? (look.inverse ? 'white' : null);
  return [
    ...STYLES.filter((style) => look[style]),
    ...(fill === null ? (front === null ? [] : inkOf(front)) : [`on-${nameOf(fill)}`]),
  ];
};

/** Black and white are the colour of the text in one of the themes. */
const inkOf = (colour: string): string[] => {
  if (colour === 'bright-black') return ['grey'];
  const name = nameOf(colour);
  return name === 'black' || name === 'white' ? [] : [name];
};

const SHADES: readonly (readonly [name: string, red: number, green: number, blue: number])[] = [
  ['black', 0, 0, 0],
  ['red', 205, 49, 49],
  ['green', 13, 188, 121],
  ['yellow', 229, 229, 16],
  ['blue', 36, 114, 200],
  ['magenta', 188, 63, 188],
  ['cyan', 17, 168, 205],
  ['white', 229, 229, 229],
];

/** Of the eight that the file has, the nearest. */
const nameOf = (colour: string): string => {
  if (!colour.startsWith('#')) return colour.replace('bright-', '');
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const distance = ([, ...shade]: (typeof SHADES)[number]): number =>
    shade.reduce((sum, channel, at) => sum + (channel - channels[at]!) ** 2, 0);
  return SHADES.reduce((nearest, shade) => (distance(shade) < distance(nearest) ? shade : nearest))[0];
};
