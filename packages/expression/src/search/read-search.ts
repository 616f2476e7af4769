import type { Catalogue } from '../catalogue/catalogue.ts';
import { constant, type Make, openMake } from '../text/make.ts';
import { report, reportLimit, type Source, stop } from '../text/source.ts';
import type { Node } from '../tree/node.ts';
import { findField, nearestField } from './fields.ts';
import { buildTerm, type Comparison, type Operand, type Term } from './terms.ts';

export interface SearchOptions {
  readonly spans?: boolean | undefined;
  readonly now?: Date | number | undefined;
}

interface Search extends Term {
  readonly source: Source;
  nesting: number;
  terms: number;
}

/** Reads a whole search to a lambda over one row. */
export function readSearch(source: Source, catalogue: Catalogue, options: SearchOptions): Node {
  const row = catalogue.row ?? 't';
  const make = openMake(options.spans === true);
  const search: Search = { source, catalogue, row, make, now: options.now, nesting: 0, terms: 0 };
  const end = source.text.length;
  let body: Node | undefined;
  skip(source);
  while (source.pos < end) {
    const part = either(search);
    body = both(make, body, part);
    skip(source);
    if (source.pos >= end) break;
    report(source, 'text.unexpected', source.pos, source.pos + 1, 'This ) closes nothing');
    source.pos++;
    skip(source);
  }
  return make({ kind: 'Lambda', params: [row], body: body ?? constant(make, true, 0, end) }, 0, end);
}

const spanOf = (node: Node, fallback: number): { start: number; end: number } =>
  node.span ?? { start: fallback, end: fallback };

function join(make: Make, op: '&&' | '||', left: Node, right: Node): Node {
  return make({ kind: 'Logical', op, left, right }, spanOf(left, 0).start, spanOf(right, 0).end);
}

/** Both hold; what a term or group itself joins with && goes on in the same row, as it is written without parentheses. */
function both(make: Make, left: Node | undefined, right: Node | undefined): Node | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const parts: Node[] = [];
  let first = right;
  for (; first.kind === 'Logical' && first.op === '&&'; first = first.left) parts.push(first.right);
  return parts.reduceRight((before, part) => join(make, '&&', before, part), join(make, '&&', left, first));
}

function skip(source: Source): void {
  while (source.pos < source.text.length && /\s/.test(source.text[source.pos]!)) source.pos++;
}

