import type { Random } from './random.ts';

export const hex = (random: Random, length: number): string => {
  let text = '';
  while (text.length < length) {
    text += random.integer(0, 0xffffffff).toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
};

const uuid = (random: Random): string => {
  const digits = hex(random, 32);
  const variant = '89ab'[random.integer(0, 3)];
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
};

const WORDS = [
  'lamp',
  'desk',
  'winter',
  'sale',
  'linen',
  'oak',
  'blue',
  'travel',
  'kids',
  'garden',
  'coffee',
  'vintage',
];

/** Replaces {id}, {uuid}, {hash}, {word}, {page} and {date} in a path. */
export const fillPath = (random: Random, path: string): string =>
  path.includes('{') ? path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(random, name)) : path;

const valueOf = (random: Random, name: string): string => {
  switch (name) {
    case 'id':
      return String(random.integer(1_000, 99_999));
    case 'uuid':
      return uuid(random);
    case 'hash':
      return hex(random, 20);
    case 'word':
      return random.pick(WORDS);
    case 'page':
      return String(random.integer(1, 12));
    case 'date':
      return `2025-${String(random.integer(1, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
    default:
      throw new RangeError(`Nothing fills {${name}}`);
  }
};

/** `Gift cards` → `gift-cards` */
export const kebab = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** `Gift cards` → `GiftCards` */
export const pascal = (text: string): string =>
  kebab(text)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
