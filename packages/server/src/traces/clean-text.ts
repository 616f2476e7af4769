import { stripVTControlCharacters } from 'node:util';
import { withoutSecrets } from '@assay/contract';

const WORD = /[^\s"`]+/g;
const QUERY = /[?#&][^\s=?#&]+=/;
const PATH = /^\.{0,2}\//;
const CREDENTIALS = /:\/\/[^/@]*@/g;
const TYPING_CALL = /\b(?:fill|type|insertText|pressSequentially)\("/g;
const TYPING_TITLE = /^(Fill|Type|Insert) ".*"/s;
const TYPING_API_NAME = /\b(type|insertText|pressSequentially)\(.*/s;
const NAVIGATION_API_NAME = /^((?:page|frame)\.goto)\((.*)\)$/s;

/** Messages name addresses, whose queries and credentials are secrets, and log what was typed. */
export const cleanText = (text: string): string =>
  withoutTypedText(stripVTControlCharacters(text)).replaceAll(WORD, cleanWord);

/** The title of a call of Playwright's interface; versions differ in how they put its arguments into it. */
export const cleanCallTitle = (title: string): string =>
  cleanText(
    title
      .replace(TYPING_TITLE, '$1 "…"')
      .replace(TYPING_API_NAME, '$1(…)')
      .replace(NAVIGATION_API_NAME, (_, call: string, url: string) => `${call}(${withoutSecrets(url)})`),
  );

const cleanWord = (word: string): string => {
  const scheme = word.indexOf('://');
  if (scheme === -1 && !PATH.test(word) && !QUERY.test(word)) return word;
  const end = word.slice(Math.max(scheme, 0)).search(/[?#]/);
  return (end === -1 ? word : word.slice(0, Math.max(scheme, 0) + end)).replaceAll(CREDENTIALS, '://');
};

/** By hand, because a lazy pattern over a text without the closing quote takes quadratic time. */
const withoutTypedText = (text: string): string => {
  let cleaned = '';
  let at = 0;
  for (const match of text.matchAll(TYPING_CALL)) {
    if (match.index < at) continue;
    const typed = match.index + match[0].length;
    const end = text.indexOf('")', typed);
    cleaned += `${text.slice(at, typed)}…`;
    if (end === -1) return cleaned;
    at = end;
  }
  return cleaned + text.slice(at);
};
