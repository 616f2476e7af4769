import { nearestName } from '../catalogue/nearest.ts';
import { globalName } from '../tree/called.ts';
import { fieldsOf, KINDS, OPERATORS, roleOf } from '../tree/fields.ts';
import { GLOBAL_CONSTANTS, GLOBAL_NAMES, VALUE_GLOBALS } from '../tree/globals.ts';
import { GLOBALS, type Node } from '../tree/node.ts';
import { isTag, TAGS } from '../tree/tagged.ts';
import {
  addPart,
  describe,
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
  if (!isObject(job.raw))
    return report(job, 'node.malformed', 'a node, which is an object with a `kind`', { found: job.raw });
  const given = take(job);
  if (!given) return undefined;
  if (job.role === 'element' && given.has('spread')) return readEntry(job, given);
  if (!enter(job)) return undefined;
  const kind = pull(given, 'kind');
  const fields = fieldsOf(kind);
  if (kind === undefined) return report(job, 'node.kindMissing', `a field \`kind\`${likeIt('kind', given, [])}`);
  if (!fields)
    return report(job, 'node.unknownKind', 'a kind of version 1', { key: 'kind', found: kind, allowed: KINDS });
  if (kind === 'Lambda' && !within(job, 'lambdaNesting', ++job.lambdas)) return undefined;
  const node: Draft = { kind };
  if (kind === 'Constant') addConstant(job, given, node);
  return readFields(job, given, fields, node);
};

const NAMES_OF_ROLES: Partial<Record<Job['role'], string>> = { envelope: 'envelope', span: 'span' };

/** Reads what an object has: known fields, and others, which are refused or only looked through. */
export const readFields = (
  job: Job,
  given: Map<string, unknown>,
  fields: readonly string[],
  draft: Draft = {},
): Draft => {
  const { mode, spans } = job.reading;
  const ofKind =
    typeof draft['kind'] === 'string' ? ` of ${draft['kind']}` : ` of the ${NAMES_OF_ROLES[job.role] ?? 'entry'}`;
  for (const name of fields.toReversed()) {
    const role = roleOf(name);
    const value = pull(given, name);
    if (value !== undefined) addPart(job, name, value, role, draft);
    else if (role !== 'flag')
      report(job, 'field.missing', `a field \`${name}\`${ofKind}${likeIt(name, given, fields)}`, {
        details: { field: name },
      });
  }
  for (const [key, value] of given) {
    if (key === 'span' && 'kind' in draft && mode !== 'shape') addPart(job, key, value, 'span', spans ? draft : {});
    else if (mode === 'lenient' || mode === 'shape') addPart(job, key, value, 'ignored', {});
    else {
      const known = 'kind' in draft && fields.length === 0 ? ['value', 'type'] : fields;
      report(job, 'node.unknownField', `no field ${describe(key)}${ofKind}`, { key, allowed: known, written: key });
    }
  }
  return draft;
};

/** A field that may be the missing one under another name. */
const likeIt = (name: string, given: ReadonlyMap<string, unknown>, fields: readonly string[]): string => {
  const others = [...given.keys()].slice(0, 50).filter((key) => key !== 'span' && !fields.includes(key));
  const nearest = nearestName(name, others);
  return nearest === undefined ? '' : `; did you mean it by ${describe(nearest)}?`;
};

/** The value of a `Constant` is read as its type says. */
const addConstant = (job: Job, given: Map<string, unknown>, node: Draft): void => {
  const value = pull(given, 'value');
  const type = pull(given, 'type');
  node['value'] = undefined;
  if (type !== undefined && !isTag(type))
    report(job, 'constant.unknownType', 'a type of version 1', { key: 'type', found: type, allowed: TYPES });
  else if (job.reading.mode === 'shape') addPart(job, 'value', value ?? null, 'data', node);
  else if (value !== undefined) addPart(job, 'value', value, type ?? 'data', node);
  else if (type !== undefined && type !== 'undefined') report(job, 'constant.valueMissing', `a value of type ${type}`);
};

const TYPES = Object.keys(TAGS);

const PROPERTY = ['key', 'value'];

export const readEntry = (job: Job, given = takeObject(job)): Draft | undefined => {
  if (!given) return undefined;
  const has = (name: string) => given.has(name);
  const spread = has('spread');
  return (spread ? [...PROPERTY, 'kind'].some(has) : !PROPERTY.some(has))
    ? report(job, 'entry.malformed', '`{key, value}` or `{spread}`', { found: isObject(job.raw) ? undefined : job.raw })
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
  if (typeof raw !== 'string') return report(job, 'field.type', 'a string', { found: raw });
  if (!within(job, 'stringLength', raw.length) || (role !== 'text' && isForbidden(job, raw))) return undefined;
  if (role === 'param' && job.reading.mode !== 'shape' && (target as unknown as unknown[]).includes(raw))
    report(job, 'lambda.duplicateParam', `no second parameter ${describe(raw)}`);
  return raw;
};

export const readOperator = (job: Job): unknown => {
  const kind = job.target['kind'] as keyof typeof OPERATORS;
  const allowed = OPERATORS[kind] as readonly string[];
  if (OPERATORS[kind].includes(job.raw)) return job.raw;
  const other = Object.entries(OPERATORS).find(([, operators]) => operators.includes(job.raw))?.[0];
  const belongs = other === undefined ? `an operator of ${kind}` : `an operator of ${kind} (of ${other} is this one)`;
  return report(job, 'field.operator', belongs, { found: job.raw, allowed });
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
  if (job.reading.mode === 'shape') return;
  if (quasis && exprs) {
    if (quasis.length !== exprs.length + 1)
      report(job, 'template.arity', `${exprs.length + 1} quasis, one more than expressions`, { found: quasis.length });
  } else if (global && name !== undefined) {
    if (!GLOBAL_NAMES.has(name))
      report(job, 'global.unknown', 'the name of a global', { key: 'name', found: name, allowed: GLOBALS });
    else if (!VALUE_GLOBALS.has(name) && !mayBeGlobalObject(job))
      report(
        job,
        'global.misplaced',
        `a value, not the global object ${name}: one of its functions may be called here`,
      );
  }
};

/** It is called, stands right of `instanceof`, or is the base of a called or constant member. */
const mayBeGlobalObject = ({ up, key, target }: Job): boolean => {
  if (key !== 'object') return key === 'callee' || (target['op'] === 'instanceof' && key === 'right');
  if (GLOBAL_CONSTANTS.has(globalName(target as unknown as Node))) return true;
  const index = target['index'] as Draft | undefined;
  return up!.key === 'callee' && (target['kind'] === 'Member' || typeof index?.['value'] === 'string');
};
