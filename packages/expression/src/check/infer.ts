import type { Catalogue } from '../catalogue.ts';
import type { Issue } from '../issue.ts';
import { METHODS } from '../methods-other.ts';
import { nearestName } from '../nearest.ts';
import type { Binary, Call, In, Index, Logical, Member, Node, Unary } from '../node.ts';
import { type Place, pointer } from '../place.ts';
import { fieldsPresent, findField, rowMember } from '../row.ts';
import { compareIssues, type Finding, unlistedValues } from './compare.ts';
import { quote, suggestion, unknownField } from './fields.ts';
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

const report = (ctx: InferContext, node: Node, place: Place, finding: Finding): void => {
  ctx.issues.push({
    code: finding.code,
    path: pointer(place),
    span: node.span,
    message: finding.message,
    details: finding.details,
  });
};

const isRow = (ctx: InferContext) => (name: string) => name === ctx.row && !ctx.bindings.has(name);

const knowing = (ctx: InferContext, node: Node, as: boolean): InferContext => ({
  ...ctx,
  present: new Set([...ctx.present, ...fieldsPresent(node, as, isRow(ctx))]),
});

export const infer = (node: Node, place: Place, outer: InferContext): Inferred => {
  if (outer.depth > MAX_DEPTH) return UNKNOWN;
  const ctx = { ...outer, depth: outer.depth + 1 };
  const at = (key: string): Place => ({ up: place, key });
  const inner = (child: Node, key: string, from = ctx): Inferred => infer(child, at(key), from);
  const items = (children: readonly Node[], key: string): Inferred[] =>
    children.map((child, index) => infer(child, { up: at(key), key: index }, ctx));
  switch (node.kind) {
    case 'Param':
      return parameter(node.name, node, place, ctx);
    case 'Capture':
      return node.global && node.name in GLOBAL_VALUES ? ofConstant(GLOBAL_VALUES[node.name]) : UNKNOWN;
    case 'Constant':
      return ofConstant(node.value);
    case 'Member':
    case 'Index':
    case 'Call':
      return chain(node, place, ctx).value;
    case 'Binary':
      return binary(node, place, inner(node.left, 'left'), inner(node.right, 'right'), ctx);
    case 'Logical':
      return logical(node, inner(node.left, 'left'), inner(node.right, 'right', afterLeft(node, ctx)));
    case 'Unary':
      return unary(node, place, inner(node.operand, 'operand'), ctx);
    case 'Ternary':
      inner(node.test, 'test');
      return union([
        inner(node.then, 'then', knowing(ctx, node.test, true)),
        inner(node.else, 'else', knowing(ctx, node.test, false)),
      ]);
    case 'Template':
      items(node.exprs, 'exprs');
      return ofTypes('string');
    case 'ObjectLit':
      for (const [index, entry] of node.props.entries()) {
        const up: Place = { up: at('props'), key: index };
        if ('spread' in entry) infer(entry.spread, { up, key: 'spread' }, ctx);
        else infer(entry.value, { up, key: 'value' }, ctx);
      }
      return ofTypes('object');
    case 'ArrayLit': {
      const elements = node.elements.map((element, index): Inferred => {
        const up: Place = { up: at('elements'), key: index };
        if (!('spread' in element)) return infer(element, up, ctx);
        return infer(element.spread, { up, key: 'spread' }, ctx).element ?? UNKNOWN;
      });
      return { types: new Set(['array']), element: union(elements) };
    }
    case 'Lambda':
      inner(node.body, 'body', bind(ctx, node.params, []));
      return ofTypes('function');
    case 'In':
      return membership(node, place, inner(node.needle, 'needle'), inner(node.haystack, 'haystack'), ctx);
  }
};

