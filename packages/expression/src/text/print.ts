import type { Node, Value } from '../node.ts';
import { isGlobal, isIdentifier, isReserved } from './names.ts';
import { isAllSeen, quote, quoteQuasi } from './strings.ts';
import { STRENGTH } from './tokens.ts';

export interface PrintOptions {
  /** Free names that `parseText` will be told are captures. */
  readonly captures?: Iterable<string> | undefined;
}

/** The parameters of the lambdas around. */
interface Scope {
  readonly params: readonly string[];
  readonly outer: Scope | undefined;
}

/** What is still to be written: text, a node in a place that binds so strongly, or a plain value. */
type Work = string | { readonly node: Node; readonly least: number; readonly scope: Scope | undefined } | Plain;

interface Plain {
  readonly value: Value;
}

const ANY = 1;

/**
 * Writes a tree as a text of the JavaScript surface that `parseText` reads back as the same tree, with no more
 * parentheses than needed. Does not recurse, so any depth will do.
 */
export function print(tree: Node, options: PrintOptions = {}): string {
  const captures: ReadonlySet<string> = new Set(options.captures ?? []);
  const work: Work[] = [{ node: tree, least: ANY, scope: undefined }];
  let text = '';
  while (work.length > 0) {
    const item = work.pop()!;
    if (typeof item === 'string') text += item;
    else {
      const parts = 'node' in item ? partsOf(item.node, item.least, item.scope, captures) : partsOfValue(item.value);
      for (let i = parts.length - 1; i >= 0; i--) work.push(parts[i]!);
    }
  }
  return text;
}

function partsOf(node: Node, least: number, scope: Scope | undefined, captures: ReadonlySet<string>): Work[] {
  const place = (child: Node, strength: number): Work => ({ node: child, least: strength, scope });
  const parts = bare(node, place, scope, captures);
  return strengthOf(node) < least ? ['(', ...parts, ')'] : parts;
}

const OPERATORS: Readonly<Record<string, number>> = {
  '??': STRENGTH.coalesce,
  '||': STRENGTH.or,
  '&&': STRENGTH.and,
  '===': STRENGTH.equality,
  '!==': STRENGTH.equality,
  '<': STRENGTH.relation,
  '<=': STRENGTH.relation,
  '>': STRENGTH.relation,
  '>=': STRENGTH.relation,
  in: STRENGTH.relation,
  instanceof: STRENGTH.relation,
  '+': STRENGTH.sum,
  '-': STRENGTH.sum,
  '*': STRENGTH.product,
  '/': STRENGTH.product,
  '%': STRENGTH.product,
  '**': STRENGTH.power,
};

function strengthOf(node: Node): number {
  switch (node.kind) {
    case 'Lambda':
      return ANY;
    case 'Ternary':
      return STRENGTH.ternary;
    case 'Logical':
    case 'Binary':
      return OPERATORS[node.op]!;
    case 'In':
      return STRENGTH.relation;
    case 'Unary':
      return STRENGTH.unary;
    case 'Constant':
      // A dot behind digits belongs to the number.
      return typeof node.value === 'number' ? STRENGTH.postfix - 1 : STRENGTH.primary;
    case 'Param':
    case 'Capture':
    case 'Member':
    case 'Index':
    case 'Call':
    case 'Template':
    case 'ObjectLit':
    case 'ArrayLit':
      return STRENGTH.primary;
  }
}

type Place = (child: Node, least: number) => Work;

function bare(node: Node, place: Place, scope: Scope | undefined, captures: ReadonlySet<string>): Work[] {
  switch (node.kind) {
    case 'Param':
      return [printParam(node.name, scope, captures)];
    case 'Capture':
      return [printCapture(node.name, node.global === true, scope, captures)];
    case 'Constant':
      return isLiteral(node.value) ? [{ value: node.value }] : ['const ', { value: node.value }];
    case 'Member': {
      const prop = isIdentifier(node.prop) ? node.prop : quote(node.prop);
      return [place(node.object, STRENGTH.postfix), node.optional ? '?.' : '.', prop];
    }
    case 'Index': {
      const open = node.optional ? '?.[' : '[';
      return [place(node.object, STRENGTH.postfix), open, place(node.index, ANY), ']'];
    }
    case 'Call': {
      const open = node.optional ? '?.(' : '(';
      return [place(node.callee, STRENGTH.postfix), open, ...commas(node.args.map((arg) => [place(arg, ANY)])), ')'];
    }
    case 'Binary': {
      const own = OPERATORS[node.op]!;
      const [left, right] = node.op === '**' ? [STRENGTH.unary + 1, own] : [own, own + 1];
      return [place(node.left, left), ` ${node.op} `, place(node.right, right)];
    }
    case 'Logical':
      return printLogical(node.op, node.left, node.right, place);
    case 'In':
      return [place(node.needle, STRENGTH.relation), ' of ', place(node.haystack, STRENGTH.relation + 1)];
    case 'Unary':
      return printUnary(node.op, node.operand, place);
    case 'Ternary':
      return [place(node.test, STRENGTH.ternary + 1), ' ? ', place(node.then, ANY), ' : ', place(node.else, ANY)];
    case 'Template':
      return [
        '`',
        ...node.quasis.flatMap((quasi, i) => {
          const expr = node.exprs[i];
          return expr === undefined ? [quoteQuasi(quasi)] : [quoteQuasi(quasi), '${', place(expr, ANY), '}'];
        }),
        '`',
      ];
    case 'ObjectLit':
      return braces(
        node.props.map((entry) => {
          if ('spread' in entry) return ['...', place(entry.spread, ANY)];
          const { key, value } = entry;
          const short = value.kind === 'Param' && value.name === key && printParam(key, scope, captures) === key;
          return short ? [key] : [printKey(key), ': ', place(value, ANY)];
        }),
      );
    case 'ArrayLit': {
      const elements = node.elements.map((entry) =>
        'spread' in entry ? ['...', place(entry.spread, ANY)] : [place(entry, ANY)],
      );
      return ['[', ...commas(elements), ']'];
    }
    case 'Lambda':
      return printLambda(node.params, node.body, scope);
  }
}

