import type { Catalogue, Field } from '../catalogue/catalogue.ts';
import { isIdentifier } from '../text/names.ts';
import { quote } from '../text/strings.ts';
import { GLOBALS } from '../tree/node.ts';
import { type Completion, type CompletionItem, describeField, fieldItems, matching } from './item.ts';
import { GLOBAL_METHODS, type Method, methodsOf, type Shape } from './methods.ts';
import { endsValue, type Token, tokensBefore } from './tokens.ts';

/** What stands before the cursor: an operand as far as it is known. */
interface Known {
  readonly shape: Shape;
  readonly field?: Field | undefined;
  readonly methods?: Readonly<Record<string, Method>> | undefined;
}

type Names = ReadonlyMap<string, Known>;

const UNKNOWN: Known = { shape: 'unknown' };

export function completeJs(text: string, cursor: number, catalogue: Catalogue): Completion {
  const { tokens, inText } = tokensBefore(text, cursor);
  const at = tokens.at(-1);
  const none = { span: { start: cursor, end: cursor }, items: [] };
  if (inText) return none;
  const names = namesIn(tokens, catalogue);
  if (at?.token === 'string' && isInside(text, at, cursor))
    return completeString(tokens, at, text, cursor, names, catalogue);
  if (at?.token === 'number' && at.end >= cursor) return none;
  const begun = at?.token === 'name' && at.end >= cursor ? at : undefined;
  const before = begun === undefined ? tokens : tokens.slice(0, -1);
  const span = begun === undefined ? { start: cursor, end: cursor } : { start: begun.start, end: begun.end };
  const prefix = begun === undefined ? '' : text.slice(begun.start, cursor);
  return { span, items: matching(itemsAfter(before, names, catalogue), prefix) };
}

function isInside(text: string, { start, end }: Token, cursor: number): boolean {
  const closed = end - start > 1 && text[end - 1] === text[start];
  return cursor < end || (cursor === end && !closed);
}

function itemsAfter(before: readonly Token[], names: Names, catalogue: Catalogue): CompletionItem[] {
  const last = before.at(-1);
  if (last?.token === '.' || last?.token === '?.')
    return memberItems(known(before, before.length - 2, names, catalogue), catalogue);
  if (endsValue(last)) return operatorItems(known(before, before.length - 1, names, catalogue));
  return [...comparedItems(before, names, catalogue), ...valueItems(names, catalogue)];
}

/** The names that may stand for a value: the row, and parameters of lambdas before the cursor. */
function namesIn(tokens: readonly Token[], catalogue: Catalogue): Names {
  const names = new Map<string, Known>();
  const root =
    tokens[1]?.token === '=>'
      ? tokens[0]
      : tokens[0]?.token === '(' && tokens[2]?.token === ')' && tokens[3]?.token === '=>'
        ? tokens[1]
        : undefined;
  names.set(root?.token === 'name' ? root.value : (catalogue.row ?? 't'), { shape: 'row' });
  for (const [i, { token }] of tokens.entries()) {
    const param = tokens[i - 1];
    if (token !== '=>' || param?.token !== 'name' || names.has(param.value)) continue;
    const over =
      tokens[i - 2]?.token === '(' && tokens[i - 3]?.token === 'name'
        ? known(tokens, i - 5, names, catalogue)
        : UNKNOWN;
    names.set(param.value, over.shape === 'strings' ? { shape: 'string' } : ofField(over.field?.items));
  }
  return names;
}

