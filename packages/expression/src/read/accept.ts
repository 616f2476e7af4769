import { OPERATORS } from '../tree/fields.ts';
import { GLOBAL_NAMES, VALUE_GLOBALS } from '../tree/globals.ts';
import type { Kind } from '../tree/node.ts';
import type { Envelope } from '../write/serialize.ts';
import { VERSION } from './envelope.ts';
import { parseEnvelope } from './parse-envelope.ts';
import { read } from './read.ts';
import { type Reading, type ReadOptions, startReading } from './reading.ts';

/** Deeper trees are left to the reader, which does not recurse. */
const MAX_RECURSION = 400;

type Raw = Readonly<Record<string, unknown>>;

/**
 * Whether `parseEnvelope` would read a value, without making a tree: a check for what `JSON.parse` has given. Unlike
 * `parseEnvelope` it reads properties plainly, so give it no objects of strangers that could have accessors.
 */
export function isEnvelope(value: unknown, options: ReadOptions = {}): value is Envelope {
  if (typeof value !== 'object') return false;
  return (
    isPlainlyGood(value, startReading(value, { limits: options.limits }).reading) || parseEnvelope(value, options).ok
  );
}

/** True only for what is good in either mode; false says nothing. */
function isPlainlyGood(envelope: unknown, reading: Reading): boolean {
  if (typeof envelope !== 'object' || envelope === null || countKeys(envelope) !== 2) return false;
  const { v, root } = envelope as Raw;
  return v === VERSION && isGood(reading, root, 1, 0, false);
}

function countKeys(object: object): number {
  let keys = 0;
  for (const _ in object) keys++;
  return keys;
}

/** `base` says that a global object may stand here. */
function isGood(reading: Reading, raw: unknown, depth: number, lambdas: number, base: boolean): boolean {
  const { limits } = reading;
  if (typeof raw !== 'object' || raw === null || depth > limits.depth || depth > MAX_RECURSION) return false;
  if (++reading.nodes > limits.nodes) return false;
  const node = raw as Raw;
  const keys = countKeys(node);
  const below = depth + 1;
  switch (node['kind'] as Kind) {
    case 'Param':
      return keys === 2 && isName(reading, node['name']);
    case 'Capture':
      if (!isName(reading, node['name'])) return false;
      if (keys === 2) return true;
      return keys === 3 && node['global'] === true && (base ? GLOBAL_NAMES : VALUE_GLOBALS).has(node['name']);
    case 'Constant':
      return isGoodConstant(reading, node, keys, depth);
    case 'Member':
      return (
        isOptional(node, keys, 3) &&
        isName(reading, node['prop']) &&
        isGood(reading, node['object'], below, lambdas, false)
      );
    case 'Index':
      return (
        isOptional(node, keys, 3) &&
        isGood(reading, node['object'], below, lambdas, false) &&
        isGood(reading, node['index'], below, lambdas, false)
      );
    case 'Call':
      return (
        isOptional(node, keys, 3) &&
        isGoodCallee(reading, node['callee'], below, lambdas) &&
        areGood(reading, node['args'], below, lambdas)
      );
    case 'Binary':
      return (
        keys === 4 &&
        OPERATORS.Binary.includes(node['op']) &&
        isGood(reading, node['left'], below, lambdas, false) &&
        isGood(reading, node['right'], below, lambdas, node['op'] === 'instanceof')
      );
    case 'Logical':
      return (
        keys === 4 &&
        OPERATORS.Logical.includes(node['op']) &&
        isGood(reading, node['left'], below, lambdas, false) &&
        isGood(reading, node['right'], below, lambdas, false)
      );
    case 'Unary':
      return (
        keys === 3 && OPERATORS.Unary.includes(node['op']) && isGood(reading, node['operand'], below, lambdas, false)
      );
    case 'Ternary':
      return (
        keys === 4 &&
        isGood(reading, node['test'], below, lambdas, false) &&
        isGood(reading, node['then'], below, lambdas, false) &&
        isGood(reading, node['else'], below, lambdas, false)
      );
    case 'Template':
      return (
        keys === 3 &&
        areTexts(reading, node['quasis']) &&
        areGood(reading, node['exprs'], below, lambdas) &&
        (node['quasis'] as unknown[]).length === (node['exprs'] as unknown[]).length + 1
      );
    case 'ObjectLit':
      return keys === 2 && areEntries(reading, node['props'], below, lambdas, true);
    case 'ArrayLit':
      return keys === 2 && areEntries(reading, node['elements'], below, lambdas, false);
    case 'Lambda':
      return (
        keys === 3 &&
        lambdas < limits.lambdaNesting &&
        areParams(reading, node['params']) &&
        isGood(reading, node['body'], below, lambdas + 1, false)
      );
    case 'In':
      return (
        keys === 3 &&
        isGood(reading, node['needle'], below, lambdas, false) &&
        isGood(reading, node['haystack'], below, lambdas, false)
      );
    default:
      return false;
  }
}

