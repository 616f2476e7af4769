import type { Kind, Node, Value } from '../tree/node.ts';
import { isGlobal, isIdentifier, isReserved } from './names.ts';
import {
  AND,
  ANY,
  COALESCE,
  EQUALITY,
  POSTFIX,
  POWER,
  PRIMARY,
  PRODUCT,
  RELATION,
  SUM,
  TERNARY,
  UNARY,
} from './strength.ts';
import { isAllSeen, quote, quoteQuasi } from './strings.ts';

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
  '??': COALESCE,
  '||': COALESCE,
  '&&': AND,
  '===': EQUALITY,
  '!==': EQUALITY,
  '<': RELATION,
  '<=': RELATION,
  '>': RELATION,
  '>=': RELATION,
  in: RELATION,
  instanceof: RELATION,
  '+': SUM,
  '-': SUM,
  '*': PRODUCT,
  '/': PRODUCT,
  '%': PRODUCT,
  '**': POWER,
};

function strengthOf(node: Node): number {
  if (node.kind === 'Logical' || node.kind === 'Binary') return OPERATORS[node.op]!;
  // A dot behind digits belongs to the number.
  if (node.kind === 'Constant' && typeof node.value === 'number') return POSTFIX - 1;
  return WEAK[node.kind] ?? PRIMARY;
}

const WEAK: Partial<Record<Kind, number>> = { Lambda: ANY, Ternary: TERNARY, In: RELATION, Unary: UNARY };

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
      const prop = printKey(node.prop);
      return [place(node.object, POSTFIX), node.optional ? '?.' : '.', prop];
    }
    case 'Index': {
      const open = node.optional ? '?.[' : '[';
      return [place(node.object, POSTFIX), open, place(node.index, ANY), ']'];
    }
    case 'Call': {
      const open = node.optional ? '?.(' : '(';
      return [place(node.callee, POSTFIX), open, ...commas(node.args.map((arg) => [place(arg, ANY)])), ')'];
    }
    case 'Binary': {
      const own = OPERATORS[node.op]!;
      const [left, right] = node.op === '**' ? [UNARY + 1, own] : [own, own + 1];
      return [place(node.left, left), ` ${node.op} `, place(node.right, right)];
    }
    case 'Logical':
      return printLogical(node.op, node.left, node.right, place);
    case 'In':
      return [place(node.needle, RELATION), ' of ', place(node.haystack, RELATION + 1)];
    case 'Unary':
      return printUnary(node.op, node.operand, place);
    case 'Ternary':
      return [place(node.test, TERNARY + 1), ' ? ', place(node.then, ANY), ' : ', place(node.else, ANY)];
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
    return [place(left, coalesces(left) ? own : AND + 1), ' ?? ', place(right, AND + 1)];
  }
  return [place(left, coalesces(left) ? PRIMARY : own), ` ${op} `, place(right, own + 1)];
}

function printUnary(op: string, operand: Node, place: Place): Work[] {
  if (op === 'typeof') return ['typeof ', place(operand, UNARY)];
  const repeats = op !== '!' && operand.kind === 'Unary' && operand.op === op;
  return [op, place(operand, repeats ? PRIMARY : UNARY)];
}

function printLambda(params: readonly string[], body: Node, scope: Scope | undefined): Work[] {
  const names = params.map((param) => (isIdentifier(param) && !isReserved(param) ? param : hashed('#', param)));
  const head = params.length === 1 && !names[0]!.startsWith('#') ? names[0]! : `(${names.join(', ')})`;
  const inner: Work = { node: body, least: ANY, scope: { params, outer: scope } };
  return startsWithBrace(body) ? [head, ' => (', inner, ')'] : [head, ' => ', inner];
}

/** Behind an arrow a brace opens a body, so an object there needs parentheses. */
function startsWithBrace(body: Node): boolean {
  let node: Node | undefined = body;
  while (node && node.kind !== 'ObjectLit') {
    const first: string | undefined = FIRST[node.kind];
    node = first === undefined ? undefined : (node as unknown as Record<string, Node>)[first];
  }
  return node !== undefined;
}

/** The field that is written first, of the kinds that start with a part. */
const FIRST: Partial<Record<Kind, string>> = {
  Member: 'object',
  Index: 'object',
  Call: 'callee',
  Binary: 'left',
  Logical: 'left',
  Ternary: 'test',
  In: 'needle',
};

function isBound(name: string, scope: Scope | undefined): boolean {
  for (let at = scope; at !== undefined; at = at.outer) if (at.params.includes(name)) return true;
  return false;
}

const hashed = (sign: string, name: string): string => sign + printKey(name);

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
