import { type Field, fieldsOf } from './fields.ts';
import { GLOBAL_NAMES, VALUE_GLOBALS } from './globals.ts';
import type { Kind, Node } from './node.ts';
import type { Place } from './place.ts';
import { readConstant, reverseFrom } from './read-constant.ts';
import {
  checkText,
  checkUnknown,
  forbidden,
  isObject,
  lengthOf,
  MAX_ISSUES,
  own,
  type Reading,
  report,
  within,
} from './reading.ts';

type Draft = Record<string | number, unknown>;

/** How a node is used by the one above it: that decides whether it may be a global object. */
type Use = 'value' | 'callee' | 'base';

interface Job {
  readonly raw: unknown;
  readonly place: Place;
  readonly depth: number;
  readonly lambdas: number;
  readonly use: Use;
  /** Where the finished node goes. */
  readonly target: Draft;
  readonly key: string | number;
}

/** Reads a node and all below it; undefined or an unfinished tree when something was reported. */
export function readNodes(reading: Reading, root: unknown, rootPlace: Place, spans: boolean): Node | undefined {
  const { limits } = reading;
  const result: Draft = {};
  const stack: Job[] = [
    { raw: root, place: rootPlace, depth: 1, lambdas: 0, use: 'value', target: result, key: 'root' },
  ];
  for (let job = stack.pop(); job; job = stack.pop()) {
    reading.at = job.place;
    if (++reading.nodes > limits.nodes) {
      within(reading, 'nodes', reading.nodes, job.place);
      break;
    }
    const first = stack.length;
    if (job.depth <= limits.depth) job.target[job.key] = readNode(reading, job, stack, spans);
    else within(reading, 'depth', job.depth, job.place);
    if (stack.length - first > 1) reverseFrom(stack, first);
    if (reading.issues.length >= MAX_ISSUES) break;
  }
  return result['root'] as Node | undefined;
}

function readNode(reading: Reading, job: Job, stack: Job[], spans: boolean): Draft | undefined {
  const { raw, place, depth } = job;
  if (!isObject(raw)) {
    report(reading, 'node.malformed', place, 'A node is an object.');
    return undefined;
  }
  const name = own(reading, raw, 'kind', place);
  const fields = fieldsOf(name);
  if (fields === undefined) {
    if (name === undefined) report(reading, 'node.kindMissing', place, 'A node has a `kind`.');
    else report(reading, 'node.unknownKind', { up: place, key: 'kind' }, 'This kind does not exist in version 1.');
    return undefined;
  }
  const kind = name as Kind;
  const node: Draft = { kind };
  reading.made.push(node);
  const keys = Object.keys(raw).length;
  let known = 1;
  let constant: unknown;
  let type: unknown;
  for (const field of fields) {
    if (!field.required && known === keys) break;
    const value = own(reading, raw, field.name, place);
    if (value !== undefined) {
      known++;
      if (field.role === 'value') constant = value;
      else if (field.role === 'type') type = value;
      else readField(reading, job, kind, node, field, value, stack);
    } else if (field.required) {
      report(reading, 'field.missing', place, `${kind} has a field \`${field.name}\`.`, { field: field.name });
    }
  }
  if (kind === 'Constant') node['value'] = readConstant(reading, constant, type, place, depth);
  else if (kind === 'Capture') checkGlobal(reading, node, job);
  else if (kind === 'Template') checkArity(reading, node, place);
  if (known !== keys) readOthers(reading, raw, node, fields, job, spans);
  return node;
}

/** What a node has beyond the fields of its kind: a span, or what is unknown. */
function readOthers(
  reading: Reading,
  raw: object,
  node: Draft,
  fields: readonly Field[],
  { place, depth }: Job,
  spans: boolean,
): void {
  const span = own(reading, raw, 'span', place);
  if (span !== undefined) readSpan(reading, node, span, place, depth, spans);
  const isKnown = (key: string) => key === 'kind' || key === 'span' || fields.some((field) => field.name === key);
  checkUnknown(reading, raw, isKnown, place, depth);
}