function isOptional(node: Raw, keys: number, fields: number): boolean {
  return keys === fields || (keys === fields + 1 && node['optional'] === true);
}

/** Below a callee a global object may be the base of a member; other callees are as any node. */
function isGoodCallee(reading: Reading, callee: unknown, depth: number, lambdas: number): boolean {
  const node = callee as Raw | null | undefined;
  if (node?.['kind'] !== 'Member') return isGood(reading, callee, depth, lambdas, true);
  if (depth > reading.limits.depth || ++reading.nodes > reading.limits.nodes) return false;
  return (
    isOptional(node, countKeys(node), 3) &&
    isName(reading, node['prop']) &&
    isGood(reading, node['object'], depth + 1, lambdas, true)
  );
}

function isText(reading: Reading, text: unknown): text is string {
  return typeof text === 'string' && text.length <= reading.limits.stringLength;
}

function isName(reading: Reading, name: unknown): boolean {
  return isText(reading, name) && name !== '__proto__';
}

function isList(reading: Reading, list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length <= reading.limits.items;
}

function areTexts(reading: Reading, texts: unknown): boolean {
  return isList(reading, texts) && texts.every((text) => isText(reading, text));
}

function areParams(reading: Reading, names: unknown): boolean {
  if (!isList(reading, names) || !names.every((name) => isName(reading, name))) return false;
  return names.length < 2 || new Set(names).size === names.length;
}

function areGood(reading: Reading, nodes: unknown, depth: number, lambdas: number): boolean {
  if (!isList(reading, nodes)) return false;
  for (let i = 0; i < nodes.length; i++) if (!isGood(reading, nodes[i], depth, lambdas, false)) return false;
  return true;
}

function areEntries(reading: Reading, entries: unknown, depth: number, lambdas: number, properties: boolean): boolean {
  if (!isList(reading, entries)) return false;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] as Raw | null;
    if (typeof entry !== 'object' || entry === null) return false;
    const spread = entry['spread'];
    if (spread === undefined && !properties) {
      if (!isGood(reading, entry, depth, lambdas, false)) return false;
      continue;
    }
    const fits = spread === undefined ? isName(reading, entry['key']) : true;
    const node = spread === undefined ? entry['value'] : spread;
    if (!fits || countKeys(entry) !== (spread === undefined ? 2 : 1)) return false;
    if (!isGood(reading, node, depth, lambdas, false)) return false;
  }
  return true;
}

/** What is no plain string, number or boolean is left to the reader. */
function isGoodConstant(reading: Reading, node: Raw, keys: number, depth: number): boolean {
  const value = node['value'];
  if (keys === 2 && typeof value === 'string') return value.length <= reading.limits.stringLength;
  if (keys === 2 && (typeof value === 'boolean' || Number.isFinite(value))) return true;
  reading.nodes--;
  read({ reading, raw: node, role: 'node', up: undefined, key: '', target: {}, depth: depth - 1, lambdas: 0 });
  return reading.issues.length === 0;
}