const GLOBAL_VALUES: Readonly<Record<string, undefined | number>> = {
  undefined: undefined,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
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

const chain = (node: Member | Index | Call, place: Place, ctx: InferContext): Link => {
  const { value, short } = link(node, place, ctx);
  return { value: short ? union([without(value), ofTypes('undefined')]) : value, short };
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
  const args = (from: InferContext, lambdaParams: readonly Inferred[]): void => {
    for (const [index, arg] of node.args.entries()) {
      const at: Place = { up: { up: place, key: 'args' }, key: index };
      if (arg.kind === 'Lambda') infer(arg.body, { up: at, key: 'body' }, bind(from, arg.params, lambdaParams));
      else infer(arg, at, from);
    }
  };
  const calleePlace: Place = { up: place, key: 'callee' };
  if (callee.kind !== 'Member' || (callee.object.kind === 'Capture' && callee.object.global)) {
    args(ctx, []);
    if (callee.kind === 'Lambda')
      return {
        value: infer(callee.body, { up: calleePlace, key: 'body' }, bind(ctx, callee.params, [])),
        short: false,
      };
    if (callee.kind === 'Capture' || callee.kind === 'Member') return { value: globalResult(callee), short: false };
    infer(callee, calleePlace, ctx);
    return { value: UNKNOWN, short: false };
  }
  const base = object(callee, callee.object, { up: calleePlace, key: 'object' }, calleePlace, ctx);
  args(ctx, [base.value.element ?? UNKNOWN, ofTypes('number')]);
  checkMethod(base.value, callee.prop, callee, calleePlace, ctx);
  if (callee.prop === 'includes' && node.args[0]) {
    const needle = infer(node.args[0], place, { ...ctx, issues: [] });
    if (base.value.element)
      for (const finding of unlistedValues(needle, base.value.element, ctx.catalogue))
        report(ctx, node, place, finding);
  }
  return { ...base, value: methodResult(base.value, callee.prop) };
};

const globalResult = (callee: Node): Inferred => {
  const name =
    callee.kind === 'Capture'
      ? callee.name
      : callee.kind === 'Member' && callee.object.kind === 'Capture'
        ? callee.object.name
        : '';
  if (name === 'String') return ofTypes('string');
  if (name === 'Number' || name === 'Math') return ofTypes('number');
  return name === 'Boolean' ? ofTypes('boolean') : UNKNOWN;
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

const RESULTS: Readonly<Record<string, Inferred>> = {
  ...Object.fromEntries(
    ['includes', 'startsWith', 'endsWith', 'some', 'every', 'test', 'isWellFormed'].map((name) => [
      name,
      ofTypes('boolean'),
    ]),
  ),
  ...Object.fromEntries(
    [
      'toLowerCase',
      'toUpperCase',
      'trim',
      'trimStart',
      'trimEnd',
      'join',
      'toString',
      'padStart',
      'padEnd',
      'repeat',
      'toFixed',
      'toISOString',
      'charAt',
      'replace',
      'replaceAll',
    ].map((name) => [name, ofTypes('string')]),
  ),
  ...Object.fromEntries(
    ['indexOf', 'lastIndexOf', 'findIndex', 'getTime', 'charCodeAt', 'localeCompare'].map((name) => [
      name,
      ofTypes('number'),
    ]),
  ),
  split: { types: new Set(['array']), element: ofTypes('string') },
};

const methodResult = (base: Inferred, name: string): Inferred => {
  if (name === 'filter' || name === 'slice') return without(base);
  if (name.startsWith('getUTC')) return ofTypes('number');
  return Object.hasOwn(RESULTS, name) ? RESULTS[name]! : UNKNOWN;
};

const binary = (node: Binary, place: Place, left: Inferred, right: Inferred, ctx: InferContext): Inferred => {
  for (const finding of compareIssues(node, left, right, ctx.catalogue)) report(ctx, node, place, finding);
  switch (node.op) {
    case '+':
      if (isOnly(left, 'string') || isOnly(right, 'string')) return ofTypes('string');
      return isNumeric(left) && isNumeric(right) ? ofTypes('number') : UNKNOWN;
    case '-':
    case '*':
    case '/':
    case '%':
    case '**':
      for (const operand of [left, right]) {
        if (!isOnly(operand, 'string', 'array', 'object', 'regexp')) continue;
        if (operand.values?.every((value) => !Number.isNaN(Number(value)))) continue;
        report(ctx, node, place, {
          code: 'operand.type',
          message: `${node.op} takes numbers, not ${nameTypes(operand)}`,
        });
      }
      return mayBe(left, 'bigint') || mayBe(right, 'bigint') ? ofTypes('number', 'bigint') : ofTypes('number');
    case '===':
    case '!==':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'instanceof':
    case 'in':
      return ofTypes('boolean');
  }
};

const isNumeric = (one: Inferred): boolean => isOnly(one, 'number', 'boolean', 'null', 'undefined');

const afterLeft = (node: Logical, ctx: InferContext): InferContext =>
  node.op === '??' ? ctx : knowing(ctx, node.left, node.op === '&&');

const logical = (node: Logical, left: Inferred, right: Inferred): Inferred => {
  if (node.op === '??')
    return mayBe(left, 'null', 'undefined') ? union([without(left, 'null', 'undefined'), right]) : left;
  const gone =
    node.op === '||' ? (['null', 'undefined'] as const) : (['date', 'array', 'object', 'regexp', 'function'] as const);
  return union([without(left, ...gone), right]);
};

const unary = (node: Unary, place: Place, operand: Inferred, ctx: InferContext): Inferred => {
  switch (node.op) {
    case '!':
      return ofTypes('boolean');
    case 'typeof':
      return ofTypes('string');
    case '-':
    case '+':
      if (node.op === '-' && operand.values?.length === 1 && typeof operand.values[0] === 'number')
        return ofConstant(-operand.values[0]);
      if (isOnly(operand, 'array', 'object', 'regexp'))
        report(ctx, node, place, {
          code: 'operand.type',
          message: `${node.op} takes a number, not ${nameTypes(operand)}`,
        });
      return mayBe(operand, 'bigint') ? ofTypes('number', 'bigint') : ofTypes('number');
  }
};

const membership = (node: In, place: Place, needle: Inferred, haystack: Inferred, ctx: InferContext): Inferred => {
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
  if (haystack.element)
    for (const finding of unlistedValues(needle, haystack.element, ctx.catalogue)) report(ctx, node, place, finding);
  return ofTypes('boolean');
};