function readField(
  reading: Reading,
  job: Job,
  kind: Kind,
  node: Draft,
  { name, role, operators }: Field,
  value: unknown,
  stack: Job[],
): void {
  const place = { up: job.place, key: name };
  switch (role) {
    case 'node': {
      const lambdas = kind === 'Lambda' ? job.lambdas + 1 : job.lambdas;
      if (kind === 'Lambda' && !within(reading, 'lambdaNesting', lambdas, job.place)) break;
      node[name] = undefined;
      const use = useOf(reading, job, kind, node, name);
      stack.push({ raw: value, place, depth: job.depth + 1, lambdas, use, target: node, key: name });
      break;
    }
    case 'name':
      if (checkText(reading, value, place) && !forbidden(reading, value, place)) node[name] = value;
      break;
    case 'names':
    case 'texts':
      node[name] = readTexts(reading, value, place, role === 'names');
      break;
    case 'flag':
      if (value === true) node[name] = true;
      else report(reading, 'field.onlyTrue', place, `\`${name}\` is true or absent.`);
      break;
    case 'operator':
      if (typeof value === 'string' && operators!.has(value)) node[name] = value;
      else report(reading, 'field.operator', place, `This is no operator of ${kind}.`);
      break;
    case 'nodes':
    case 'properties':
    case 'elements':
      node[name] = readItems(reading, job, value, place, role, stack);
      break;
    case 'value':
    case 'type':
  }
}

function readTexts(reading: Reading, value: unknown, place: Place, names: boolean): readonly string[] | undefined {
  if (!Array.isArray(value)) {
    report(reading, 'field.type', place, 'Here belongs an array of strings.');
    return undefined;
  }
  const length = lengthOf(reading, value);
  if (!within(reading, 'items', length, place)) return undefined;
  const texts: string[] = [];
  const seen = new Set<string>();
  for (let key = 0; key < length; key++) {
    const text = own(reading, value, key, place);
    const at = { up: place, key };
    if (!checkText(reading, text, at) || (names && forbidden(reading, text, at))) {
      texts.push('');
      continue;
    }
    if (names && seen.has(text)) report(reading, 'lambda.duplicateParam', at, `The parameter ${text} is there twice.`);
    seen.add(text);
    texts.push(text);
  }
  reading.made.push(texts);
  return texts;
}

function readItems(
  reading: Reading,
  job: Job,
  value: unknown,
  place: Place,
  role: 'nodes' | 'properties' | 'elements',
  stack: Job[],
): readonly unknown[] | undefined {
  if (!Array.isArray(value)) {
    report(reading, 'field.type', place, 'Here belongs an array.');
    return undefined;
  }
  const length = lengthOf(reading, value);
  if (!within(reading, 'items', length, place)) return undefined;
  const items: Draft[] = [];
  for (let key = 0; key < length; key++) {
    const raw = own(reading, value, key, place);
    const at = { up: place, key };
    const entry = role === 'nodes' ? undefined : readEntry(reading, raw, at, role === 'properties', job.depth);
    if (entry) {
      items.push(entry.draft);
      if (entry.node !== undefined) {
        const inner = { up: at, key: entry.field };
        pushChild(stack, job, entry.node, inner, entry.draft, entry.field);
      }
    } else if (role !== 'properties') {
      items.push({});
      pushChild(stack, job, raw, at, items as unknown as Draft, key);
    }
  }
  reading.made.push(items);
  return items;
}

function pushChild(stack: Job[], job: Job, raw: unknown, place: Place, target: Draft, key: string | number): void {
  stack.push({ raw, place, depth: job.depth + 1, lambdas: job.lambdas, use: 'value', target, key });
}

interface Entry {
  readonly draft: Draft;
  readonly field: 'spread' | 'value';
  readonly node: unknown;
}

