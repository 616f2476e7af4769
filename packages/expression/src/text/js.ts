import type { Node, UnaryOperator } from '../tree/node.ts';
import { arrow, arrowAhead } from './arrows.ts';
import { explicitName, name } from './identifiers.ts';
import { combine, refuseMixed } from './infix.ts';
import { arguments_, array, constantValue, literal, newValue, object, regexp, template, WORDS } from './literals.ts';
import {
  accept,
  at,
  describe,
  done,
  enter,
  expected,
  leave,
  MISSING,
  type Parser,
  refuse,
  refuseName,
  take,
  unsupported,
} from './parser.ts';
import { report } from './source.ts';
import { COALESCE, RELATION, TERNARY } from './strength.ts';
import { next } from './tokens.ts';

const LEAST = TERNARY + 1;

/** Reads a whole text. Issues are in the parser; with any, the node means nothing. */
export function readAll(parser: Parser): Node {
  next(parser);
  const root = expression(parser);
  while (!at(parser, 'end')) {
    expected(parser, 'An operator or the end');
    next(parser);
    if (!at(parser, 'end')) expression(parser);
  }
  return root;
}

/** An arrow function, a conditional, or what binds tighter. */
export function expression(parser: Parser): Node {
  if (!enter(parser)) return MISSING;
  const { start } = parser;
  let node: Node;
  if (arrowAhead(parser)) node = arrow(parser, expression);
  else {
    node = infix(parser, LEAST);
    if (at(parser, '?')) node = ternary(parser, node, start);
    // Those that compare were read above.
    if (parser.token.endsWith('=')) {
      refuse(parser, 'An expression assigns nothing', '===');
      next(parser);
      expression(parser);
    }
  }
  leave(parser);
  return node;
}

function ternary(parser: Parser, test: Node, start: number): Node {
  next(parser);
  const then = expression(parser);
  take(parser, ':', ': and what is given otherwise');
  // oxlint-disable-next-line unicorn/no-thenable -- the format's own name
  return done(parser, { kind: 'Ternary', test, then, else: expression(parser) }, start);
}

/** Words that stand between two values; `of` is membership among the values as `in` is among the keys. */
function wordStrength(parser: Parser): number {
  const { value } = parser;
  return value === 'in' || value === 'instanceof' || value === 'of' ? RELATION : 0;
}

function infix(parser: Parser, least: number): Node {
  const { start } = parser;
  let left = unary(parser);
  for (;;) {
    const strength = parser.token === 'name' ? wordStrength(parser) : parser.strength;
    if (strength < least || strength === 0) return left;
    const op = parser.token === 'name' ? parser.value : parser.token;
    const { start: from, pos: to } = parser;
    const leftGrouped = parser.grouped === left;
    if (op === '**' && left.kind === 'Unary' && !leftGrouped) {
      report(parser, 'text.mixed', start, to, 'A sign before ** needs parentheses: (-a) ** b or -(a ** b)');
    }
    if (!enter(parser)) return MISSING;
    next(parser);
    const right = infix(parser, op === '**' ? strength : strength + 1);
    leave(parser);
    if (strength === COALESCE) refuseMixed(parser, op, left, leftGrouped, right, from, to);
    left = combine(parser, op, left, right, start, from, to);
  }
}

function unary(parser: Parser): Node {
  const { start, token } = parser;
  if (token === 'name') {
    const { value } = parser;
    if (value.length < 4) return postfix(parser);
    if (value === 'typeof') return prefixed(parser, 'typeof');
    if (value === 'delete' || value === 'void' || value === 'await') return foreign(parser);
    return postfix(parser);
  }
  switch (token) {
    case '!':
    case '-':
    case '+':
      return prefixed(parser, token);
    case '~':
    case '++':
    case '--':
      unsupported(parser, start, parser.pos, `${token} is not part of the format`);
      return prefixed(parser, '!');
    default:
      return postfix(parser);
  }
}

function prefixed(parser: Parser, op: UnaryOperator): Node {
  const { start } = parser;
  if (!enter(parser)) return MISSING;
  next(parser);
  const operand = unary(parser);
  leave(parser);
  return done(parser, { kind: 'Unary', op, operand }, start);
}

/** `void 0` is how minifiers write undefined; all else of these words is outside the format. */
function foreign(parser: Parser): Node {
  const { start, pos, value } = parser;
  next(parser);
  if (value === 'void' && at(parser, 'number')) {
    next(parser);
    return done(parser, { kind: 'Capture', name: 'undefined', global: true }, start);
  }
  unsupported(parser, start, pos, `${value} is not part of the format`);
  if (!enter(parser)) return MISSING;
  const operand = unary(parser);
  leave(parser);
  return operand;
}

