import type { Catalogue } from '../catalogue/catalogue.ts';
import { nearestName } from '../catalogue/nearest.ts';
import { fieldsPresent, findField, rowMember } from '../catalogue/row.ts';
import { METHODS } from '../evaluate/library/other.ts';
import { VALUE_GLOBALS } from '../tree/globals.ts';
import type { Issue } from '../tree/issue.ts';
import type { Binary, Call, In, Index, Logical, Member, Node, Unary } from '../tree/node.ts';
import { partsOf } from '../tree/parts.ts';
import { type Place, placeAt, pointer } from '../tree/place.ts';
import { compareIssues, type Finding, unlistedValues } from './compare.ts';
import { quote, suggestion, unknownField } from './fields.ts';
import { globalResult, methodResult } from './results.ts';
import {
  type Inferred,
  UNKNOWN,
  isOnly,
  mayBe,
  nameTypes,
  ofConstant,
  ofField,
  ofTypes,
  union,
  without,
} from './types.ts';

export interface InferContext {
  readonly catalogue: Catalogue;
  readonly row: string;
  readonly bindings: ReadonlyMap<string, Inferred>;
  readonly present: ReadonlySet<string>;
  readonly depth: number;
  readonly issues: Issue[];
}

/** What lies deeper is not looked into; the limits of reading refuse it before. */
const MAX_DEPTH = 300;

const report = (ctx: InferContext, node: Node, place: Place, { code, message, details }: Finding): void => {
  ctx.issues.push({ code, path: pointer(place), span: node.span, message, details });
};

const isRow = (ctx: InferContext) => (name: string) => name === ctx.row && !ctx.bindings.has(name);

const knowing = (ctx: InferContext, node: Node, as: boolean): InferContext => ({
  ...ctx,
  present: new Set([...ctx.present, ...fieldsPresent(node, as, isRow(ctx))]),
});

export const infer = (node: Node, place: Place, outer: InferContext): Inferred => {
  if (outer.depth > MAX_DEPTH) return UNKNOWN;
  const ctx = { ...outer, depth: outer.depth + 1 };
  if (node.kind === 'Member' || node.kind === 'Index' || node.kind === 'Call') return chain(node, place, ctx);
  const parts = partsOf(node).map(({ part, keys }) =>
    infer(part, placeAt(place, keys), contextOf(node, keys[0] as string, ctx)),
  );
  const [first = UNKNOWN, second = UNKNOWN, third = UNKNOWN] = parts;
  switch (node.kind) {
    case 'Param':
      return parameter(node.name, node, place, ctx);
    case 'Capture':
      return node.global && VALUE_GLOBALS.has(node.name)
        ? ofConstant(node.name === 'undefined' ? undefined : Number(node.name))
        : UNKNOWN;
    case 'Constant':
      return ofConstant(node.value);
    case 'Binary':
      return binary(node, place, first, second, ctx);
    case 'Logical':
      return logical(node, first, second);
    case 'Unary':
      return unary(node, place, first, ctx);
    case 'Ternary':
      return union([second, third]);
    case 'Template':
      return ofTypes('string');
    case 'ObjectLit':
      return ofTypes('object');
    case 'ArrayLit': {
      const elements = parts.map((part, at) => ('spread' in node.elements[at]! ? (part.element ?? UNKNOWN) : part));
      return { types: new Set(['array']), element: union(elements) };
    }
    case 'Lambda':
      return ofTypes('function');
    case 'In':
      return membership(node, place, first, second, ctx);
  }
};

/** What is known where a part is evaluated. */
const contextOf = (node: Node, field: string, ctx: InferContext): InferContext => {
  if (node.kind === 'Ternary' && field !== 'test') return knowing(ctx, node.test, field === 'then');
  if (node.kind === 'Logical' && field === 'right' && node.op !== '??')
    return knowing(ctx, node.left, node.op === '&&');
  return node.kind === 'Lambda' ? bind(ctx, node.params, []) : ctx;
};

const bind = (ctx: InferContext, params: readonly string[], values: readonly Inferred[]): InferContext => ({
  ...ctx,
  bindings: new Map([...ctx.bindings, ...params.map((name, at) => [name, values[at] ?? UNKNOWN] as const)]),
});