/** What the chain of members and calls is that ends at a token. */
function known(tokens: readonly Token[], end: number, names: Names, catalogue: Catalogue): Known {
  const start = chainStart(tokens, end);
  const base = tokens[start];
  let now: Known = UNKNOWN;
  let at = start + 1;
  if (base?.token === 'name') {
    now =
      names.get(base.value) ??
      (Object.hasOwn(GLOBAL_METHODS, base.value) ? { shape: 'unknown', methods: GLOBAL_METHODS[base.value] } : UNKNOWN);
  } else if (base?.token === 'string' || base?.token === 'template') now = { shape: 'string' };
  else if (base?.token === 'number') now = { shape: 'number' };
  else if (base !== undefined) at = closing(tokens, start) + 1;
  while (at <= end) {
    const { token, value } = tokens[at]!;
    if (token === 'name') now = memberOf(now, value, catalogue);
    else if (token === '[') now = now.shape === 'strings' ? { shape: 'string' } : UNKNOWN;
    at = token === '(' || token === '[' ? closing(tokens, at) + 1 : at + 1;
  }
  return now;
}

function memberOf(of: Known, name: string, catalogue: Catalogue): Known {
  const fields = of.shape === 'row' ? catalogue.fields : of.field?.fields;
  if (fields) return ofField(Object.hasOwn(fields, name) ? fields[name] : undefined);
  const methods = of.methods ?? methodsOf(of.shape);
  return Object.hasOwn(methods, name) ? { shape: methods[name]!.gives } : UNKNOWN;
}

function ofField(field: Field | undefined): Known {
  if (field === undefined) return UNKNOWN;
  return { shape: field.type === 'list' || field.type === 'object' ? 'unknown' : field.type, field };
}

