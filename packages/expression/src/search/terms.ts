import type { Catalogue, Field } from '../catalogue/catalogue.ts';
import { nearestName } from '../catalogue/nearest.ts';
import { constant, global, type Make } from '../text/make.ts';
import { report, reportLimit, type Source } from '../text/source.ts';
import type { BinaryOperator, Node, Span, Value } from '../tree/node.ts';
import { fieldPath, type NamedField, textFields } from './fields.ts';
import { type Moment, readDuration, readMoment, readNumber } from './values.ts';

export interface Term {
  readonly catalogue: Catalogue;
  readonly row: string;
  readonly make: Make;
  readonly now: Date | number | undefined;
}

export type Comparison = '' | '=' | '==' | '===' | '!=' | '<' | '<=' | '>' | '>=';

export interface Operand extends Span {
  readonly value: string;
  readonly quoted: boolean;
}

type Parsed = Span &
  ({ readonly kind: 'text'; readonly value: string } | ({ readonly kind: 'flag' | 'has' } & NamedField) | FieldTerm);

interface FieldTerm extends NamedField, Span {
  readonly kind: 'field';
  readonly op: Comparison;
  readonly opSpan: Span;
  readonly operands: readonly Operand[];
}

/** Builds nodes that all cover one term of the text. */
interface Builder {
  readonly source: Source;
  readonly term: Term;
  readonly span: Span;
}

export function buildTerm(term: Term, source: Source, parsed: Parsed): Node | undefined {
  const b: Builder = { source, term, span: parsed };
  switch (parsed.kind) {
    case 'text':
      return buildText(b, parsed.value);
    case 'flag':
      return binary(b, '===', field(b, parsed.name), value(b, true));
    case 'has':
      return buildHas(b, parsed);
    case 'field':
      return buildField(b, parsed);
  }
}

const node = <N extends Node>(b: Builder, made: N): N => b.term.make(made, b.span.start, b.span.end);

const value = (b: Builder, given: Value): Node => constant(b.term.make, given, b.span.start, b.span.end);

function text(b: Builder, given: string): Node {
  const { limits } = b.source;
  if (given.length > limits.stringLength) reportLimit(b.source, 'stringLength', given.length, b.span.start, b.span.end);
  return value(b, given);
}

function field(b: Builder, path: string): Node {
  let object: Node = node(b, { kind: 'Param', name: b.term.row });
  let optional: { readonly optional?: true } = {};
  for (const { name, field: about } of fieldPath(b.term.catalogue.fields, path)) {
    object = node(b, { kind: 'Member', object, prop: name, ...optional });
    optional = about.nullable ? { optional: true } : {};
  }
  return object;
}

const binary = (b: Builder, op: BinaryOperator, left: Node, right: Node): Node =>
  node(b, { kind: 'Binary', op, left, right });

const and = (b: Builder, left: Node, right: Node): Node => node(b, { kind: 'Logical', op: '&&', left, right });

const or = (b: Builder, nodes: readonly Node[]): Node =>
  nodes.reduce((left, right) => node(b, { kind: 'Logical', op: '||', left, right }));

function method(b: Builder, object: Node, prop: string, args: readonly Node[], optional = false): Node {
  const callee: Node = optional ? { kind: 'Member', object, prop, optional: true } : { kind: 'Member', object, prop };
  return node(b, { kind: 'Call', callee: node(b, callee), args });
}

/** Whether the text contains, starts with or ends with another, whatever their case. */
function matchText(b: Builder, object: Node, nullable: boolean, how: string, wanted: string): Node {
  return method(b, method(b, object, 'toLowerCase', [], nullable), how, [text(b, wanted.toLowerCase())]);
}

function buildText(b: Builder, wanted: string): Node | undefined {
  const { start, end } = b.span;
  const fields = textFields(b.term.catalogue);
  if (fields.length === 0) {
    report(b.source, 'field.noText', start, end, 'No field is searched by words alone: name one, as in name:value');
    return undefined;
  }
  return or(
    b,
    fields.map((one) => {
      const nullable = one.field.nullable === true;
      if (one.field.type !== 'strings') return matchText(b, field(b, one.name), nullable, 'includes', wanted);
      const item = b.term.row === 'x' ? 'y' : 'x';
      const body = matchText(b, node(b, { kind: 'Param', name: item }), false, 'includes', wanted);
      return method(b, field(b, one.name), 'some', [node(b, { kind: 'Lambda', params: [item], body })], nullable);
    }),
  );
}

