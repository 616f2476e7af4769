/** More marks than any script puts on a letter. */
const MOST_MARKS = 20;
const EXCESS_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');
/** Marks begin at U+0300. Where too many are not even possible, megabytes are looked through in a few milliseconds. */
const PERHAPS_EXCESS = new RegExp(`[\\u0300-\\uffff]{${MOST_MARKS + 1}}`);

/** Drops combining marks beyond a limit per letter: browsers need quadratic time to lay out a long run of them. */
export const clampMarks = (text: string): string =>
  PERHAPS_EXCESS.test(text) ? text.replace(EXCESS_MARKS, '$1') : text;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** With the marks clamped, hardly any grapheme is longer. */
const LOOK_BACK = 64;

/** The last place at or before `length` that is not inside of what people see as one character. */
export const graphemeBoundary = (text: string, length: number): number => {
  if (length >= text.length) return text.length;
  const start = Math.max(0, length - LOOK_BACK);
  const found = graphemes.segment(text.slice(start, length + LOOK_BACK)).containing(length - start)!;
  // Where the whole window is one grapheme, only surrogate pairs stay together.
  if (found.index > 0) return start + found.index;
  return /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') ? length - 1 : length;
};