const parameter = (name: string, node: Node, place: Place, ctx: InferContext): Inferred => {
  const bound = ctx.bindings.get(name);
  if (bound) return bound;
  if (name === ctx.row) return ofTypes('object');
  const nearest = nearestName(name, [ctx.row, ...ctx.bindings.keys()]);
  const message = `There is no parameter ${quote(name)}${suggestion(nearest)}`;
  report(ctx, node, place, { code: 'param.unknown', message, details: { name, nearest } });
  return UNKNOWN;
};

interface Link {
  readonly value: Inferred;
  /** Whether the chain may have ended before with undefined. */
  readonly short: boolean;
}

const chain = (node: Member | Index | Call, place: Place, ctx: InferContext): Inferred => {
  const { value, short } = link(node, place, ctx);
  return short ? union([without(value), ofTypes('undefined')]) : value;
};

const link = (node: Node, place: Place, outer: InferContext): Link => {
  const ctx = { ...outer, depth: outer.depth + 1 };
  if (ctx.depth > MAX_DEPTH) return { value: UNKNOWN, short: false };
  if (node.kind === 'Call') return call(node, place, ctx);
  if (node.kind !== 'Member' && node.kind !== 'Index') return { value: infer(node, place, outer), short: false };
  const index = node.kind === 'Index' ? infer(node.index, { up: place, key: 'index' }, ctx) : undefined;
  const name = rowMember(node, isRow(ctx));
  if (name !== undefined) return { value: rowField(node, name, place, ctx), short: false };
  const base = object(node, node.object, { up: place, key: 'object' }, place, ctx);
  const prop = node.kind === 'Member' ? node.prop : undefined;
  return { ...base, value: property(base.value, prop, index, node, place, ctx) };
};

const rowField = (node: Node, name: string, place: Place, ctx: InferContext): Inferred => {
  const field = findField(ctx.catalogue, name);
  if (field) return ofField(name, field, ctx.present.has(name));
  ctx.issues.push(unknownField(node, place, name, ctx.catalogue));
  return UNKNOWN;
};

/** What a member or a method is taken of: not null, or the chain is optional. */
const object = (node: Member | Index, base: Node, basePlace: Place, place: Place, ctx: InferContext): Link => {
  const { value, short } = link(base, basePlace, ctx);
  const nullish = value.types.has('null') || value.types.has('undefined');
  if (nullish && !node.optional) {
    const what = value.field === undefined ? 'This' : quote(value.field);
    report(ctx, node, place, {
      code: 'null.access',
      message: `${what} may be null; write ?. or test it before`,
      details: { field: value.field },
    });
  }
  return { value: without(value, 'null', 'undefined'), short: short || (nullish && node.optional === true) };
};

const property = (
  base: Inferred,
  prop: string | undefined,
  index: Inferred | undefined,
  node: Node,
  place: Place,
  ctx: InferContext,
): Inferred => {
  if (prop === 'length' && isOnly(base, 'string', 'array')) return ofTypes('number');
  if (prop === undefined) {
    if (isOnly(base, 'array') && index && isOnly(index, 'number'))
      return union([base.element ?? UNKNOWN, ofTypes('undefined')]);
    return isOnly(base, 'string') ? ofTypes('string', 'undefined') : UNKNOWN;
  }
  if (!isOnly(base, 'string', 'number', 'boolean', 'date', 'array', 'bigint')) return UNKNOWN;
  const nearest = nearestName(prop, ['length']);
  report(ctx, node, place, {
    code: 'member.unknown',
    message: `${nameTypes(base)} has no ${quote(prop)}${suggestion(nearest)}`,
    details: { name: prop, nearest },
  });
  return UNKNOWN;
};

const call = (node: Call, place: Place, ctx: InferContext): Link => {
  const { callee } = node;
  const at = (...keys: (string | number)[]): Place => placeAt(place, keys);
  const args = (lambdaParams: readonly Inferred[]): Inferred[] =>
    node.args.map((arg, index) =>
      arg.kind === 'Lambda'
        ? infer(arg.body, at('args', index, 'body'), bind(ctx, arg.params, lambdaParams))
        : infer(arg, at('args', index), ctx),
    );
  if (callee.kind !== 'Member' || (callee.object.kind === 'Capture' && callee.object.global)) {
    args([]);
    let value = UNKNOWN;
    if (callee.kind === 'Lambda') value = infer(callee.body, at('callee', 'body'), bind(ctx, callee.params, []));
    else if (callee.kind === 'Capture' || callee.kind === 'Member') value = globalResult(callee);
    else infer(callee, at('callee'), ctx);
    return { value, short: false };
  }
  const base = object(callee, callee.object, at('callee', 'object'), at('callee'), ctx);
  const { element } = base.value;
  const [needle] = args([element ?? UNKNOWN, ofTypes('number')]);
  checkMethod(base.value, callee.prop, callee, at('callee'), ctx);
  if (callee.prop === 'includes' && needle && element)
    for (const finding of unlistedValues(needle, element, ctx.catalogue)) report(ctx, node, place, finding);
  return { ...base, value: methodResult(base.value, callee.prop) };
};

