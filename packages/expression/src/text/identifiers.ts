import type { Node } from '../tree/node.ts';
import { isGlobal, isReserved } from './names.ts';
import { done, expected, MISSING, type Parser, refuseName } from './parser.ts';
import { next } from './tokens.ts';

/** What a name stands for; undefined for a reserved word, which only `#word` names where a lambda binds it. */
export function name(parser: Parser): Node | undefined {
  const { scopes, start, value: word } = parser;
  if (isReserved(word)) return undefined;
  for (let i = scopes.length - 1; i >= 0; i--) {
    const binding = scopes[i]!.bindings.get(word);
    if (binding === undefined) continue;
    next(parser);
    let node: Node = done(parser, { kind: 'Param', name: binding.param }, start);
    for (const prop of binding.path) node = done(parser, { kind: 'Member', object: node, prop }, start);
    return node;
  }
  if (word === '__proto__') refuseName(parser);
  next(parser);
  return done(parser, freeName(parser, word), start);
}

/** What a name means that no lambda binds. */
function freeName(parser: Parser, word: string): Node {
  const resolved = parser.resolve?.(word);
  if (resolved !== undefined) return { ...resolved };
  if (parser.captures?.has(word)) return captureOf(word, false);
  if (isGlobal(word)) {
    parser.whole = true;
    return captureOf(word, true);
  }
  return { kind: 'Param', name: word };
}

const captureOf = (name: string, global: boolean): Node =>
  global ? { kind: 'Capture', name, global } : { kind: 'Capture', name };

/** `@name` is a capture, `@@name` a global, `#name` a parameter: whatever is bound around, and `#"any text"` for any name. */
export function explicitName(parser: Parser): Node {
  const { start, token } = parser;
  next(parser);
  if (parser.token !== 'name' && parser.token !== 'string') {
    expected(parser, `A name behind ${token}`);
    return MISSING;
  }
  const word = parser.value;
  if (word === '__proto__') refuseName(parser);
  if (token === '@@') parser.whole = true;
  next(parser);
  if (token === '#') return done(parser, { kind: 'Param', name: word }, start);
  return done(parser, captureOf(word, token === '@@'), start);
}
