import type { Node } from '../tree/node.ts';
import { isDigit, nameEnd } from './name-end.ts';
import { isReserved } from './names.ts';
import {
  accept,
  at,
  atWord,
  done,
  expected,
  MISSING,
  type Parser,
  refuse,
  refuseName,
  skipTo,
  skipToClose,
  take,
  unsupported,
} from './parser.ts';
import { report, reportLimit, stop } from './source.ts';
import { next, skipSpace } from './tokens.ts';

type Read = (parser: Parser) => Node;

/** Whether an arrow function starts at the token at hand. */
export function arrowAhead(parser: Parser): boolean {
  switch (parser.token) {
    case 'name':
      return isArrow(parser, parser.pos);
    case '#': {
      const from = skipSpace(parser, parser.pos);
      return isArrow(parser, behindName(parser.text, from));
    }
    case '(': {
      const end = behindParams(parser);
      return end >= 0 && isArrow(parser, end);
    }
    default:
      return false;
  }
}

function isArrow(parser: Parser, from: number): boolean {
  const { text } = parser;
  const code = from < text.length ? text.charCodeAt(from) : 0;
  const pos = code <= 32 || code === 47 || code > 127 ? skipSpace(parser, from) : from;
  return pos + 1 < text.length && text.charCodeAt(pos) === 61 && text.charCodeAt(pos + 1) === 62;
}

/** Behind a name or a quoted one. */
function behindName(text: string, from: number): number {
  const quote = text[from];
  if (quote !== '"' && quote !== "'") return nameEnd(text, from);
  let pos = from + 1;
  while (pos < text.length && text[pos] !== quote && text[pos] !== '\n') pos += text[pos] === '\\' ? 2 : 1;
  return pos + 1;
}

/** Behind the parenthesis that closes what could be parameters, else -1. Ends at the next opening one, so that nesting costs no more. */
function behindParams(parser: Parser): number {
  const { text } = parser;
  let pos = parser.pos;
  for (;;) {
    pos = skipSpace(parser, pos);
    if (pos >= text.length) return -1;
    const char = text[pos]!;
    if (char === ')') return pos + 1;
    if (char === '"' || char === "'") pos = behindName(text, pos);
    else if (',#{}:.=[]'.includes(char) || isDigit(char.charCodeAt(0))) pos++;
    else {
      const end = nameEnd(text, pos);
      if (end === pos) return -1;
      pos = end;
    }
  }
}

export function arrow(parser: Parser, read: Read): Node {
  const { start } = parser;
  openScope(parser);
  const names = at(parser, '(') ? params(parser) : [param(parser, 0)];
  take(parser, '=>');
  const node = lambda(parser, names, start, read);
  parser.scopes.pop();
  return node;
}

export function openScope(parser: Parser): void {
  parser.scopes.push({ bindings: new Map(), made: new Set() });
}

/** A lambda whose parameters are bound already. */
export function lambda(parser: Parser, names: readonly string[], start: number, read: Read): Node {
  parser.lambdas++;
  if (parser.lambdas > parser.limits.lambdaNesting) {
    reportLimit(parser, 'lambdaNesting', parser.lambdas, start, parser.last);
    stop(parser);
  }
  const body = at(parser, '{') ? block(parser, read) : read(parser);
  parser.lambdas--;
  return done(parser, { kind: 'Lambda', params: names, body }, start);
}

/** Parameters between parentheses; binds their names. */
export function params(parser: Parser): string[] {
  const names: string[] = [];
  next(parser);
  while (!at(parser, ')') && !at(parser, 'end')) {
    const { start } = parser;
    names.push(param(parser, names.length));
    if (names.length === parser.limits.items + 1) reportLimit(parser, 'items', names.length, start, parser.pos);
    if (!accept(parser, ',') && !at(parser, ')')) {
      if (at(parser, '=')) refuse(parser, 'A parameter has no default');
      else expected(parser, ', or )');
      skipTo(parser, ',', ')');
    }
  }
  next(parser);
  return names;
}

function param(parser: Parser, position: number): string {
  if (at(parser, '{')) {
    const name = freshName(parser, position);
    parser.whole = true;
    pattern(parser, name, []);
    return name;
  }
  if (accept(parser, '#')) {
    if (!at(parser, 'string')) return bind(parser, [], undefined);
  } else if (!at(parser, 'name')) {
    if (at(parser, '...')) refuse(parser, 'A lambda takes no rest of its arguments');
    else if (at(parser, '[')) refuse(parser, 'Only patterns of objects take values out');
    else expected(parser, 'A parameter');
    skipTo(parser, ',', ')');
    return '';
  } else refuseReserved(parser);
  return bind(parser, [], undefined);
}