/** Members, indexes and calls behind a value. */
function postfix(parser: Parser): Node {
  const { start } = parser;
  let node = primary(parser);
  if (parser.grouped === node) refuseEndedChain(parser, node, start);
  for (;;) {
    switch (parser.token) {
      case '.':
        next(parser);
        node = member(parser, node, start, false);
        break;
      case '?.':
        next(parser);
        if (at(parser, '[')) node = index(parser, node, start, true);
        else if (at(parser, '(')) node = call(parser, node, start, true);
        else node = member(parser, node, start, true);
        break;
      case '[':
        node = index(parser, node, start, false);
        break;
      case '(':
        node = call(parser, node, start, false);
        break;
      case '`':
        refuse(parser, 'A template with a tag is not part of the format');
        template(parser, expression);
        break;
      case '++':
      case '--':
        refuse(parser, 'An expression changes nothing');
        next(parser);
        break;
      default:
        return node;
    }
  }
}

/** In the tree a chain is a maximal run of links, so parentheses that end an optional one early cannot be written down. */
function refuseEndedChain(parser: Parser, base: Node, start: number): void {
  if (parser.token !== '.' && parser.token !== '[' && parser.token !== '(' && parser.token !== '?.') return;
  for (let node = base; ;) {
    if (node.kind !== 'Member' && node.kind !== 'Index' && node.kind !== 'Call') return;
    if (node.optional) {
      const message = 'Parentheses cannot end an optional chain: the links behind belong to it';
      return report(parser, 'text.chain', start, parser.last, message);
    }
    node = node.kind === 'Call' ? node.callee : node.object;
  }
}

function member(parser: Parser, object: Node, start: number, optional: boolean): Node {
  if (parser.token !== 'name' && parser.token !== 'string') {
    expected(parser, 'The name of a property');
    if (accept(parser, '#')) accept(parser, 'name');
    return object;
  }
  const prop = parser.value;
  if (prop === '__proto__') refuseName(parser);
  next(parser);
  return done(
    parser,
    optional ? { kind: 'Member', object, prop, optional: true } : { kind: 'Member', object, prop },
    start,
  );
}

function index(parser: Parser, object: Node, start: number, optional: boolean): Node {
  next(parser);
  const key = expression(parser);
  take(parser, ']');
  return done(
    parser,
    optional ? { kind: 'Index', object, index: key, optional: true } : { kind: 'Index', object, index: key },
    start,
  );
}

function call(parser: Parser, callee: Node, start: number, optional: boolean): Node {
  const args = arguments_(parser, expression);
  return done(
    parser,
    optional ? { kind: 'Call', callee, args, optional: true } : { kind: 'Call', callee, args },
    start,
  );
}

function primary(parser: Parser): Node {
  const { start } = parser;
  switch (parser.token) {
    case 'name':
      return name(parser) ?? reserved(parser);
    case 'string':
    case 'number':
    case 'bigint':
      return done(parser, { kind: 'Constant', value: literal(parser) }, start);
    case '(':
      return group(parser);
    case '[':
      return array(parser, expression);
    case '{':
      return object(parser, expression);
    case '`':
      return template(parser, expression);
    case '/':
    case '/=': {
      const value = regexp(parser);
      return value === undefined ? MISSING : done(parser, { kind: 'Constant', value }, start);
    }
    case '@':
    case '@@':
    case '#':
      return explicitName(parser);
    default:
      return missing(parser);
  }
}

const CLOSERS = new Set([')', ']', '}', ',', ':', ';', 'end']);

/** Nothing that could start a value: skips what cannot stand here at all, and leaves what closes something to its opener. */
function missing(parser: Parser): Node {
  if (parser.token === '...') refuse(parser, 'Only arrays and objects spread');
  else expected(parser, 'A value');
  while (!CLOSERS.has(parser.token)) {
    next(parser);
    if (parser.token === 'name' || parser.token === 'string' || parser.token === 'number' || parser.token === '(') {
      if (!enter(parser)) return MISSING;
      const node = postfix(parser);
      leave(parser);
      return node;
    }
  }
  return MISSING;
}

function group(parser: Parser): Node {
  next(parser);
  const node = expression(parser);
  while (at(parser, ',')) {
    refuse(parser, 'A comma between values is not part of the format');
    next(parser);
    expression(parser);
  }
  take(parser, ')');
  parser.grouped = node;
  return node;
}

function reserved(parser: Parser): Node {
  const { start, value: word } = parser;
  switch (word) {
    case 'true':
    case 'false':
    case 'null':
      next(parser);
      return done(parser, { kind: 'Constant', value: WORDS.get(word) }, start);
    case 'const':
      next(parser);
      return done(parser, { kind: 'Constant', value: constantValue(parser) }, start);
    case 'new':
      return done(parser, { kind: 'Constant', value: newValue(parser) }, start);
    case 'in':
    case 'instanceof':
      return missing(parser);
    default:
      unsupported(parser, start, parser.pos, `${describe(parser)} is not part of the format`);
      next(parser);
      return MISSING;
  }
}