const checkMethod = (base: Inferred, name: string, node: Node, place: Place, ctx: InferContext): void => {
  const [type, ...others] = base.types;
  if (type === undefined || others.length > 0 || !(type in METHODS)) return;
  const methods = METHODS[type as keyof typeof METHODS];
  if (type === 'object' || methods.has(name)) return;
  const nearest = nearestName(name, methods.keys());
  report(ctx, node, place, {
    code: 'call.unknownMethod',
    message: `${type} has no method ${quote(name)}${suggestion(nearest)}`,
    details: { name, nearest },
  });
};

const binary = (node: Binary, place: Place, left: Inferred, right: Inferred, ctx: InferContext): Inferred => {
  for (const finding of compareIssues(node, left, right, ctx.catalogue)) report(ctx, node, place, finding);
  if (node.op === 'in') checkList(node, place, right, ctx);
  if (node.op === '+') {
    if (isOnly(left, 'string') || isOnly(right, 'string')) return ofTypes('string');
    return isNumeric(left) && isNumeric(right) ? ofTypes('number') : UNKNOWN;
  }
  if (!'-*/%**'.includes(node.op)) return ofTypes('boolean');
  for (const operand of [left, right]) {
    if (!isOnly(operand, 'string', 'array', 'object', 'regexp')) continue;
    if (operand.values?.every((value) => !Number.isNaN(Number(value)))) continue;
    report(ctx, node, place, notNumber(node.op, operand));
  }
  return numberLike(left, right);
};

const notNumber = (op: string, operand: Inferred): Finding => ({
  code: 'operand.type',
  message: `${op} takes numbers, not ${nameTypes(operand)}`,
});

const numberLike = (...operands: Inferred[]): Inferred =>
  operands.some((one) => mayBe(one, 'bigint')) ? ofTypes('number', 'bigint') : ofTypes('number');

const isNumeric = (one: Inferred): boolean => isOnly(one, 'number', 'boolean', 'null', 'undefined');

const logical = (node: Logical, left: Inferred, right: Inferred): Inferred => {
  if (node.op === '??')
    return mayBe(left, 'null', 'undefined') ? union([without(left, 'null', 'undefined'), right]) : left;
  const gone =
    node.op === '||' ? (['null', 'undefined'] as const) : (['date', 'array', 'object', 'regexp', 'function'] as const);
  return union([without(left, ...gone), right]);
};

const unary = (node: Unary, place: Place, operand: Inferred, ctx: InferContext): Inferred => {
  if (node.op === '!') return ofTypes('boolean');
  if (node.op === 'typeof') return ofTypes('string');
  const [value, ...others] = operand.values ?? [];
  if (node.op === '-' && typeof value === 'number' && others.length === 0) return ofConstant(-value);
  if (isOnly(operand, 'array', 'object', 'regexp')) report(ctx, node, place, notNumber(node.op, operand));
  return numberLike(operand);
};

const checkList = (node: Node, place: Place, haystack: Inferred, ctx: InferContext): void => {
  if (isOnly(haystack, 'string', 'number', 'boolean', 'null', 'undefined', 'date', 'bigint')) {
    report(ctx, node, place, {
      code: 'in.notList',
      message: `Nothing is in ${nameTypes(haystack)}; in takes a list or an object`,
    });
  } else if (haystack.types.has('null')) {
    report(ctx, node, place, {
      code: 'null.access',
      message: 'The list may be null; test it before',
      details: { field: haystack.field },
    });
  }
};

const membership = (node: In, place: Place, needle: Inferred, haystack: Inferred, ctx: InferContext): Inferred => {
  checkList(node, place, haystack, ctx);
  if (haystack.element)
    for (const finding of unlistedValues(needle, haystack.element, ctx.catalogue)) report(ctx, node, place, finding);
  return ofTypes('boolean');
};
