import type { Kind, Node, Value } from '../tree/node.ts';
import { partsOf } from '../tree/parts.ts';
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

/** A node at its place in the tree, with its text once that is written. */
interface Visit {
  readonly node: Node;
  readonly parent: Visit | undefined;
  readonly parts: Visit[];
  text: string;
}

/**
 * Writes a tree as a text that `parseText` reads back as the same tree, with no more
 * parentheses than needed. Does not recurse, so any depth will do.
 */
export const print = (tree: Node, options: PrintOptions = {}): string => {
  const captures: ReadonlySet<string> = new Set(options.captures);
  const root: Visit = { node: tree, parent: undefined, parts: [], text: '' };
  const visits = [root];
  for (const parent of visits)
    for (const node of nodesIn(parent.node)) {
      const visit: Visit = { node, parent, parts: [], text: '' };
      parent.parts.push(visit);
      visits.push(visit);
    }
  for (const visit of visits.reverse()) visit.text = write(visit, captures);
  return root.text;
};

/** The parts of a node; what is in an array or object of a constant is taken as constants of its own. */
const nodesIn = (node: Node): readonly Node[] =>
  node.kind === 'Constant'
    ? isData(node.value)
      ? Object.values(node.value).map((value: Value) => ({ kind: 'Constant', value }))
      : []
    : partsOf(node).map(({ part }) => part);

const isData = (value: Value): value is readonly Value[] | { readonly [key: string]: Value } =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof RegExp);

const OPERATORS: Readonly<Record<string, number>> = {
  // Weaker than `||` here, so that each of them is put into parentheses beside the other.
  '??': COALESCE - 0.5,
  '||': COALESCE,
  '&&': AND,
  '===': EQUALITY,
  '!==': EQUALITY,
  '<': RELATION,
  '<=': RELATION,
  '>': RELATION,
  '>=': RELATION,
  in: RELATION,
  of: RELATION,
  instanceof: RELATION,
  '+': SUM,
  '-': SUM,
  '*': PRODUCT,
  '/': PRODUCT,
  '%': PRODUCT,
  '**': POWER,
};

const WEAK: Partial<Record<Kind, number>> = { Lambda: ANY, Ternary: TERNARY, In: RELATION, Unary: UNARY };

const strengthOf = (node: Node): number => {
  if (node.kind === 'Logical' || node.kind === 'Binary') return OPERATORS[node.op]!;
  // A dot behind digits belongs to the number.
  if (node.kind === 'Constant' && typeof node.value === 'number') return POSTFIX - 1;
  return WEAK[node.kind] ?? PRIMARY;
};

/** The text of a part in a place that binds so strongly. */
const inPlace = ({ node, text }: Visit, least: number): string => (strengthOf(node) < least ? `(${text})` : text);

const write = (visit: Visit, captures: ReadonlySet<string>): string => {
  const { node, parts } = visit;
  const [first, second, third] = parts as [Visit, Visit, Visit];
  const texts = parts.map(({ text }) => text);
  switch (node.kind) {
    case 'Param':
      return writeName('#', node.name, visit, captures);
    case 'Capture':
      return writeName(node.global ? '@@' : '@', node.name, visit, captures);
    case 'Constant': {
      const text = writeValue(node.value, texts);
      return visit.parent?.node.kind !== 'Constant' && NO_LITERAL.test(text) ? `const ${text}` : text;
    }
    case 'Member':
      return `${inPlace(first, POSTFIX)}${node.optional ? '?.' : '.'}${writeKey(node.prop)}`;
    case 'Index':
      return `${inPlace(first, POSTFIX)}${node.optional ? '?.' : ''}[${second.text}]`;
    case 'Call':
      return `${inPlace(first, POSTFIX)}${node.optional ? '?.' : ''}(${texts.slice(1).join(', ')})`;
    case 'Binary':
    case 'Logical':
      return infix(node.op, first, second);
    case 'In':
      return infix('of', first, second);
    case 'Unary': {
      if (node.op === 'typeof') return `typeof ${inPlace(first, UNARY)}`;
      const repeats = node.op !== '!' && first.node.kind === 'Unary' && first.node.op === node.op;
      return node.op + inPlace(first, repeats ? PRIMARY : UNARY);
    }
    case 'Ternary':
      return `${inPlace(first, OPERATORS['??']!)} ? ${second.text} : ${third.text}`;
    case 'Template': {
      const quasis = node.quasis.map((quasi, i) => quoteQuasi(quasi) + (i < texts.length ? `\${${texts[i]}}` : ''));
      return `\`${quasis.join('')}\``;
    }
    case 'ObjectLit':
      return braces(
        node.props.map((entry, i) => {
          const text = texts[i]!;
          if ('spread' in entry) return `...${text}`;
          return entry.value.kind === 'Param' && text === entry.key ? text : `${writeKey(entry.key)}: ${text}`;
        }),
      );
    case 'ArrayLit':
      return `[${node.elements.map((entry, i) => ('spread' in entry ? '...' : '') + texts[i]).join(', ')}]`;
    case 'Lambda': {
      const names = node.params.map((param) => (isName(param) ? param : `#${writeKey(param)}`));
      const head = names.length === 1 && names[0] === node.params[0] ? names[0] : `(${names.join(', ')})`;
      // Behind an arrow a brace opens a body.
      return `${head} => ${first.text.startsWith('{') ? `(${first.text})` : first.text}`;
    }
  }
};

const infix = (op: string, left: Visit, right: Visit): string => {
  const own = OPERATORS[op]!;
  let least = [own, own + 1];
  if (op === '**') least = [UNARY + 1, own];
  if (op === '??') least = [strengthOf(left.node) === own ? own : AND + 1, AND + 1];
  return `${inPlace(left, least[0]!)} ${op} ${inPlace(right, least[1]!)}`;
};

const isName = (name: string): boolean => isIdentifier(name) && !isReserved(name);

const writeKey = (key: string): string => (isIdentifier(key) ? key : quote(key));

/** A name by itself where it means what the sign says, with the sign elsewhere. */
const writeName = (sign: string, name: string, visit: Visit, captures: ReadonlySet<string>): string => {
  const free = captures.has(name) ? '@' : isGlobal(name) ? '@@' : '#';
  return isName(name) && sign === (isBound(name, visit) ? '#' : free) ? name : sign + writeKey(name);
};

const isBound = (name: string, visit: Visit): boolean => {
  for (let at = visit.parent; at; at = at.parent)
    if (at.node.kind === 'Lambda' && at.node.params.includes(name)) return true;
  return false;
};

const braces = (items: readonly string[]): string => (items.length === 0 ? '{}' : `{ ${items.join(', ')} }`);

/** What has no form of its own: negative numbers, NaN, Infinity, undefined, arrays and objects. */
const NO_LITERAL = /^[-NIu[{]/;

const writeValue = (value: Value, texts: readonly string[]): string => {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (value instanceof Date) return `new Date(${quote(value.toISOString())})`;
  if (value instanceof RegExp) return writeRegexp(value);
  if (!isData(value)) return String(value);
  return Array.isArray(value)
    ? `[${texts.join(', ')}]`
    : braces(Object.keys(value).map((key, i) => `${writeKey(key)}: ${texts[i]}`));
};

/** As a literal, or through `new` where its source holds what does not survive in a text. */
const writeRegexp = ({ source, flags }: RegExp): string => {
  if (isAllSeen(source)) return `/${source}/${flags}`;
  return `new RegExp(${quote(source)}, ${quote(flags)})`;
};