/** Takes a keyword that stands by itself. */
function take(source: Source, word: string): boolean {
  const { text, pos } = source;
  if (!text.startsWith(word, pos)) return false;
  const after = text[pos + word.length];
  if (after !== undefined && !/[\s()"]/.test(after)) return false;
  source.pos = pos + word.length;
  skip(source);
  return true;
}

function either(search: Search): Node | undefined {
  const { source, make } = search;
  const { length: before } = source.issues;
  let left = all(search);
  for (;;) {
    const from = source.pos;
    if (!take(source, 'OR')) return left;
    const right = all(search);
    if (left === undefined || right === undefined) {
      // A term that was refused is there.
      if (source.issues.length === before)
        report(source, 'text.expected', from, from + 2, 'OR stands between two terms');
      left ??= right;
    } else left = join(make, '||', left, right);
  }
}

function all(search: Search): Node | undefined {
  const { source, make } = search;
  let left: Node | undefined;
  for (;;) {
    skip(source);
    if (source.pos >= source.text.length || source.text[source.pos] === ')') return left;
    const from = source.pos;
    if (isWord(source, 'OR')) return left;
    if (take(source, 'AND')) {
      if (left === undefined || atEnd(source)) {
        report(source, 'text.expected', from, from + 3, 'AND stands between two terms');
      }
      continue;
    }
    left = both(make, left, term(search));
  }
}

function isWord(source: Source, word: string): boolean {
  const { pos } = source;
  const found = take(source, word);
  source.pos = pos;
  return found;
}

const atEnd = (source: Source): boolean =>
  source.pos >= source.text.length || source.text[source.pos] === ')' || isWord(source, 'OR');

function term(search: Search): Node | undefined {
  const { source, make } = search;
  const { text, pos: start } = source;
  if (search.nesting > Math.min(source.limits.depth, 500)) {
    reportLimit(source, 'depth', search.nesting, start, start + 1);
    stop(source);
    return undefined;
  }
  if (++search.terms > source.limits.nodes) {
    reportLimit(source, 'nodes', search.terms, start, start + 1);
    stop(source);
    return undefined;
  }
  const dash = text[start] === '-';
  if (dash || take(source, 'NOT')) {
    if (dash) source.pos++;
    if (atEnd(source) || (dash && /\s/.test(text[source.pos]!))) {
      report(source, 'text.expected', start, source.pos, 'What is not to match is missing');
      return undefined;
    }
    search.nesting++;
    const node = term(search);
    search.nesting--;
    return node && negate(make, node, start);
  }
  if (text[start] === '(') return group(search, start);
  if (text[start] === '"') {
    const phrase = quoted(source);
    return buildTerm(search, source, { kind: 'text', value: phrase.value, start, end: source.pos });
  }
  return fieldOrWord(search, start);
}

function negate(make: Make, node: Node, start: number): Node {
  const { end } = spanOf(node, start);
  if (node.kind === 'Binary' && node.op === '===') return make({ ...node, op: '!==' }, start, end);
  return make({ kind: 'Unary', op: '!', operand: node }, start, end);
}

function group(search: Search, start: number): Node | undefined {
  const { source } = search;
  source.pos++;
  search.nesting++;
  const { length: before } = source.issues;
  const inner = either(search);
  const isEmpty = inner === undefined && source.issues.length === before;
  search.nesting--;
  if (source.text[source.pos] === ')') source.pos++;
  else report(source, 'text.expected', start, start + 1, 'This ( is not closed');
  if (isEmpty) report(source, 'text.expected', start, source.pos, 'Nothing is between these parentheses');
  return inner;
}

const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$.-]*(?=:)/uy;
const COMPARISON = /===?|=|!=|>=|<=|>|</y;
const WORD = /[^\s()"]+/y;
const VALUE = /[^\s()",]+/y;

function match(pattern: RegExp, { text, pos }: Source): string {
  pattern.lastIndex = pos;
  return pattern.exec(text)?.[0] ?? '';
}

function fieldOrWord(search: Search, start: number): Node | undefined {
  const { source, catalogue } = search;
  const name = match(NAME, source);
  if (name === '') {
    if (refuseWithoutColon(search, start)) return undefined;
    const value = match(WORD, source);
    source.pos += value.length;
    const flag = findField(catalogue, value);
    if (flag?.field.type === 'boolean')
      return buildTerm(search, source, { kind: 'flag', ...flag, start, end: source.pos });
    return buildTerm(search, source, { kind: 'text', value, start, end: source.pos });
  }
  source.pos += name.length + 1;
  const field = findField(catalogue, name);
  if (field === undefined && name === 'has') return has(search, start);
  const from = source.pos;
  const op = match(COMPARISON, source);
  source.pos += op.length;
  const operands = readOperands(source);
  if (field === undefined) {
    unknownField(search, name, start, start + name.length);
    return undefined;
  }
  if (operands.length === 0) {
    report(source, 'text.expected', start, source.pos, `A value is expected behind ${name}:`);
    return undefined;
  }
  const comparison = { op: op as Comparison, opSpan: { start: from, end: from + op.length } };
  return buildTerm(search, source, { kind: 'field', ...field, ...comparison, operands, start, end: source.pos });
}

const WITHOUT_COLON = /([\p{ID_Start}$_][\p{ID_Continue}$.-]*?)\s*(===?|=|!=|>=|<=|>|<)\s*("[^"]*"|[^\s()"]+)/uy;

/** Whether a field is compared as in `retries>2`, which would else be searched for as words. */
function refuseWithoutColon({ source, catalogue }: Search, start: number): boolean {
  WITHOUT_COLON.lastIndex = start;
  const [written = '', name = '', op = '', value = ''] = WITHOUT_COLON.exec(source.text) ?? [];
  const found = findField(catalogue, name);
  if (found === undefined) return false;
  const equals = found.field.type === 'string' ? '=' : '';
  const nearest = `${name}:${op.startsWith('=') ? equals : op}${value}`;
  source.pos += written.length;
  const message = `${name} needs a colon: write ${nearest}, or put quotes around what is to be searched for as text`;
  report(source, 'field.colon', start, source.pos, message, { name: written, nearest });
  return true;
}

function unknownField({ source, catalogue }: Search, name: string, start: number, end: number): void {
  const near = nearestField(catalogue, name);
  const hint = near === undefined ? 'quote the whole to search for it as text' : `did you mean ${near}?`;
  report(source, 'field.unknown', start, end, `There is no field ${name}: ${hint}`, { name, nearest: near });
}

function has(search: Search, start: number): Node | undefined {
  const { source, catalogue } = search;
  const from = source.pos;
  const name = match(VALUE, source);
  source.pos += name.length;
  const field = findField(catalogue, name);
  if (field !== undefined) return buildTerm(search, source, { kind: 'has', ...field, start, end: source.pos });
  if (name === '') report(source, 'text.expected', start, source.pos, 'A field is expected behind has:');
  else unknownField(search, name, from, source.pos);
  return undefined;
}

/** One value or several with commas between. */
function readOperands(source: Source): Operand[] {
  const operands: Operand[] = [];
  for (;;) {
    const start = source.pos;
    if (source.text[start] === '"') operands.push({ ...quoted(source), quoted: true, start, end: source.pos });
    else {
      const value = match(VALUE, source);
      source.pos += value.length;
      if (value !== '') operands.push({ value, quoted: false, start, end: source.pos });
      else if (operands.length > 0)
        report(source, 'text.expected', start, start, 'A value is expected behind the comma');
    }
    if (source.text[source.pos] !== ',') return operands;
    source.pos++;
  }
}

/** A phrase in double quotes; a backslash keeps the quote or backslash behind it. */
function quoted(source: Source): { readonly value: string } {
  const { text, pos: start } = source;
  let value = '';
  let pos = start + 1;
  for (; pos < text.length && text[pos] !== '"'; pos++) {
    if (text[pos] === '\\' && pos + 1 < text.length) pos++;
    value += text[pos]!;
  }
  if (pos >= text.length) report(source, 'text.unterminated', start, pos, 'The phrase does not end');
  source.pos = Math.min(text.length, pos + 1);
  return { value };
}
