import { languageOf } from '@assay/contract/filter';

/** The terms of a search that stand beside each other; what is in quotes or parentheses stays together, as does `NOT x`. */
export const splitTerms = (text: string): string[] => {
  const terms: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  const take = (to: number): void => {
    if (to > from) terms.push(text.slice(from, to));
    from = to + 1;
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (depth <= 0 && /\s/.test(char)) take(at);
  }
  take(text.length);
  return joinNegations(terms);
};

const joinNegations = (terms: readonly string[]): string[] => {
  const joined: string[] = [];
  for (const term of terms) {
    if (joined.at(-1) === 'NOT') joined[joined.length - 1] = `NOT ${term}`;
    else joined.push(term);
  }
  return joined;
};

export const hasTerm = (text: string, term: string): boolean => {
  if (languageOf(text) === 'js') return false;
  const terms = splitTerms(text);
  return !terms.includes('OR') && terms.includes(term);
};

/**
 * The text with a term, or without it if it had it. Terms that the new one stands in place of go; an expression in
 * JavaScript, which takes no terms, goes as a whole.
 */
export const toggleTerm = (text: string, term: string, replaces: (other: string) => boolean): string => {
  if (languageOf(text) === 'js') return term;
  const terms = splitTerms(text);
  if (terms.includes('OR')) return `(${text.trim()}) ${term}`;
  const rest = terms.filter((other) => other !== term && other !== 'AND' && !replaces(other));
  return (terms.includes(term) ? rest : [...rest, term]).join(' ');
};

/** As a value behind a colon. */
export const quoteValue = (value: string): string => (/^[\w./@-]+$/.test(value) ? value : JSON.stringify(value));