const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function opening(tokens: readonly Token[], from: number): number {
  let open = 0;
  for (let i = from; i >= 0; i--) {
    if (OPENERS[tokens[i]!.token] !== undefined) open++;
    else if (/^(?:[([{]|\$\{)$/.test(tokens[i]!.token) && --open === 0) return i;
  }
  return 0;
}

function closing(tokens: readonly Token[], from: number): number {
  let open = 0;
  for (let i = from; i < tokens.length; i++) {
    if (/^(?:[([{]|\$\{)$/.test(tokens[i]!.token)) open++;
    else if (OPENERS[tokens[i]!.token] !== undefined && --open === 0) return i;
  }
  return tokens.length;
}

function chainStart(tokens: readonly Token[], end: number): number {
  let at = end;
  while (at >= 0) {
    const { token } = tokens[at]!;
    if (OPENERS[token] !== undefined) {
      at = opening(tokens, at);
      const before = tokens[at - 1];
      if (before?.token === '?.') at -= 2;
      else if (endsValue(before)) at--;
      else return at;
      continue;
    }
    const link = tokens[at - 1]?.token;
    if (token !== 'name' || (link !== '.' && link !== '?.')) return at;
    at -= 2;
  }
  return 0;
}

function memberItems({ shape, methods, field }: Known, catalogue: Catalogue): CompletionItem[] {
  const fields = shape === 'row' ? catalogue.fields : field?.fields;
  if (fields) return fieldItems({ fields }, (name) => (isIdentifier(name) ? name : quote(name)));
  return Object.entries(methods ?? methodsOf(field?.items ? 'strings' : shape)).map(([name, { signature, docs }]) => ({
    label: name,
    insert: signature.endsWith('()') ? `${name}()` : signature.includes('(') ? `${name}(` : name,
    kind: 'method',
    docs: `${signature}: ${docs}`,
  }));
}

const operator = (label: string, docs: string): CompletionItem => ({
  label,
  insert: `${label} `,
  kind: 'operator',
  docs,
});

const EQUALITY = [operator('===', 'The same value.'), operator('!==', 'Another value.')];
const ORDER = [
  operator('<', 'Less than.'),
  operator('<=', 'Less than or the same.'),
  operator('>', 'More than.'),
  operator('>=', 'More than or the same.'),
];
const SUMS = [
  operator('+', 'Sum, or texts joined.'),
  operator('-', 'Difference.'),
  operator('*', 'Product.'),
  operator('/', 'Quotient.'),
  operator('%', 'Remainder.'),
  operator('**', 'Power.'),
];
const LOGIC = [
  operator('&&', 'Both: the right side if the left is truthy.'),
  operator('||', 'Either: the right side if the left is falsy.'),
  operator('??', 'The right side if the left is null or undefined.'),
  operator('?', 'One of two values: test ? yes : no.'),
];
const MEMBERSHIP = [operator('of', 'Whether the value is among those of a list.')];
const OTHERS = [
  operator('in', 'Whether the key is one of an object.'),
  operator('instanceof', 'Whether it is a Date, Array, Object or RegExp.'),
];

function operatorItems({ shape }: Known): CompletionItem[] {
  switch (shape) {
    case 'boolean':
      return [...LOGIC, ...EQUALITY];
    case 'enum':
      return [...EQUALITY, ...MEMBERSHIP, ...LOGIC];
    case 'string':
      return [...EQUALITY, ...ORDER, operator('+', 'Texts joined.'), ...MEMBERSHIP, ...LOGIC];
    case 'number':
    case 'duration':
      return [...ORDER, ...EQUALITY, ...SUMS, ...MEMBERSHIP, ...LOGIC];
    case 'date':
      return [...ORDER, ...LOGIC];
    case 'strings':
    case 'row':
      return LOGIC;
    case 'unknown':
      return [...EQUALITY, ...ORDER, ...SUMS, ...MEMBERSHIP, ...OTHERS, ...LOGIC];
  }
}

/** Values of the field that the operand at hand is compared with. */
function comparedWith(before: readonly Token[], names: Names, catalogue: Catalogue): Known {
  let at = before.length - 1;
  const list = before.findLastIndex(({ token }) => token === '[');
  const inList = list > 0 && before[list - 1]!.value === 'of' && closing(before, list) >= before.length;
  if (inList) at = list - 1;
  else if (before[at]?.token !== '===' && before[at]?.token !== '!==') return UNKNOWN;
  return known(before, at - 1, names, catalogue);
}

function comparedItems(before: readonly Token[], names: Names, catalogue: Catalogue): CompletionItem[] {
  const { field } = comparedWith(before, names, catalogue);
  return (field?.values ?? []).map((label) => ({
    label,
    insert: quote(label),
    kind: 'value',
    docs: describeField(field!),
  }));
}

function completeString(
  tokens: readonly Token[],
  at: Token,
  text: string,
  cursor: number,
  names: Names,
  catalogue: Catalogue,
): Completion {
  const items = comparedItems(tokens.slice(0, -1), names, catalogue);
  return { span: { start: at.start, end: at.end }, items: matching(items, text.slice(at.start + 1, cursor)) };
}

const keyword = (label: string, insert: string, docs: string): CompletionItem => ({
  label,
  insert,
  kind: 'keyword',
  docs,
});

const KEYWORDS = [
  keyword('true', 'true', 'The boolean true.'),
  keyword('false', 'false', 'The boolean false.'),
  keyword('null', 'null', 'No value.'),
  keyword('typeof', 'typeof ', 'The type of a value as text.'),
  keyword('new Date', 'new Date("', 'A date as a constant, such as new Date("2026-01-31").'),
  keyword('!', '!', 'Not: whether what follows is falsy.'),
];

function valueItems(names: Names, catalogue: Catalogue): CompletionItem[] {
  const row = [...names].find(([, { shape }]) => shape === 'row')![0];
  const fields = fieldItems(catalogue, (name) => `${row}.${isIdentifier(name) ? name : quote(name)}`);
  const params = [...names.keys()].map<CompletionItem>((name) => ({
    label: name,
    insert: name,
    kind: 'name',
    docs: name === row ? 'The row.' : 'A parameter.',
  }));
  const globals = GLOBALS.map<CompletionItem>((name) => ({
    label: name,
    insert: name,
    kind: 'name',
    docs: `The global ${name} of JavaScript.`,
  }));
  return [...params, ...fields, ...KEYWORDS, ...globals];
}