function refuseReserved(parser: Parser): void {
  if (isReserved(parser.value)) {
    refuse(parser, `${parser.value} is no name of a parameter`, `#${parser.value}`);
  }
}

/** A name for a parameter that has only a pattern; one that neither the text nor a lambda around has. */
function freshName(parser: Parser, position: number): string {
  parser.madeNames ??= findMadeNames(parser.text);
  const stem = `$${position}`;
  let name = stem + '_'.repeat(parser.madeNames.get(stem) ?? 0);
  while (parser.scopes.some(({ made }) => made.has(name))) name += '_';
  parser.scopes.at(-1)!.made.add(name);
  return name;
}

/** No parameter has a position of more digits. */
const MOST_DIGITS = 7;

/** For every name such as `$0` that a text has, how many underscores make it one that it has not. */
function findMadeNames(text: string): Map<string, number> {
  const needed = new Map<string, number>();
  const need = (stem: string, underscores: number): void => {
    needed.set(stem, Math.max(needed.get(stem) ?? 0, underscores));
  };
  for (const [, digits, underscores] of text.matchAll(/\$(\d+)(_*)/g)) {
    for (let length = 1; length < Math.min(digits!.length, MOST_DIGITS); length++)
      need(`$${digits!.slice(0, length)}`, 1);
    need(`$${digits}`, underscores!.length + 1);
  }
  return needed;
}

/** Binds the name at hand, to the parameter of that name or to what lies at a path below another one. */
function bind(parser: Parser, path: readonly string[], owner: string | undefined): string {
  if (!at(parser, 'name') && !at(parser, 'string')) {
    expected(parser, 'A name');
    return '';
  }
  const { value: name, start, pos } = parser;
  const { bindings } = parser.scopes.at(-1)!;
  if (name === '__proto__') refuseName(parser);
  next(parser);
  if (bindings.has(name)) {
    report(parser, 'lambda.duplicateParam', start, pos, `The parameter ${name} is there twice`, { name });
  }
  bindings.set(name, { param: owner ?? name, path });
  if (bindings.size === parser.limits.items + 1) {
    reportLimit(parser, 'items', bindings.size, start, pos);
    stop(parser);
  }
  return name;
}

/** `{a, b: c, d: {e}}`: each name stands for a property of the parameter. */
function pattern(parser: Parser, owner: string, path: readonly string[]): void {
  next(parser);
  while (!at(parser, '}') && !at(parser, 'end') && !at(parser, ')')) {
    if (!at(parser, 'name') && !at(parser, 'string')) {
      refuse(parser, 'A pattern names properties only');
      skipTo(parser, '}', ')');
      break;
    }
    const key = parser.value;
    if (key === '__proto__') refuseName(parser);
    const before = { pos: parser.pos, start: parser.start, last: parser.last };
    const shorthand = at(parser, 'name');
    next(parser);
    if (accept(parser, ':')) {
      if (at(parser, '{') && path.length < parser.limits.depth && path.length < 64)
        pattern(parser, owner, [...path, key]);
      else {
        refuseReserved(parser);
        bind(parser, [...path, key], owner);
      }
    } else if (shorthand) {
      Object.assign(parser, { ...before, token: 'name', value: key });
      refuseReserved(parser);
      bind(parser, [...path, key], owner);
    } else expected(parser, ':');
    if (!accept(parser, ',') && !at(parser, '}')) {
      if (at(parser, '=')) refuse(parser, 'A pattern has no defaults');
      else expected(parser, ', or }');
      skipTo(parser, ',', '}', ')');
      accept(parser, ',');
    }
  }
  accept(parser, '}');
}

/** `{ return value; }`, the only body in braces that is an expression too. */
function block(parser: Parser, read: Read): Node {
  const { start } = parser;
  next(parser);
  if (!atWord(parser, 'return')) {
    const message = 'A body in braces holds one return and nothing else; an object needs parentheses around it';
    unsupported(parser, start, parser.pos, message, '({ … })');
    skipBlock(parser);
    return MISSING;
  }
  next(parser);
  const body = read(parser);
  accept(parser, ';');
  if (!accept(parser, '}')) {
    expected(parser, '}');
    skipBlock(parser);
  }
  return body;
}

function skipBlock(parser: Parser): void {
  skipToClose(parser, '{', '}');
  accept(parser, '}');
}
