import { fieldsOf, OPERATORS, roleOf } from '../tree/fields.ts';
import { GLOBAL_NAMES, VALUE_GLOBALS } from '../tree/globals.ts';
import { isTag } from '../tree/tagged.ts';
import {
  addPart,
  type Draft,
  enter,
  isForbidden,
  isObject,
  type Job,
  pull,
  report,
  take,
  takeObject,
  within,
} from './reading.ts';

export const readNode = (job: Job): Draft | undefined => {
  if (!isObject(job.raw)) return report(job, 'node.malformed', 'a node, which is an object');
  const given = take(job);
  if (!given) return undefined;
  if (job.role === 'element' && given.has('spread')) return readEntry(job, given);
  if (!enter(job)) return undefined;
  const kind = pull(given, 'kind');
  const fields = fieldsOf(kind);
  if (kind === undefined) return report(job, 'node.kindMissing', 'a field `kind`');
  if (!fields) return report(job, 'node.unknownKind', 'a kind of version 1', 'kind');
  if (kind === 'Lambda' && !within(job, 'lambdaNesting', ++job.lambdas)) return undefined;
  const node: Draft = { kind };
  if (kind === 'Constant') addConstant(job, given, node);
  return readFields(job, given, fields, node);
};

/** Reads what an object has: known fields, and others, which are refused or only looked through. */
export const readFields = (
  job: Job,
  given: Map<string, unknown>,
  fields: readonly string[],
  draft: Draft = {},
): Draft => {
  const { mode, spans } = job.reading;
  for (const name of fields.toReversed()) {
    const role = roleOf(name);
    const value = pull(given, name);
    if (value !== undefined) addPart(job, name, value, role, draft);
    else if (role !== 'flag')
      report(job, 'field.missing', `a field \`${name}\``, undefined, { details: { field: name } });
  }
  for (const [key, value] of given) {
    if (key === 'span' && 'kind' in draft) addPart(job, key, value, 'span', spans ? draft : {});
    else if (mode === 'lenient') addPart(job, key, value, 'ignored', {});
    else report(job, 'node.unknownField', `no field ${JSON.stringify(key)}`, key);
  }
  return draft;
};

/** The value of a `Constant` is read as its type says. */
const addConstant = (job: Job, given: Map<string, unknown>, node: Draft): void => {
  const value = pull(given, 'value');
  const type = pull(given, 'type');
  node['value'] = undefined;
  if (type !== undefined && !isTag(type)) report(job, 'constant.unknownType', 'a type of version 1', 'type');
  else if (value !== undefined) addPart(job, 'value', value, type ?? 'data', node);
  else if (type !== undefined && type !== 'undefined') report(job, 'constant.valueMissing', `a value of type ${type}`);
};

const PROPERTY = ['key', 'value'];

export const readEntry = (job: Job, given = takeObject(job)): Draft | undefined => {
  if (!given) return undefined;
  const has = (name: string) => given.has(name);
  const spread = has('spread');
  return (spread ? [...PROPERTY, 'kind'].some(has) : !PROPERTY.some(has))
    ? report(job, 'entry.malformed', '`{key, value}` or `{spread}`')
    : readFields(job, given, spread ? ['spread'] : PROPERTY);
};

export const readSpan = (job: Job): Draft | undefined => {
  const given = takeObject(job);
  if (!given) return undefined;
  const start = pull(given, 'start');
  const end = pull(given, 'end');
  readFields(job, given, []);
  return Number.isInteger(start) &&
    Number.isInteger(end) &&
    0 <= (start as number) &&
    (start as number) <= (end as number)
    ? { start, end }
    : report(job, 'span.invalid', '`{start, end}` with integers 0 ≤ start ≤ end');
};

export const readText = (job: Job): unknown => {
  const { raw, role, target } = job;
  if (typeof raw !== 'string') return report(job, 'field.type', 'a string');
  if (!within(job, 'stringLength', raw.length) || (role !== 'text' && isForbidden(job, raw))) return undefined;
  if (role === 'param' && (target as unknown as unknown[]).includes(raw))
    report(job, 'lambda.duplicateParam', `no second parameter ${raw}`);
  return raw;
};

export const readOperator = (job: Job): unknown => {
  const kind = job.target['kind'] as keyof typeof OPERATORS;
  return OPERATORS[kind].includes(job.raw) ? job.raw : report(job, 'field.operator', `an operator of ${kind}`);
};

/** What was read of a node or span, as far as it was good. */
interface Whole {
  readonly name?: string;
  readonly global?: true;
  readonly quasis?: readonly unknown[];
  readonly exprs?: readonly unknown[];
}

/** Checks what can only be judged when all of a node or span is read. */
export const checkWhole = (job: Job, { name, global, quasis, exprs }: Whole): void => {
  if (quasis && exprs) {
    if (quasis.length !== exprs.length + 1) report(job, 'template.arity', 'one quasi more than expressions');
  } else if (global && name !== undefined) {
    if (!GLOBAL_NAMES.has(name)) report(job, 'global.unknown', 'the name of a global', 'name');
    else if (!VALUE_GLOBALS.has(name) && !mayBeGlobalObject(job))
      report(job, 'global.misplaced', `a value, not the global object ${name}`);
  }
};

/** It is called, stands right of `instanceof`, or is the base of a called member: by name or by a constant string. */
const mayBeGlobalObject = ({ up, key, target }: Job): boolean => {
  if (key !== 'object') return key === 'callee' || (target['op'] === 'instanceof' && key === 'right');
  const index = target['index'] as Draft | undefined;
  return up!.key === 'callee' && (target['kind'] === 'Member' || typeof index?.['value'] === 'string');
};
