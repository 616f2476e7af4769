/*
 * PostgreSQL has no text with a NUL in it, and tests may have such titles. It is written as two characters, of which the
 * first is a code point that stands for nothing; where a text has that one, it is written as two too.
 */
export const POSTGRES_ESCAPE = '\u{10FFFF}';
const ESCAPE = POSTGRES_ESCAPE;
const NEEDS_ESCAPE = new RegExp(`[\\0${ESCAPE}]`, 'u');

export const toPostgresText = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll('\0', `${ESCAPE}0`) : text;

export const fromPostgresText = (text: string): string =>
  text.includes(ESCAPE) ? text.replaceAll(`${ESCAPE}0`, '\0').replaceAll(`${ESCAPE}1`, ESCAPE) : text;