function buildHas(b: Builder, { name, field: { type, nullable } }: NamedField): Node {
  if (type === 'strings' || type === 'list') {
    const optional = nullable === true ? { optional: true as const } : {};
    const length = node(b, { kind: 'Member', object: field(b, name), prop: 'length', ...optional });
    return binary(b, '>', length, value(b, 0));
  }
  return and(
    b,
    binary(b, '!==', field(b, name), value(b, null)),
    binary(b, '!==', field(b, name), value(b, undefined)),
  );
}

function buildField(b: Builder, term: FieldTerm): Node | undefined {
  const { operands } = term;
  const [first] = operands;
  if (term.op === '' && operands.length === 1 && first!.value === '*' && !first!.quoted) return buildHas(b, term);
  const ordered = term.field.type === 'number' || term.field.type === 'duration' || term.field.type === 'date';
  const compares = term.op.startsWith('<') || term.op.startsWith('>');
  if (compares && (!ordered || operands.length > 1)) {
    const message = ordered ? 'One value is compared, not a list' : `${term.name} has no order: use ${term.name}:value`;
    report(b.source, 'field.unordered', term.opSpan.start, term.opSpan.end, message, { operator: term.op });
    return undefined;
  }
  if (operands.length > b.source.limits.items) {
    reportLimit(b.source, 'items', operands.length, term.start, term.end);
    return undefined;
  }
  const found = buildOperands(b, term, ordered);
  if (found === undefined || term.op !== '!=') return found;
  if (found.kind === 'Binary' && found.op === '===') return binary(b, '!==', found.left, found.right);
  return node(b, { kind: 'Unary', op: '!', operand: found });
}

function buildOperands(b: Builder, term: FieldTerm, ordered: boolean): Node | undefined {
  const parts = term.operands.map((operand) => {
    const range = ordered && !operand.quoted && operand.value.includes('..');
    if (range) return buildRange(b, term, operand);
    return buildOperand(b, term, operand);
  });
  if (!parts.every((part) => part !== undefined)) return undefined;
  const [first] = parts;
  if (parts.length === 1) return first;
  const values = parts.map((part) => (part.kind === 'Binary' && part.op === '===' ? part.right : undefined));
  if (!values.every((one) => one !== undefined)) return or(b, parts);
  return node(b, {
    kind: 'In',
    needle: field(b, term.name),
    haystack: node(b, { kind: 'ArrayLit', elements: values }),
  });
}

/** What JavaScript would compare as zero: null is kept out of every comparison. */
function compare(
  b: Builder,
  { name, field: { nullable } }: NamedField,
  tests: readonly [BinaryOperator, Node][],
): Node {
  const made = tests.map(([op, right]) => binary(b, op, field(b, name), right));
  if (nullable === true) made.unshift(binary(b, '!==', field(b, name), value(b, null)));
  return made.reduce((left, right) => and(b, left, right));
}

function buildOperand(b: Builder, term: FieldTerm, operand: Operand): Node | undefined {
  const { name, field: about, op } = term;
  const equals = (given: Value): Node => binary(b, '===', field(b, name), value(b, given));
  switch (about.type) {
    case 'number':
    case 'duration': {
      const number = readQuantity(b, about, operand, operand);
      if (number === undefined) return undefined;
      if (op === '<' || op === '<=' || op === '>' || op === '>=') return compare(b, term, [[op, value(b, number)]]);
      return equals(number);
    }
    case 'boolean': {
      const given = operand.value.toLowerCase();
      if (given === 'true' || given === 'yes') return equals(true);
      if (given === 'false' || given === 'no') return equals(false);
      return refuse(b, operand, `${name} is true or false`, 'boolean');
    }
    case 'enum': {
      const known = findValue(about, operand.value);
      return known === undefined ? refuseEnum(b, name, about, operand) : equals(known);
    }
    case 'strings':
      return method(b, field(b, name), 'includes', [text(b, operand.value)], about.nullable === true);
    case 'date':
      return buildMoment(b, term, operand, op);
    case 'string':
      return buildString(b, term, operand);
    case 'list':
    case 'object':
      return refuse(b, operand, `${name} is no single value: write an expression, as in t => t.${name}`, about.type);
  }
}

/** `*` at either end of a word leaves that end open; `=` asks for the whole text, case and all. */
function buildString(b: Builder, { name, field: about, op }: FieldTerm, operand: Operand): Node | undefined {
  const wanted = operand.value;
  if (op !== '') return binary(b, '===', field(b, name), text(b, wanted));
  const stars = operand.quoted ? 0 : wanted.split('*').length - 1;
  const nullable = about.nullable === true;
  if (stars === 0) return matchText(b, field(b, name), nullable, 'includes', wanted);
  const [before, after] = [wanted.startsWith('*'), wanted.endsWith('*')];
  const inner = wanted.slice(before ? 1 : 0, after ? -1 : undefined);
  if (inner === '' || inner.includes('*')) {
    return refuse(b, operand, 'A * stands at the start or the end of a word; in quotes it is itself', 'wildcard');
  }
  return matchText(
    b,
    field(b, name),
    nullable,
    before && after ? 'includes' : before ? 'endsWith' : 'startsWith',
    inner,
  );
}