/** An entry with a key or a spread; undefined for what is a node itself or was refused. */
function readEntry(reading: Reading, raw: unknown, place: Place, property: boolean, depth: number): Entry | undefined {
  if (!isObject(raw)) {
    if (property) report(reading, 'entry.malformed', place, 'An entry is an object.');
    return undefined;
  }
  const spread = own(reading, raw, 'spread', place);
  if (spread === undefined && !property) return undefined;
  const key = own(reading, raw, 'key', place);
  const value = own(reading, raw, 'value', place);
  const draft: Draft = {};
  reading.made.push(draft);
  if (spread !== undefined) {
    if (key !== undefined || value !== undefined || own(reading, raw, 'kind', place) !== undefined) {
      report(reading, 'entry.malformed', place, 'A spread stands alone.');
      return { draft, field: 'spread', node: undefined };
    }
    checkUnknown(reading, raw, (name) => name === 'spread', place, depth);
    return { draft, field: 'spread', node: spread };
  }
  if (key === undefined && value === undefined) {
    report(reading, 'entry.malformed', place, 'An entry is `{key, value}` or `{spread}`.');
    return undefined;
  }
  if (key === undefined) report(reading, 'field.missing', place, 'An entry has a `key`.', { field: 'key' });
  else {
    const at = { up: place, key: 'key' };
    if (checkText(reading, key, at) && !forbidden(reading, key, at)) draft['key'] = key;
  }
  if (value === undefined) report(reading, 'field.missing', place, 'An entry has a `value`.', { field: 'value' });
  checkUnknown(reading, raw, (name) => name === 'key' || name === 'value', place, depth);
  return { draft, field: 'value', node: value };
}

function readSpan(reading: Reading, node: Draft, span: unknown, up: Place, depth: number, spans: boolean): void {
  const place = { up, key: 'span' };
  const start = isObject(span) ? own(reading, span, 'start', place) : undefined;
  const end = isObject(span) ? own(reading, span, 'end', place) : undefined;
  if (isObject(span)) checkUnknown(reading, span, (name) => name === 'start' || name === 'end', place, depth);
  if (!isOffset(start) || !isOffset(end) || start > end) {
    report(reading, 'span.invalid', place, 'A span is `{start, end}` with 0 ≤ start ≤ end.');
    return;
  }
  if (!spans) return;
  const kept = { start, end };
  reading.made.push(kept);
  node['span'] = kept;
}

function isOffset(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function checkArity(reading: Reading, node: Draft, place: Place): void {
  const quasis = (node['quasis'] as unknown[] | undefined)?.length;
  const exprs = (node['exprs'] as unknown[] | undefined)?.length;
  if (quasis === undefined || exprs === undefined || quasis === exprs + 1) return;
  report(reading, 'template.arity', place, 'A template has one quasi more than expressions.', { quasis, exprs });
}

/** A called member is a `Member`, or an `Index` with a constant string. */
function useOf(reading: Reading, job: Job, kind: Kind, node: Draft, field: string): Use {
  if (kind === 'Call') return field === 'callee' ? 'callee' : 'value';
  if (kind === 'Binary') return field === 'right' && node['op'] === 'instanceof' ? 'base' : 'value';
  if (job.use !== 'callee' || field !== 'object') return 'value';
  if (kind === 'Member') return 'base';
  const index = own(reading, job.raw as object, 'index', job.place);
  const constant =
    isObject(index) &&
    own(reading, index, 'kind', job.place) === 'Constant' &&
    typeof own(reading, index, 'value', job.place) === 'string' &&
    own(reading, index, 'type', job.place) === undefined;
  return constant ? 'base' : 'value';
}

function checkGlobal(reading: Reading, node: Draft, { place, use }: Job): void {
  const name = node['name'];
  if (node['global'] !== true || typeof name !== 'string') return;
  if (!GLOBAL_NAMES.has(name)) {
    report(reading, 'global.unknown', { up: place, key: 'name' }, `There is no global ${name}.`);
  } else if (use === 'value' && !VALUE_GLOBALS.has(name)) {
    report(reading, 'global.misplaced', place, `${name} is a global object and not a value.`);
  }
}