function printLogical(op: string, left: Node, right: Node, place: Place): Work[] {
  const own = OPERATORS[op]!;
  const coalesces = (node: Node): boolean => node.kind === 'Logical' && node.op === '??';
  if (op === '??') {
    return [place(left, coalesces(left) ? own : STRENGTH.and + 1), ' ?? ', place(right, STRENGTH.and + 1)];
  }
  return [place(left, coalesces(left) ? STRENGTH.primary : own), ` ${op} `, place(right, own + 1)];
}

function printUnary(op: string, operand: Node, place: Place): Work[] {
  if (op === 'typeof') return ['typeof ', place(operand, STRENGTH.unary)];
  const repeats = op !== '!' && operand.kind === 'Unary' && operand.op === op;
  return [op, place(operand, repeats ? STRENGTH.primary : STRENGTH.unary)];
}

function printLambda(params: readonly string[], body: Node, scope: Scope | undefined): Work[] {
  const names = params.map((param) => (isIdentifier(param) && !isReserved(param) ? param : hashed('#', param)));
  const head = params.length === 1 && !names[0]!.startsWith('#') ? names[0]! : `(${names.join(', ')})`;
  const inner: Work = { node: body, least: ANY, scope: { params, outer: scope } };
  return startsWithBrace(body) ? [head, ' => (', inner, ')'] : [head, ' => ', inner];
}

/** Behind an arrow a brace opens a body, so an object there needs parentheses. */
function startsWithBrace(body: Node): boolean {
  for (let node = body; ;) {
    switch (node.kind) {
      case 'ObjectLit':
        return true;
      case 'Member':
      case 'Index':
        node = node.object;
        break;
      case 'Call':
        node = node.callee;
        break;
      case 'Binary':
      case 'Logical':
        node = node.left;
        break;
      case 'Ternary':
        node = node.test;
        break;
      case 'In':
        node = node.needle;
        break;
      case 'Param':
      case 'Capture':
      case 'Constant':
      case 'Unary':
      case 'Template':
      case 'ArrayLit':
      case 'Lambda':
        return false;
    }
  }
}

function isBound(name: string, scope: Scope | undefined): boolean {
  for (let at = scope; at !== undefined; at = at.outer) if (at.params.includes(name)) return true;
  return false;
}

const hashed = (sign: string, name: string): string => sign + (isIdentifier(name) ? name : quote(name));

function printParam(name: string, scope: Scope | undefined, captures: ReadonlySet<string>): string {
  const plain =
    isIdentifier(name) && !isReserved(name) && (isBound(name, scope) || (!isGlobal(name) && !captures.has(name)));
  return plain ? name : hashed('#', name);
}

function printCapture(name: string, global: boolean, scope: Scope | undefined, captures: ReadonlySet<string>): string {
  const free = !isBound(name, scope);
  if (global) return free && isGlobal(name) && !captures.has(name) ? name : hashed('@@', name);
  return free && captures.has(name) && isIdentifier(name) && !isReserved(name) ? name : hashed('@', name);
}

const printKey = (key: string): string => (isIdentifier(key) ? key : quote(key));

function commas(items: readonly Work[][]): Work[] {
  return items.flatMap((item, i) => (i === 0 ? item : [', ', ...item]));
}

function braces(items: readonly Work[][]): Work[] {
  return items.length === 0 ? ['{}'] : ['{ ', ...commas(items), ' }'];
}

const isPlainNumber = (value: number): boolean => value >= 0 && value < Infinity && !Object.is(value, -0);

/** Whether a constant has a form of its own, without `const`. */
function isLiteral(value: Value): boolean {
  if (typeof value === 'number') return isPlainNumber(value);
  if (typeof value === 'bigint') return value >= 0n;
  if (typeof value === 'object') return value === null || value instanceof Date || value instanceof RegExp;
  return value !== undefined;
}

function partsOfValue(value: Value): Work[] {
  if (typeof value === 'string') return [quote(value)];
  if (typeof value === 'bigint') return [`${value}n`];
  if (typeof value === 'number') return [Object.is(value, -0) ? '-0' : String(value)];
  if (value === null || typeof value !== 'object') return [String(value)];
  if (value instanceof Date) return [`new Date(${quote(value.toISOString())})`];
  if (value instanceof RegExp) return [printRegexp(value)];
  if (Array.isArray(value)) {
    return ['[', ...commas((value as readonly Value[]).map((item) => [{ value: item }])), ']'];
  }
  return braces(Object.entries(value).map(([key, item]) => [`${printKey(key)}: `, { value: item }]));
}

/** As a literal, or through `new` where its source holds what does not survive in a text. */
function printRegexp({ source, flags }: RegExp): string {
  const safe = isAllSeen(source);
  if (safe) return `/${source}/${flags}`;
  return flags === '' ? `new RegExp(${quote(source)})` : `new RegExp(${quote(source)}, ${quote(flags)})`;
}