function findValue({ values }: Field, given: string): string | undefined {
  if (values === undefined || values.includes(given)) return given;
  const wanted = given.toLowerCase();
  return values.find((one) => one.toLowerCase() === wanted);
}

function refuseEnum(b: Builder, name: string, { values = [] }: Field, operand: Operand): undefined {
  const near = nearestName(operand.value, values);
  const hint = near === undefined ? `one of ${values.join(', ')}` : `did you mean ${near}?`;
  const details = { value: operand.value, nearest: near, values };
  report(b.source, 'field.value', operand.start, operand.end, `${name} is never ${operand.value}: ${hint}`, details);
}

function refuse(b: Builder, { start, end, value: given }: Operand, message: string, wanted: string): undefined {
  report(b.source, 'field.value', start, end, message, { value: given, expected: wanted });
}

function readQuantity(
  b: Builder,
  { type }: Field,
  { value: given }: { value: string },
  at: Operand,
): number | undefined {
  const number = type === 'duration' ? readDuration(given) : readNumber(given);
  if (number !== undefined) return number;
  const wanted = type === 'duration' ? 'a duration such as 2.5s, 150ms or 1m30s' : 'a number';
  return refuse(b, at, `${given === '' ? 'This' : given} is not ${wanted}`, type);
}

/** `1..5` with both ends, or open at one. */
function buildRange(b: Builder, term: FieldTerm, operand: Operand): Node | undefined {
  const [low = '', high = '', ...more] = operand.value.split('..');
  if (more.length > 0 || (low === '' && high === '') || (term.op !== '' && term.op !== '!=')) {
    return refuse(b, operand, 'A range is low..high, with one end left out or none', 'range');
  }
  if (term.field.type === 'date') {
    const from = low === '' ? undefined : moment(b, operand, low);
    const to = high === '' ? undefined : moment(b, operand, high);
    if ((low !== '' && from === undefined) || (high !== '' && to === undefined)) return undefined;
    const tests: [BinaryOperator, Node][] = [];
    if (from) tests.push(['>=', startOf(b, from)]);
    if (to) tests.push(to.kind === 'period' ? ['<', value(b, to.end)] : ['<=', startOf(b, to)]);
    return compare(b, term, tests);
  }
  const tests: [BinaryOperator, Node][] = [];
  for (const [op, given] of [
    ['>=', low],
    ['<=', high],
  ] as const) {
    if (given === '') continue;
    const number = readQuantity(b, term.field, { value: given }, operand);
    if (number === undefined) return undefined;
    tests.push([op, value(b, number)]);
  }
  return compare(b, term, tests);
}

function moment(b: Builder, operand: Operand, given: string): Moment | undefined {
  const found = readMoment(given);
  if (found !== undefined) return found;
  const message = `${given} is no date: write 2026-01-31, 2026-01-31T10:00Z, 2026-01, or -7d for seven days ago`;
  return refuse(b, operand, message, 'date');
}

/** What a moment starts with; relative ones count from the time they were read at, if given, else from the clock. */
function startOf(b: Builder, given: Moment): Node {
  if (given.kind !== 'ago') return value(b, given.start);
  if (b.term.now !== undefined) return value(b, new Date(Number(b.term.now) - given.ms));
  const { make } = b.term;
  const now = method(b, global(make, 'Date', b.span.start, b.span.end), 'now', []);
  return given.ms === 0 ? now : binary(b, '-', now, value(b, given.ms));
}

/** A day, month or year is all of it: after it is from its end on, equal to it is within it. */
function buildMoment(b: Builder, term: FieldTerm, operand: Operand, op: Comparison): Node | undefined {
  const found = moment(b, operand, operand.value);
  if (found === undefined) return undefined;
  const start = (): Node => startOf(b, found);
  const end = found.kind === 'period' ? value(b, found.end) : undefined;
  switch (op) {
    case '<':
    case '>=':
      return compare(b, term, [[op, start()]]);
    case '>':
      return compare(b, term, [end === undefined ? ['>', start()] : ['>=', end]]);
    case '<=':
      return compare(b, term, [end === undefined ? ['<=', start()] : ['<', end]]);
    case '':
    case '=':
    case '==':
    case '===':
    case '!=':
      return compare(b, term, [['>=', start()], end === undefined ? ['<=', start()] : ['<', end]]);
  }
}
