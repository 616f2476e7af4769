import { matchAt, openSource } from '../text/source.ts';
import { next } from '../text/tokens.ts';
import { LIBRARY_LIMITS } from '../tree/limits.ts';

export interface Token {
  readonly token: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Whether a value ends with a token, so that an operator may follow it. */
export function endsValue(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.token === 'name') return !/^(?:typeof|in|of|instanceof|new|const|void)$/.test(token.value);
  return /^(?:string|number|bigint|template|regexp|\)|\]|\})$/.test(token.token);
}

/**
 * The tokens of a text that may be broken, up to the first that starts at or behind `cursor`. A template's texts and
 * regular expressions are tokens of their own; `inText` says that the cursor is inside one.
 */
export function tokensBefore(text: string, cursor: number): { tokens: Token[]; inText: boolean } {
  const source = openSource(text, LIBRARY_LIMITS);
  const tokens: Token[] = [];
  const braces: ('{' | '`')[] = [];
  for (;;) {
    next(source);
    const { start } = source;
    let { token, pos: end, value } = source;
    if (token === 'end' || start >= cursor) return { tokens, inText: inComment(text, tokens, cursor) };
    if (token === '{') braces.push('{');
    const resumes = token === '}' && braces.pop() === '`';
    let match: RegExpExecArray | null = null;
    if (token === '`' || resumes) {
      match = matchAt(/(?:[^\\`$]|\\[^]|\$(?!\{))*(\$\{|`)?/y, text, end)!;
      end += match[0].length;
      token = match[1] === '${' ? '${' : 'template';
      if (token === '${') braces.push('`');
    } else if ((token === '/' || token === '/=') && !endsValue(tokens.at(-1))) {
      match = matchAt(/\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\]?)*(\/\w*)?/y, text, start)!;
      end = start + match[0].length;
      token = 'regexp';
    }
    if (match && (cursor < end || (cursor === end && match[1] === undefined))) return { tokens, inText: true };
    source.pos = end;
    if (token !== 'name' && token !== 'string') value = '';
    tokens.push({ token, value, start, end });
  }
}

/** Whether the cursor stands in a comment: between tokens, yet behind what opens one. */
function inComment(text: string, tokens: readonly Token[], cursor: number): boolean {
  const gap = text.slice(tokens.at(-1)?.end ?? 0, cursor);
  return /\/\/[^\n]*$/.test(gap) || /\/\*(?:(?!\*\/)[^])*$/.test(gap);
}
