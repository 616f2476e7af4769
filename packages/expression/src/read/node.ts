import { type Field, fieldsOf } from '../tree/fields.ts';
import { GLOBAL_NAMES, VALUE_GLOBALS } from '../tree/globals.ts';
import type { Kind, Node } from '../tree/node.ts';
import type { Place } from '../tree/place.ts';
import { checkUnknown, readConstant } from './constant.ts';
import { isObject, isText, lengthOf, MAX_ISSUES, own, type Reading, report, within } from './reading.ts';

type Draft = Record<string | number, unknown>;

/** How a node is used by the one above it: that decides whether it may be a global object. */
type Use = 'value' | 'callee' | 'base';

interface NodeReading extends Reading {
  readonly spans: boolean;
  /** Nodes that lie too deep to recurse into from where they were found. */
  readonly later: (() => void)[];
}

/** Levels that are read by recursion; no stack is too small for them. */
const LEVELS = 200;

/** Reads a node and all below it; undefined or an unfinished tree when something was reported. */
export function readNodes(reading: Reading, root: unknown, spans: boolean): Node | undefined {
  const target: Draft = {};
  const nodes: NodeReading = Object.assign(reading, { spans, later: [] });
  readPart(nodes, root, { up: undefined, key: 'root' }, 1, 0, 'value', target);
  for (let next = nodes.later.pop(); next; next = nodes.later.pop()) next();
  return target['root'] as Node | undefined;
}

function readPart(
  reading: NodeReading,
  raw: unknown,
  place: Place,
  depth: number,
  lambdas: number,
  use: Use,
  target: Draft,
): void {
  if (depth % LEVELS > 0) target[place.key] = readNode(reading, raw, place, depth, lambdas, use);
  else {
    target[place.key] = undefined;
    reading.later.push(() => {
      target[place.key] = readNode(reading, raw, place, depth, lambdas, use);
    });
  }
}

function readNode(
  reading: NodeReading,
  raw: unknown,
  place: Place,
  depth: number,
  lambdas: number,
  use: Use,
): Draft | undefined {
  const { limits } = reading;
  reading.at = place;
  if (reading.nodes > limits.nodes || reading.issues.length >= MAX_ISSUES) return undefined;
  if (++reading.nodes > limits.nodes && !within(reading, 'nodes', reading.nodes, place)) return undefined;
  if (depth > limits.depth && !within(reading, 'depth', depth, place)) return undefined;
  if (!isObject(raw)) return report(reading, 'node.malformed', 'A node is an object.', place);
  const kind = own(reading, raw, 'kind', place) as Kind | undefined;
  const fields = fieldsOf(kind);
  if (!fields) {
    return kind === undefined
      ? report(reading, 'node.kindMissing', 'A node has a `kind`.', place)
      : report(reading, 'node.unknownKind', 'This kind does not exist in version 1.', place, 'kind');
  }
  const node: Draft = { kind };
  let keys = 0;
  for (const _ in raw) keys++;
  reading.keys += keys;
  let known = 1;
  let value: unknown;
  let type: unknown;
  for (const field of fields) {
    if (!field.required && known === keys) break;
    reading.at = place;
    const given = own(reading, raw, field.name, place);
    if (given !== undefined) {
      known++;
      if (field.role === 'value') value = given;
      else if (field.role === 'type') type = given;
      else readField(reading, raw, place, depth, lambdas, use, kind!, node, field, given);
    } else if (field.required) missing(reading, place, kind!, field.name);
  }
  if (kind === 'Constant') node['value'] = readConstant(reading, value, type, place, depth);
  else if (kind === 'Capture') checkGlobal(reading, node, place, use);
  else if (kind === 'Template') checkArity(reading, node, place);
  if (known !== keys) {
    reading.at = place;
    const span = own(reading, raw, 'span', place);
    if (span !== undefined) readSpan(reading, node, span, place, depth);
    checkUnknown(reading, raw, ['kind', 'span', ...fields.map(({ name }) => name)], place, depth);
  }
  return finished(reading, node, depth);
}

/** Frozen at once, unless parts of it are still to be read. */
function finished<T extends object>(reading: NodeReading, made: T, depth: number): T {
  if ((depth + 1) % LEVELS > 0) return Object.freeze(made);
  reading.made.push(made);
  return made;
}

function missing(reading: Reading, place: Place, what: string, field: string): void {
  report(reading, 'field.missing', `${what} has a field \`${field}\`.`, place, undefined, { field });
}

function readField(
  reading: NodeReading,
  raw: object,
  place: Place,
  depth: number,
  lambdas: number,
  use: Use,
  kind: Kind,
  node: Draft,
  { name, role, operators }: Field,
  value: unknown,
): void {
  switch (role) {
    case 'node': {
      const inside = kind === 'Lambda' ? lambdas + 1 : lambdas;
      if (kind === 'Lambda' && !within(reading, 'lambdaNesting', inside, place)) break;
      const part = { up: place, key: name };
      readPart(reading, value, part, depth + 1, inside, useOf(reading, raw, place, use, kind, node, name), node);
      break;
    }
    case 'name':
      if (isText(reading, value, place, name, true)) node[name] = value;
      break;
    case 'flag':
      node[name] = value;
      if (value !== true) report(reading, 'field.onlyTrue', `\`${name}\` is true or absent.`, place, name);
      break;
    case 'operator':
      node[name] = value;
      if (!operators!.has(value as string))
        report(reading, 'field.operator', `This is no operator of ${kind}.`, place, name);
      break;
    case 'names':
    case 'texts':
    case 'nodes':
    case 'properties':
    case 'elements':
      node[name] = readList(reading, depth, lambdas, value, { up: place, key: name }, role);
      break;
    case 'value':
    case 'type':
  }
}

function readList(
  reading: NodeReading,
  depth: number,
  lambdas: number,
  list: unknown,
  place: Place,
  role: 'names' | 'texts' | 'nodes' | 'properties' | 'elements',
): readonly unknown[] | undefined {
  const length = lengthOf(reading, list, place);
  if (length === undefined) return undefined;
  const items: unknown[] = [];
  for (let key = 0; key < length; key++) {
    reading.at = place;
    const raw = own(reading, list as object, key, place);
    if (role === 'names' || role === 'texts') {
      if (isText(reading, raw, place, key, role === 'names') && role === 'names' && items.includes(raw))
        report(reading, 'lambda.duplicateParam', `The parameter ${raw} is there twice.`, place, key);
      items.push(raw);
      continue;
    }
    const at = { up: place, key };
    if (role !== 'nodes' && isEntry(reading, raw, role, place, key))
      items.push(readEntry(reading, depth, lambdas, raw as object, at));
    else if (role !== 'properties') readPart(reading, raw, at, depth + 1, lambdas, 'value', items as unknown as Draft);
  }
  return finished(reading, items, depth);
}

/** Whether an item has a key or a spread; elements may be nodes themselves. */
function isEntry(reading: Reading, raw: unknown, role: string, up: Place, key: number): boolean {
  const has = (name: string) => isObject(raw) && own(reading, raw, name, { up, key }) !== undefined;
  if (has('spread')) return true;
  if (role !== 'properties') return false;
  if (has('key') || has('value')) return true;
  report(reading, 'entry.malformed', 'An entry is `{key, value}` or `{spread}`.', up, key);
  return false;
}

function readEntry(reading: NodeReading, depth: number, lambdas: number, raw: object, place: Place): Draft {
  const [spread, key, value, kind] = ['spread', 'key', 'value', 'kind'].map((name) => own(reading, raw, name, place));
  const draft: Draft = {};
  reading.made.push(draft);
  reading.keys += Object.keys(raw).length;
  const field = spread === undefined ? 'value' : 'spread';
  if (spread !== undefined) {
    if (key !== undefined || value !== undefined || kind !== undefined) {
      report(reading, 'entry.malformed', 'A spread stands alone.', place);
      return draft;
    }
  } else {
    if (key === undefined) missing(reading, place, 'An entry', 'key');
    else if (isText(reading, key, place, 'key', true)) draft['key'] = key;
    if (value === undefined) missing(reading, place, 'An entry', 'value');
  }
  checkUnknown(reading, raw, field === 'spread' ? [field] : ['key', field], place, depth);
  const node = spread === undefined ? value : spread;
  if (node !== undefined) readPart(reading, node, { up: place, key: field }, depth + 1, lambdas, 'value', draft);
  return draft;
}

function readSpan(reading: NodeReading, node: Draft, span: unknown, up: Place, depth: number): void {
  const place = { up, key: 'span' };
  const [start, end] = ['start', 'end'].map((name) => isObject(span) && own(reading, span, name, place));
  if (isObject(span)) {
    checkUnknown(reading, span, ['start', 'end'], place, depth);
    reading.keys += Object.keys(span).length;
  }
  if (!isOffset(start) || !isOffset(end) || start > end) {
    report(reading, 'span.invalid', 'A span is `{start, end}` with 0 ≤ start ≤ end.', place);
  } else if (reading.spans) {
    const kept = { start, end };
    reading.made.push(kept);
    node['span'] = kept;
  }
}

function isOffset(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function checkArity(reading: Reading, node: Draft, place: Place): void {
  const [quasis, exprs] = ['quasis', 'exprs'].map((name) => (node[name] as unknown[] | undefined)?.length);
  if (quasis === undefined || exprs === undefined || quasis === exprs + 1) return;
  const message = 'A template has one quasi more than expressions.';
  report(reading, 'template.arity', message, place, undefined, { quasis, exprs });
}

/** A called member is a `Member`, or an `Index` with a constant string. */
function useOf(reading: Reading, raw: object, place: Place, use: Use, kind: Kind, node: Draft, field: string): Use {
  if (kind === 'Call') return 'callee';
  if (kind === 'Binary') return field === 'right' && node['op'] === 'instanceof' ? 'base' : 'value';
  if (use !== 'callee' || field !== 'object') return 'value';
  if (kind === 'Member') return 'base';
  const index = own(reading, raw, 'index', place);
  const [constant, value, type] = ['kind', 'value', 'type'].map(
    (name) => isObject(index) && own(reading, index, name, place),
  );
  return constant === 'Constant' && typeof value === 'string' && type === undefined ? 'base' : 'value';
}

function checkGlobal(reading: Reading, { name, global }: Draft, place: Place, use: Use): void {
  if (global !== true || typeof name !== 'string') return;
  if (!GLOBAL_NAMES.has(name)) report(reading, 'global.unknown', `There is no global ${name}.`, place, 'name');
  else if (use === 'value' && !VALUE_GLOBALS.has(name))
    report(reading, 'global.misplaced', `${name} is a global object and not a value.`, place);
}
